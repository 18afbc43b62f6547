"""Writes a finished hand as PHH, the format that `phh.py` reads. Values in, text out.

The cards come from the events alone, so that a projected stream (`view`) gives a history that hides what its viewer may
not see: hidden cards are written `??`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

import msgspec

from homegame_engine import events as ev
from homegame_engine.cards import CARD_HIDDEN, CARD_UNKNOWN, format_cards
from homegame_engine.errors import InputError
from homegame_engine.hand import Hand
from homegame_engine.notation.phh import VARIANTS, Variant
from homegame_engine.specs import GameSpec, HandRules

_Amount = Callable[[int], Decimal]  # From chips to the amount that is written.
_CODES = {variant: code for code, variant in VARIANTS.items()}


def write_phh(
    hand: Hand,
    rules: HandRules,
    events: Sequence[ev.AnyEvent],
    *,
    game: GameSpec,
    players: Sequence[str] = (),
    scale: int = 0,
) -> str:
    """Write a finished hand.

    Args:
        hand: The finished hand: seats, button, stacks.
        rules: The rules it was started with.
        events: Its events from the posts to the award.
        game: What was dealt.
        players: Name of each seat, or none.
        scale: Decimal places of the amounts: 2 writes 405 chips as 4.05.

    Raises:
        InputError: the hand is not over, or PHH has no code for the game with its betting.

    Rules: PROC-SHOW-07.
    """
    if not hand.is_over:
        raise InputError("only a finished hand is written", field="hand")
    # The format knows one kind of limit betting: fixed steps, whatever the cap.
    structure = "FIXED_LIMIT" if rules.structure == "LIMIT" else rules.structure
    code = _CODES.get(Variant(game.id, structure))
    if code is None:
        raise InputError(f"the format has no code for {game.name} with {rules.structure}", field="variant")

    def amount(chips: int) -> Decimal:
        return Decimal(chips).scaleb(-scale)

    order = _players_in_order(hand)
    lines: list[tuple[str, object]] = [("variant", code), *_posts(hand, game, rules, events, order, amount)]
    if structure == "FIXED_LIMIT":
        lines += [("small_bet", amount(rules.small_bet_chips)), ("big_bet", amount(rules.big_bet_chips))]
    else:
        lines += [("min_bet", amount(rules.min_open_chips))]
    number = {seat: index + 1 for index, seat in enumerate(order)}
    lines += [
        ("starting_stacks", [amount(hand.start_stacks[seat]) for seat in order]),
        ("actions", _entries(events, number, amount)),
        ("hand", hand.hand_number),
    ]
    if players:
        lines.append(("players", [players[seat] for seat in order]))
    lines.append(("finishing_stacks", [amount(hand.stacks[seat]) for seat in order]))
    return "".join(f"{key} = {_toml(value)}\n" for key, value in lines)


def _players_in_order(hand: Hand) -> list[int]:
    """Dealt-in seats from the button's left; the last one has the button, or sits nearest before it."""
    seats = [(hand.button + i) % hand.n_seats for i in range(1, hand.n_seats + 1)]
    return [seat for seat in seats if hand.dealt_mask >> seat & 1]


def _posts(
    hand: Hand,
    game: GameSpec,
    rules: HandRules,
    events: Sequence[ev.AnyEvent],
    order: Sequence[int],
    amount: _Amount,
) -> list[tuple[str, object]]:
    antes = {event.seat: event.chips for event in events if isinstance(event, ev.AntePosted)}
    has_blinds = game.forced == "BLINDS"
    # Heads-up the format lists antes and blinds reversed.
    listed = list(reversed(order)) if has_blinds and len(order) == 2 else list(order)  # noqa: PLR2004 - heads-up
    posts: list[tuple[str, object]] = [
        ("ante_trimming_status", len(antes) != 1),  # One ante alone is the big blind's: dead money.
        ("antes", [amount(antes.get(seat, 0)) for seat in listed]),
    ]
    if not has_blinds:
        return [*posts, ("bring_in", amount(rules.bring_in_chips))]
    blinds = {hand.small_blind_seat: rules.small_blind_chips, hand.big_blind_seat: rules.big_blind_chips}
    return [*posts, ("blinds_or_straddles", [amount(blinds.get(seat, 0)) for seat in listed])]


def _entries(events: Iterable[ev.AnyEvent], number: Mapping[int, int], amount: _Amount) -> list[str]:
    """The list `actions`. What a player gets at one time is one deal, and new cards are dealt when all have drawn."""
    entries: list[str] = []
    dealt: dict[int, list[int]] = {}  # Cards not written yet, by player.
    for event in events:
        match event:
            case ev.HoleCardsDealt(seat=seat, cards=cards) | ev.UpCardsDealt(seat=seat, cards=cards):
                dealt.setdefault(number[seat], []).extend(cards)
            case ev.CardsDrawn(seat=seat, discarded=discarded, cards=cards):
                entries.append(f"p{number[seat]} sd {_cards_text(discarded)}".rstrip())
                dealt.setdefault(number[seat], []).extend(cards)
            case _:
                text = _event_text(event, number, amount)
                if text:
                    entries += [*_deals(dealt), text]
                    dealt.clear()
    return [*entries, *_deals(dealt)]


def _deals(dealt: Mapping[int, Sequence[int]]) -> list[str]:
    return [f"d dh p{player} {_cards_text(cards)}" for player, cards in dealt.items() if cards]


def _event_text(event: ev.AnyEvent, number: Mapping[int, int], amount: _Amount) -> str:
    """The entry of `actions` that one event stands for, "" for none."""
    text = ""
    match event:
        case ev.BoardDealt(cards=cards):
            text = f"d db {_cards_text(cards)}"
        case ev.CommonCardDealt(card=card):
            text = f"d db {_cards_text((card,))}"
        case ev.BringInPosted(seat=seat):
            text = f"p{number[seat]} pb"
        case ev.PlayerFolded(seat=seat):
            text = f"p{number[seat]} f"
        case ev.PlayerChecked(seat=seat) | ev.PlayerCalled(seat=seat):
            text = f"p{number[seat]} cc"
        case ev.PlayerBet(seat=seat, to_chips=to_chips) | ev.PlayerRaised(seat=seat, to_chips=to_chips):
            text = f"p{number[seat]} cbr {amount(to_chips):f}"
        case ev.HandShown(seat=seat, cards=cards):
            text = f"p{number[seat]} sm {_cards_text(cards)}"
        case ev.HandMucked(seat=seat):
            text = f"p{number[seat]} sm"
    return text


def _cards_text(cards: Iterable[int]) -> str:
    return "".join("??" if card in (CARD_UNKNOWN, CARD_HIDDEN) else format_cards((card,)) for card in cards)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, str):
        return msgspec.json.encode(value).decode()  # A TOML basic string is written as a JSON string.
    return str(value)
