"""PHH, the poker hand history format of uoftcprg/phh-std: what a file says, read exactly. Text in, values out.

Players of a file run clockwise from the seat left of the button, so the last one has the button. Amounts are decimals;
they become integers by one power of ten for the whole hand, and never pass through a binary fraction. `replay.py` plays
what is read here, `phh_writing.py` writes it.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final, Literal, NamedTuple

import msgspec

from homegame_engine.cards import CARD_UNKNOWN, parse_cards
from homegame_engine.errors import InputError
from homegame_engine.specs import Structure


class Variant(NamedTuple):
    """What a code of the format stands for: a game of the catalog and its betting."""

    game_id: str
    structure: Structure


VARIANTS: Final = {
    "FT": Variant("HOLDEM", "FIXED_LIMIT"),
    "NT": Variant("HOLDEM", "NO_LIMIT"),
    "NS": Variant("SHORT_HOLDEM", "NO_LIMIT"),
    "PO": Variant("OMAHA", "POT_LIMIT"),
    "FO/8": Variant("OMAHA8", "FIXED_LIMIT"),
    "F7S": Variant("STUD7", "FIXED_LIMIT"),
    "F7S/8": Variant("STUD8", "FIXED_LIMIT"),
    "FR": Variant("RAZZ", "FIXED_LIMIT"),
    "N2L1D": Variant("DEUCE_TO_SEVEN_SINGLE", "NO_LIMIT"),
    "F2L3D": Variant("DEUCE_TO_SEVEN_TRIPLE", "FIXED_LIMIT"),
    "FB": Variant("BADUGI", "FIXED_LIMIT"),
}
"""Every code of the format."""

_AMOUNT_LISTS: Final = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks")
_AMOUNTS: Final = ("small_bet", "big_bet", "min_bet", "bring_in")
_PLAYER: Final = re.compile(r"p([1-9][0-9]?)")
_AMOUNT: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_CARD_TEXT: Final = 2
_DIGITS_MAX: Final = 14  # Amounts below 10^15 base units, far inside the engine's 2^53.
_SCALE_MAX: Final = 9  # Decimal places; more is no amount of any currency.

ActionName = Literal[
    "deal_hole", "deal_board", "bring_in", "fold", "check_or_call", "bet_or_raise", "draw", "show_or_muck"
]

_NAMES: Final[dict[str, ActionName]] = {
    "pb": "bring_in",
    "f": "fold",
    "cc": "check_or_call",
    "sd": "draw",
    "sm": "show_or_muck",
}
"""Words of the format that name an action alone, or with cards."""


class PhhAction(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `actions`. `player` counts from 0 (p1 is 0), -1 for the dealer's board cards.

    `cards` are those dealt, shown or given up; a draw without any stands pat. Unknown ones are CARD_UNKNOWN.
    """

    name: ActionName
    player: int
    cards: tuple[int, ...] = ()
    to_chips: int = 0


class PhhHand(msgspec.Struct, frozen=True, kw_only=True):
    """One hand as recorded; chips are amounts × 10^`scale`."""

    variant: str
    scale: int
    ante_trimming: bool
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    bring_in: int
    small_bet: int
    big_bet: int
    min_bet: int
    starting_stacks: tuple[int, ...]
    finishing_stacks: tuple[int, ...] | None
    actions: tuple[PhhAction, ...]
    players: tuple[str, ...]


# --- Reading --------------------------------------------------------------------------------------------------------------


