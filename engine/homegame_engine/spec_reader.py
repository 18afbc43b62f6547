"""Holds plain data against a spec class and says in the author's words where it does not fit.

The file's own path (`levels[1].small_blind`) and what was expected; never the name of anything in this program. Knows
no file and no rule of play: `catalog` reads the files and checks what the values mean.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec
from msgspec import inspect

from homegame_engine.errors import InputError

_Spec = TypeVar("_Spec", bound=msgspec.Struct)

_WORDS_FOR_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (int, "an integer"),
    (float, "a number with a fraction"),
    (str, "a text"),
    (Mapping, "a table"),
    (Sequence, "a list"),
)


def fault(source: str, path: str, problem: str) -> InputError:
    """Build the error for one fault: `source` names the file, `path` the field ("" for the file as a whole)."""
    where = f"{source}: {path}" if path else source
    return InputError(f"{where}: {problem}", field=path)


def found(value: object) -> str:
    """Say what stands in a file, kind and value, in words for its author."""
    for kind, words in _WORDS_FOR_KINDS:
        if isinstance(value, kind):
            if isinstance(value, bool):
                return "true" if value else "false"
            return words if isinstance(value, (Mapping, list, tuple)) else f"{words}, {value!r}"
    return "a date or time"


def read_spec(data: Mapping[str, object], spec: type[_Spec], source: str) -> _Spec:
    """Turn plain data into a frozen spec.

    Args:
        data: What the file says, as tables, lists, texts, integers and truth values.
        spec: The class to make.
        source: Name of the file, for people.

    Raises:
        InputError: the first thing that does not fit, in the order of the spec's fields.
    """
    _check(data, inspect.type_info(spec), "", source)
    return msgspec.convert(data, spec)


def _check(value: object, kind: inspect.Type, path: str, source: str) -> None:
    """Compare one value with what the spec allows there; returns or raises."""
    if isinstance(kind, inspect.StructType):
        _check_table(value, kind, path, source)
    elif isinstance(kind, inspect.UnionType):
        _check_choice(value, kind, path, source)
    elif isinstance(kind, (inspect.VarTupleType, inspect.ListType)):
        if not isinstance(value, (list, tuple)):
            raise fault(source, path, f"expected a list, found {found(value)}")
        for index, item in enumerate(value):
            _check(item, kind.item_type, f"{path}[{index}]", source)
    elif isinstance(kind, inspect.LiteralType):
        if value not in kind.values:
            allowed = ", ".join(str(choice) for choice in kind.values)
            raise fault(source, path, f"expected one of {allowed}, found {found(value)}")
    else:
        _check_plain(value, kind, path, source)


def _check_plain(value: object, kind: inspect.Type, path: str, source: str) -> None:
    wanted: tuple[type, str]
    if isinstance(kind, inspect.BoolType):
        wanted = (bool, "true or false")
    elif isinstance(kind, inspect.IntType):
        wanted = (int, "an integer")
    elif isinstance(kind, inspect.StrType):
        wanted = (str, "a text")
    else:
        raise TypeError(kind)  # A spec class that this reader does not know: our mistake, shown by the first test.
    if not isinstance(value, wanted[0]) or (isinstance(value, bool) and wanted[0] is int):
        raise fault(source, path, f"expected {wanted[1]}, found {found(value)}")


def _check_table(value: object, kind: inspect.StructType, path: str, source: str) -> None:
    if not isinstance(value, Mapping):
        raise fault(source, path, f"expected a table, found {found(value)}")
    fields = {field.encode_name: field for field in kind.fields}
    known = {*fields, kind.tag_field} if kind.tag_field else set(fields)
    for key in value:
        if key not in known:
            raise fault(source, _under(path, str(key)), f"there is no such key; known here: {', '.join(sorted(known))}")
    for name, field in fields.items():
        if name in value:
            _check(value[name], field.type, _under(path, name), source)
        elif field.required:
            raise fault(source, _under(path, name), f"is missing; expected {_expected(field.type)}")


def _check_choice(value: object, kind: inspect.UnionType, path: str, source: str) -> None:
    """A table whose tag says which of several kinds it is, or a value that may be left out."""
    tables = [choice for choice in kind.types if isinstance(choice, inspect.StructType)]
    if len(tables) == 1 and tables[0].tag_field is None:
        _check_table(value, tables[0], path, source)
        return
    if not tables:
        plain = [choice for choice in kind.types if not isinstance(choice, inspect.NoneType)]
        _check(value, plain[0], path, source)
        return
    if not isinstance(value, Mapping):
        raise fault(source, path, f"expected a table, found {found(value)}")
    tag_field = str(tables[0].tag_field)
    by_tag = {table.tag: table for table in tables}
    tag = value.get(tag_field)
    if not isinstance(tag, str) or tag not in by_tag:
        allowed = ", ".join(str(choice) for choice in by_tag)
        was = "nothing" if tag is None else found(tag)
        raise fault(source, _under(path, tag_field), f"expected one of {allowed}, found {was}")
    _check_table(value, by_tag[tag], path, source)


def _expected(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.LiteralType):
        return "one of " + ", ".join(str(choice) for choice in kind.values)
    if isinstance(kind, (inspect.VarTupleType, inspect.ListType)):
        return "a list"
    if isinstance(kind, inspect.IntType):
        return "an integer"
    if isinstance(kind, inspect.BoolType):
        return "true or false"
    return "a text" if isinstance(kind, inspect.StrType) else "a table"


def _under(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
