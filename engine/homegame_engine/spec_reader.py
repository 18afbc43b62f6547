"""Holds plain data against a spec class and says in the author's words where it does not fit.

The file's name, line and own path (`levels[1].small_blind`) and what was expected; never the name of anything in this
program. Knows no rule of play: `catalog` reads the files and the `..._checks` modules judge what the values mean.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Final, TypeVar

import msgspec
from msgspec import inspect

from homegame_engine.errors import SpecError
from homegame_engine.reasons import Reason
from homegame_engine.toml_lines import key_lines

_Spec = TypeVar("_Spec", bound=msgspec.Struct)

_WORDS_FOR_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (int, "an integer"),
    (float, "a number with a fraction"),
    (str, "a text"),
    (Mapping, "a table"),
    (Sequence, "a list"),
)

_LINE_OF_A_SYNTAX_ERROR: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
_KEY_IN_A_SYNTAX_ERROR: Final = re.compile(r"\('(.*?)',?\)")  # The library spells `start.chips` as ('start', 'chips').
_BYTE_ORDER_MARK: Final = "\ufeff"  # Some editors put it before what they save.


class Source:
    """One file as its author wrote it: its name, its text, and the reason and rule for what does not fit in it.

    Attributes:
        name: The file's name, for people.
        reason: Given for a fault that has no closer one, as `rule_id` is.
    """

    def __init__(self, name: str, text: str, reason: Reason, rule_id: str) -> None:
        self.name = name
        self.reason = reason
        self.rule_id = rule_id
        self._text = text.removeprefix(_BYTE_ORDER_MARK)

    def parse(self) -> dict[str, object]:
        """The tables, lists and values. Raises SpecError when the text is no TOML."""
        try:
            return tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            place = _LINE_OF_A_SYNTAX_ERROR.search(str(error))
            problem = _LINE_OF_A_SYNTAX_ERROR.sub("", str(error))
            problem = _KEY_IN_A_SYNTAX_ERROR.sub(lambda key: key[1].replace("', '", "."), problem)
            line = int(place[1]) if place and place[1] else len(self._text.splitlines())
            raise self.fault("", f"this is no TOML: {problem}", line=line) from None
        except (ValueError, RecursionError):  # Numbers of thousands of digits, lists in lists without end.
            raise self.fault("", "a number is too long or a list too deep") from None

    def fault(
        self, path: str, problem: str, rule_id: str = "", reason: Reason | None = None, *, line: int | None = None
    ) -> SpecError:
        """Build the error for one fault in the field `path`, "" for the file as a whole."""
        return SpecError(
            problem,
            source=self.name,
            field=path,
            line=self.line_of(path) if line is None else line,
            rule_id=rule_id or self.rule_id,
            reason=reason or self.reason,
        )

    def line_of(self, path: str) -> int:
        """Line of a field, or of the nearest table around it that stands in the file; 0 for none."""
        while path:
            if path in self._lines:
                return self._lines[path]
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return 0

    @cached_property
    def _lines(self) -> Mapping[str, int]:
        try:
            return key_lines(self._text)
        except RecursionError:  # So deep that the standard reader just managed; the fault then has no line.
            return {}


def found(value: object) -> str:
    """Say what stands in a file, kind and value, in words for its author."""
    for kind, words in _WORDS_FOR_KINDS:
        if isinstance(value, kind):
            if isinstance(value, bool):
                return "true" if value else "false"
            return words if isinstance(value, (Mapping, list, tuple)) else f"{words}, {value!r}"
    return "a date or time"


def read_spec(data: Mapping[str, object], spec: type[_Spec], source: Source) -> _Spec:
    """Turn plain data into a frozen spec.

    Args:
        data: What the file says, as tables, lists, texts, integers and truth values.
        spec: The class to make.
        source: The file, for what the messages say of it.

    Raises:
        SpecError: the first thing that does not fit, in the order of the spec's fields.
    """
    _check(data, _kind_of(spec), "", source)
    return msgspec.convert(data, spec)


@cache
def _kind_of(spec: type[msgspec.Struct]) -> inspect.Type:
    return inspect.type_info(spec)


def _check(value: object, kind: inspect.Type, path: str, source: Source) -> None:
    """Compare one value with what the spec allows there; returns or raises."""
    if isinstance(kind, inspect.StructType):
        _check_table(value, kind, path, source)
    elif isinstance(kind, inspect.UnionType):
        _check_choice(value, kind, path, source)
    elif isinstance(kind, (inspect.VarTupleType, inspect.ListType)):
        if not isinstance(value, (list, tuple)):
            raise source.fault(path, f"expected a list, found {found(value)}")
        for index, item in enumerate(value):
            _check(item, kind.item_type, f"{path}[{index}]", source)
    elif isinstance(kind, inspect.LiteralType):
        if value not in kind.values:
            allowed = ", ".join(str(choice) for choice in kind.values)
            raise source.fault(path, f"expected one of {allowed}, found {found(value)}")
    else:
        _check_plain(value, kind, path, source)


def _check_plain(value: object, kind: inspect.Type, path: str, source: Source) -> None:
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
        raise source.fault(path, f"expected {wanted[1]}, found {found(value)}")


def _check_table(value: object, kind: inspect.StructType, path: str, source: Source) -> None:
    if not isinstance(value, Mapping):
        raise source.fault(path, f"expected a table, found {found(value)}")
    fields = {field.encode_name: field for field in kind.fields}
    known = {*fields, kind.tag_field} if kind.tag_field else set(fields)
    for key in value:
        if key not in known:
            raise source.fault(_under(path, str(key)), f"there is no such key; known here: {', '.join(sorted(known))}")
    for name, field in fields.items():
        if name in value:
            _check(value[name], field.type, _under(path, name), source)
        elif field.required:
            raise source.fault(_under(path, name), f"is missing; expected {_expected(field.type)}")


def _check_choice(value: object, kind: inspect.UnionType, path: str, source: Source) -> None:
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
        raise source.fault(path, f"expected a table, found {found(value)}")
    tag_field = str(tables[0].tag_field)
    by_tag = {table.tag: table for table in tables}
    tag = value.get(tag_field)
    if not isinstance(tag, str) or tag not in by_tag:
        allowed = ", ".join(str(choice) for choice in by_tag)
        was = "nothing" if tag is None else found(tag)
        raise source.fault(_under(path, tag_field), f"expected one of {allowed}, found {was}")
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