def read_phh(text: str) -> PhhHand:
    """Read one hand history.

    Raises:
        InputError: the text is no PHH hand; the message says where.
    """
    try:
        data = tomllib.loads(text.removeprefix("\ufeff"), parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is no PHH hand: {error}") from None
    except (ValueError, RecursionError):  # Numbers of thousands of digits, lists in lists without end.
        raise InputError("this is no PHH hand: a number is too long or a list too deep") from None
    variant = data.get("variant")
    if not isinstance(variant, str):
        raise InputError("expected the variant as a text", field="variant")
    entries = [_words(entry) for entry in _list(data, "actions")]
    scale = _scale(data, entries)
    stacks = _amounts(data, "starting_stacks", scale)
    for key in ("antes", "blinds_or_straddles", "finishing_stacks"):
        if key in data and len(_list(data, key)) != len(stacks):
            raise InputError(f"expected one amount for each of {len(stacks)} players", field=key)
    return PhhHand(
        variant=variant,
        scale=scale,
        ante_trimming=data.get("ante_trimming_status", True) is True,
        antes=_amounts(data, "antes", scale),
        blinds=_amounts(data, "blinds_or_straddles", scale) if "blinds_or_straddles" in data else (0,) * len(stacks),
        bring_in=_amount(data.get("bring_in", 0), "bring_in", scale),
        small_bet=_amount(data.get("small_bet", 0), "small_bet", scale),
        big_bet=_amount(data.get("big_bet", 0), "big_bet", scale),
        min_bet=_amount(data.get("min_bet", 0), "min_bet", scale),
        starting_stacks=stacks,
        finishing_stacks=_amounts(data, "finishing_stacks", scale) if "finishing_stacks" in data else None,
        actions=tuple(_action(words, f"actions[{index}]", len(stacks), scale) for index, words in enumerate(entries)),
        players=tuple(str(name) for name in data["players"]) if isinstance(data.get("players"), list) else (),
    )


def _list(data: Mapping[str, object], key: str) -> list[object]:
    value = data.get(key)
    if not isinstance(value, list):
        raise InputError("expected a list", field=key)
    return value


def _words(entry: object) -> list[str]:
    """The words of one entry of `actions`, its commentary left out."""
    if not isinstance(entry, str):
        raise InputError("expected every action as a text", field="actions")
    return entry.partition("#")[0].split()


def _scale(data: Mapping[str, object], entries: Iterable[Sequence[str]]) -> int:
    """Least power of ten that makes every amount of the hand an integer."""
    amounts = [item for key in _AMOUNT_LISTS if key in data for item in _list(data, key)]
    amounts += [data[key] for key in _AMOUNTS if key in data]
    amounts += [Decimal(words[2]) for words in entries if words[1:2] == ["cbr"] and _is_amount(words[2:])]
    decimals = [amount for amount in amounts if isinstance(amount, Decimal) and amount.is_finite()]
    exponents = [amount.normalize().as_tuple().exponent for amount in decimals]
    scale = max([0, *(-exponent for exponent in exponents if isinstance(exponent, int))])
    if scale > _SCALE_MAX:
        raise InputError(f"expected amounts of at most {_SCALE_MAX} decimal places", field="starting_stacks")
    return scale


def _is_amount(words: Sequence[str]) -> bool:
    return len(words) == 1 and _AMOUNT.fullmatch(words[0]) is not None


def _amounts(data: Mapping[str, object], key: str, scale: int) -> tuple[int, ...]:
    return tuple(_amount(item, f"{key}[{index}]", scale) for index, item in enumerate(_list(data, key)))


def _amount(value: object, path: str, scale: int) -> int:
    amount = Decimal(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else Decimal(-1)
    # Whole chips only come out of `scaleb` once the size is known to be that of a table.
    if not amount.is_finite() or amount < 0 or amount.adjusted() + scale > _DIGITS_MAX:
        raise InputError(f"expected an amount, found {value}", field=path)
    return int(amount.scaleb(scale))


def _action(words: Sequence[str], path: str, n_players: int, scale: int) -> PhhAction:
    name: ActionName
    cards, amount = "", "0"
    match words:
        case ["d", "dh", player, cards]:
            name = "deal_hole"
        case ["d", "db", cards]:
            name, player = "deal_board", ""
        case [player, "cbr", amount] if _is_amount([amount]):
            name = "bet_or_raise"
        case [player, "pb" | "f" | "cc" | "sd" | "sm" as word] | [player, "sd" | "sm" as word, "-"]:
            name = _NAMES[word]
        case [player, "sd" | "sm" as word, cards]:
            name = _NAMES[word]
        case _:
            raise InputError(f"{' '.join(words)!r} is no action", field=path)
    return PhhAction(
        name=name,
        player=_player(player, path, n_players) if player else -1,
        cards=_cards(cards, path),
        to_chips=_amount(Decimal(amount), path, scale),
    )


def _player(word: str, path: str, n_players: int) -> int:
    found = _PLAYER.fullmatch(word)
    if found is None or int(found.group(1)) > n_players:
        raise InputError(f"expected a player from p1 to p{n_players}, found {word!r}", field=path)
    return int(found.group(1)) - 1


def _cards(text: str, path: str) -> tuple[int, ...]:
    cards: list[int] = []
    for start in range(0, len(text), _CARD_TEXT):
        card = text[start : start + _CARD_TEXT]
        try:
            cards.append(CARD_UNKNOWN if card == "??" else parse_cards(card)[0])
        except InputError as error:
            raise InputError(error.message, field=path) from None
    return tuple(cards)
