"""Two nights that differ only in cards a viewer may not see give that viewer the same bytes.

PROC-PRIV-01, PROC-SHOW-07: events, the table, answers and refusals are compared for every seat and for a spectator. The hidden
cards (folded and mucked hands, burns, the stub) are dealt round anew for each viewer; whatever was shown stays in its place.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homegame_engine.actions import AnyAction, Bet, Call, LegalActions, Raise
from homegame_engine.errors import HomegameError
from homegame_engine.night import inputs as inp
from homegame_engine.night.table_view import table_view
from homegame_engine.view import project
from tests.night_builders import HOST, NightTable, person, points_table
from tests.strategies import MISTAKES, PLAIN, shuffled_deck

if TYPE_CHECKING:
    from homegame_engine.hand import Hand


class Plan(NamedTuple):
    """What everybody will do, whatever the cards."""

    n_players: int
    start_chips: int
    choices: tuple[int, ...]
    leaver: int | None
    void_after: int | None


def chosen(legal: LegalActions, choice: int) -> AnyAction:
    """One of the open actions by its place."""
    kind = legal.kinds[choice % len(legal.kinds)]
    if kind == "call":
        return Call(call_chips=legal.call_chips)
    if kind in ("bet", "raise"):
        return (Bet if kind == "bet" else Raise)(to_chips=legal.raise_to_max_chips)
    return PLAIN[kind]


def seen_by(table: NightTable, viewer: int | None) -> list[bytes]:
    """Everything that a viewer can get out of a night right now, answers to mistakes included."""
    got = [msgspec.json.encode(project(event, viewer)) for event in table.rows[-1].events]
    got.append(msgspec.json.encode(table_view(table.night, viewer)))
    got.append(msgspec.json.encode((table.night.due(), table.night.rows, table.session.standings())))
    got.append(
        msgspec.json.encode(table.session.legal_actions() if viewer is None else table.session.legal_actions(viewer))
    )
    for action in MISTAKES:
        # A copy takes it: where the mistake is none, the answer is what everybody would be told.
        copy, seat = table.session.copy(), -1 if viewer is None else viewer
        try:
            happened = copy.apply(seat, action)
        except HomegameError as refusal:
            facts = dict(getattr(refusal, "facts", {}))
            got.append(repr((str(refusal), getattr(refusal, "rule_id", ""), facts)).encode())
        else:
            got.append(b"".join(msgspec.json.encode(project(event, viewer)) for event in happened[:1]))
    return got


class Watched(NamedTuple):
    """A night as every viewer saw it, input by input, and its hands with all their cards."""

    streams: dict[int | None, list[list[bytes]]]
    hands: list[Hand]


def watched_night(plan: Plan, decks: list[bytes]) -> Watched:
    """Play a plan with these decks."""
    table = points_table(plan.n_players, start_chips=plan.start_chips)
    viewers: list[int | None] = [None, *range(plan.n_players)]
    watched = Watched({viewer: [] for viewer in viewers}, [])
    choices = iter(plan.choices)

    def note() -> None:
        for viewer in viewers:
            watched.streams[viewer].append(seen_by(table, viewer))

    for number, deck in enumerate(decks):
        due = table.night.due()
        if due is None or due.kind != "DEAL":
            break
        table.give(inp.StartHand(deck_order=deck), after_ms=3_000)
        note()
        n_turns = 0
        while table.session.hand_is_live:
            n_turns += 1
            if number == 1 and plan.leaver is not None and n_turns == 2:
                table.give(inp.SitOut(participant_id=person(plan.leaver % plan.n_players)))
                note()
            if n_turns == plan.void_after and number == 0:
                hand = table.session.hand
                assert hand is not None
                if not hand.shown_mask:
                    watched.hands.append(hand)
                    table.give(inp.VoidHand(participant_id=HOST, reason="random"))
                    note()
                    break
            choice = next(choices, None)
            if choice is None:
                table.time_out()
            else:
                table.act(chosen(table.session.legal_actions(), choice))
            note()
        else:
            hand = table.session.hand
            assert hand is not None
            watched.hands.append(hand)
    return watched


def with_other_hidden_cards(hand: Hand, viewer: int | None, generator: random.Random) -> bytes:
    """The hand's deck with everything moved about that `viewer` was never shown."""
    in_sight = set(hand.board)
    for seat in range(hand.n_seats):
        if seat == viewer or hand.shown_mask >> seat & 1:
            in_sight.update(hand.hole_cards(seat))
    order = list(hand.deck_order)
    hidden = [position for position, card in enumerate(order) if card not in in_sight]
    cards = [order[position] for position in hidden]
    generator.shuffle(cards)
    for position, card in zip(hidden, cards, strict=True):
        order[position] = card
    return bytes(order)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Plans of a few hands; mostly everybody stays in, so that there are showdowns, mucks and all-ins."""
    return Plan(
        n_players=draw(st.integers(2, 6)),
        start_chips=draw(st.sampled_from([3, 8, 100])),
        choices=tuple(draw(st.lists(st.sampled_from([0, 1, 1, 1, 2]), max_size=70))),
        leaver=draw(st.one_of(st.none(), st.integers(0, 5))),
        void_after=draw(st.sampled_from([None, None, 1, 6])),
    )


@given(plans(), st.integers(0, 2**32 - 1), st.integers(1, 4))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_proc_priv_01_a_viewer_cannot_tell_two_nights_apart_that_differ_in_hidden_cards(
    plan: Plan, seed: int, n_hands: int
) -> None:
    decks = [shuffled_deck(seed + number) for number in range(n_hands)]
    first = watched_night(plan, decks)
    generator = random.Random(seed)  # noqa: S311 - a test's deck, no secret
    for viewer, stream in first.streams.items():
        others = [with_other_hidden_cards(hand, viewer, generator) for hand in first.hands]
        assert others != decks[: len(first.hands)]
        second = watched_night(plan, others)
        assert second.streams[viewer] == stream


def test_proc_priv_01_the_comparison_would_notice_a_card_in_sight() -> None:
    # The same harness, but the moved cards are the viewer's own: the streams must differ.
    plan = Plan(3, 100, (1,) * 12, None, None)
    decks = [shuffled_deck(7)]
    first = watched_night(plan, decks)
    others = [with_other_hidden_cards(first.hands[0], 1, random.Random(3))]  # noqa: S311 - a test's deck
    second = watched_night(plan, others)
    assert second.streams[1] == first.streams[1]
    assert second.streams[0] != first.streams[0]
    assert second.streams[2] != first.streams[2]
