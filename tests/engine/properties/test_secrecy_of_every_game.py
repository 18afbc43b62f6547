"""Two nights that differ only in what a viewer may not see give that viewer the same, in every game of the library.

GEN-08, PROC-PRIV-01, PROC-SHOW-07: as `test_secrecy`, with draws, discards, passes, declarations, reshuffles, called games, voids
and players who get up. Besides the cards that stay hidden those are exchanged that a reshuffle brings back: which of two seats
folded or gave up a card that somebody is dealt later is hidden too. Events, table, legal actions, refusals, exports, and what the
proof of the deal opens, with its place, must be the same.
"""

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine import events as ev
from homegame_engine.actions import (
    AnyAction,
    Bet,
    Call,
    Cut,
    Declare,
    LegalActions,
    Raise,
)
from homegame_engine.deal_proof import DealContext, commit, open_seen_cards, placed_cards
from homegame_engine.errors import HomegameError, InputError
from homegame_engine.format_checks import most_players
from homegame_engine.night import inputs as inp
from homegame_engine.night.coming import coming_deck, coming_game, coming_rules, n_mix_orders
from homegame_engine.night.table_view import table_view
from homegame_engine.notation.history import write_json_lines, write_text
from homegame_engine.notation.phh_writing import write_phh
from homegame_engine.specs import DrawCards
from homegame_engine.view import project, seen_legal
from tests.engine.properties.exchanged_cards import CUT, Deal, elsewhere
from tests.night_builders import HOST, NightTable, game_table, person
from tests.strategies import CARD_ACTIONS, MISTAKES, PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from homegame_engine.events import AnyEvent

KEY = bytes(32)
HOUSES = ("CLUB", "POINTS_NIGHT", "HOUSE_NIGHT")
N_HANDS = 2


class Step(NamedTuple):
    """What happens next, whatever the cards: they are named by where they lie in a hand."""

    what: str  # An action's kind, or "call game", "cut", "time out", "void", "get up".
    seat: int = -1
    places: tuple[int, ...] = ()
    half: str = ""
    game_id: str = ""


class Unplayable(Exception):  # noqa: N818 - a finding, not an error
    """With other cards a seat could not do what it did: nobody opens without openers."""


class Played(NamedTuple):
    """A night, what led to it, and what it gave to those who looked on."""

    table: NightTable
    steps: list[Step]
    deals: list[Deal]
    mixes_under: list[bool]
    """For each deal whether what is mixed goes under the rest of its stub, folded hands with it (CARD-06, GAME-DC-09)."""
    got: dict[int | None, list[bytes]]

    def hands(self) -> Iterator[tuple[Deal, list[AnyEvent]]]:
        """Each deal with its events, cards in clear."""
        hand: list[AnyEvent] = []
        number = -1
        for event in self.table.events:
            if isinstance(event, ev.DeckSealed):
                number, hand = number + 1, []
            hand.append(event)
            if isinstance(event, ev.HandEnded | ev.HandVoided):
                yield self.deals[number], hand


# --- Playing ----------------------------------------------------------------------------------------------------------------


class Driver:
    """Plays a night by chance, or again as it was played."""

    def __init__(self, table: NightTable, chance: random.Random, games: Sequence[str]) -> None:
        self.table = table
        self._chance = chance
        self._games = list(games)
        self._is_voided = False
        self._has_left = False

    def go_on(self, step: Step | None) -> Step:
        """Take a step that was taken before, or choose one; returns what was done. Raises Unplayable."""
        if step is not None:
            self.take(step)
            return step
        step = self._next_step()
        try:
            self.take(step)
        except Unplayable:
            # Nobody sees who has no openers.
            assert step.what == "bet"
            step = Step("check", step.seat)
            self.take(step)
        return step

    def _next_step(self) -> Step:
        """Choose by what everybody sees."""
        night, session = self.table.night, self.table.session
        if night.calling is not None and night.calling.called is None and not session.hand_is_live:
            return Step("call game", night.calling.dealer, game_id=self._games.pop(0))
        if night.sealed is not None:
            return Step("cut", night.sealed.cutter)
        luck = self._chance.random()
        hand = session.hand
        assert hand is not None
        if luck < 0.02 and not hand.shown_mask and not self._is_voided:
            self._is_voided = True
            return Step("void")
        seat = self._chance.choice([seat for seat in range(session.n_seats) if session.may_act_mask >> seat & 1])
        if luck < 0.05 or night.seated[seat].has_left:
            return Step("time out")
        if luck < 0.06 and session.n_seats > 3 and not self._has_left:
            self._has_left = True
            return Step("get up", seat)
        return self._of(seen_legal(session.legal_actions(seat), None), seat, len(hand.hole_cards(seat)))

    def _of(self, legal: LegalActions, seat: int, n_cards: int) -> Step:
        # Folding, betting and raising seldom, so that hands go to their end.
        kind = self._chance.choice([*legal.kinds, *(k for k in legal.kinds if k in {"check", "call", "show"})] * 2)
        if kind == "fold" and self._chance.random() < 0.5 and "call" in legal.kinds:
            kind = "call"
        if kind in CARD_ACTIONS:
            count = self._chance.randint(legal.cards_min or 0, legal.cards_max or 0)
            return Step(kind, seat, tuple(sorted(self._chance.sample(range(n_cards), count))))
        if kind == "declare":
            return Step(kind, seat, half=self._chance.choice(legal.halves))
        return Step(kind, seat)

    def take(self, step: Step) -> None:
        """Do it. Raises Unplayable where the cards forbid it."""
        table, night = self.table, self.table.night
        if step.what == "time out":
            table.time_out()
        elif step.what == "void":
            table.give(inp.VoidHand(participant_id=HOST, reason="a card fell"))
        elif step.what == "get up":
            table.give(inp.LeaveSeat(participant_id=person(step.seat)))
        elif step.what == "call game":
            call = inp.CallGame(
                participant_id=person(step.seat),
                action_number=night.action_number,
                game=catalog.game(step.game_id),
                is_library=True,
            )
            table.give(call, after_ms=100)
        else:
            given = inp.Act(
                participant_id=person(step.seat), action_number=night.action_number, action=self._action(step)
            )
            now_ms = table.now_ms
            try:
                table.give(given, after_ms=100)
            except HomegameError as error:
                table.now_ms = now_ms
                raise Unplayable from error

    def _action(self, step: Step) -> AnyAction:
        session = self.table.session
        if step.what == "cut":
            return Cut(CUT)
        assert session.hand is not None
        legal = session.legal_actions(step.seat)
        if step.what in CARD_ACTIONS:
            own = session.hand.hole_cards(step.seat)
            return CARD_ACTIONS[step.what](cards=tuple(own[place] for place in step.places))
        if step.what == "declare":
            return Declare(half=step.half)
        if step.what == "call":
            return Call(call_chips=legal.call_chips)
        if step.what in {"bet", "raise"}:
            return (Bet if step.what == "bet" else Raise)(to_chips=legal.raise_to_min_chips)
        return PLAIN[step.what]


def shuffled(table: NightTable, chance: random.Random) -> Deal:
    deck = coming_deck(table.night)
    orders = (chance.sample(range(len(deck)), len(deck)) for _ in range(n_mix_orders(table.night)))
    return Deal(bytes(chance.sample(deck, len(deck))), b"".join(map(bytes, orders)))


def seal(table: NightTable, deal: Deal) -> None:
    due = table.night.due(table.now_ms)
    assert due is not None
    given = inp.SealDeck(
        deck_order=deal.deck_order,
        key=KEY,
        root=bytes(32),
        mix_orders=deal.mix_orders,
        mix_root=bytes(32) if deal.mix_orders else b"",
    )
    table.give(given, after_ms=max(0, due.at_ms - table.now_ms))


def goes_under(table: NightTable) -> bool:
    """Whether a stub of the coming deal that runs short gets what is out of play under it; else all is mixed (GAME-ST-17)."""
    game, rules = coming_game(table.night), coming_rules(table.night)
    return rules.keeps_last_card or any(isinstance(step, DrawCards) for step in game.steps)


def play(
    table: NightTable,
    viewers: Sequence[int | None],
    *,
    seed: int,
    games: Sequence[str] = (),
    again: Played | None = None,
    deals: Sequence[Deal] = (),
) -> Played:
    """Play some hands by chance, or `again` with other `deals`. Raises Unplayable."""
    chance = random.Random(seed)  # noqa: S311 - repeated on purpose
    driver = Driver(table, chance, games)
    played = Played(table, [], [], [], {viewer: [] for viewer in viewers})
    steps = None if again is None else iter(again.steps)
    n_rows = 0
    while sum(isinstance(event, ev.HandEnded) for event in table.events) < N_HANDS:
        due = table.night.due(table.now_ms)
        if due is None or due.kind == "FINISH":
            break
        if due.kind == "DEAL":
            deal = deals[len(played.deals)] if deals else shuffled(table, chance)
            played.deals.append(deal)
            played.mixes_under.append(goes_under(table))
            seal(table, deal)
        else:
            played.steps.append(driver.go_on(None if steps is None else next(steps)))
        for viewer in viewers:
            played.got[viewer] += seen_by(table, viewer, n_rows)
        n_rows = len(table.rows)
    for viewer in viewers:
        played.got[viewer] += afterwards(played, viewer)
    return played


# --- Looking ----------------------------------------------------------------------------------------------------------------


def seen_by(table: NightTable, viewer: int | None, n_rows: int) -> list[bytes]:
    """Everything that a viewer can get out of a night right now, answers to mistakes included."""
    night, session = table.night, table.session
    got = [msgspec.json.encode(project(event, viewer)) for row in table.rows[n_rows:] for event in row.events]
    got.append(msgspec.json.encode((table_view(night, viewer), night.due(), night.rows)))
    if not session.hand_is_live:
        return got
    legal = session.legal_actions(viewer) if viewer is not None else session.legal_actions()
    got.append(msgspec.json.encode(seen_legal(legal, viewer)))
    if viewer is not None and session.may_act_mask >> viewer & 1:
        return got  # What is refused to the actor may speak of its own cards.
    for action in MISTAKES:
        copy = session.copy()
        try:
            happened = copy.apply(-1 if viewer is None else viewer, action)
        except HomegameError as refusal:
            facts = dict(getattr(refusal, "facts", {}))
            got.append(repr((str(refusal), getattr(refusal, "rule_id", ""), facts)).encode())
        else:
            got.append(b"".join(msgspec.json.encode(project(event, viewer)) for event in happened[:1]))
    return got


def afterwards(played: Played, viewer: int | None) -> list[bytes]:
    """Exports of the hands that are over, and what the proofs of their deals open: cards and places."""
    got: list[bytes] = []
    hand, rules = played.table.session.hand, played.table.session.played_rules
    for number, (deal, happened) in enumerate(played.hands(), start=1):
        seen = [project(event, viewer) for event in happened]
        got += [write_json_lines(seen).encode(), write_text(seen).encode()]
        if hand is not None and rules is not None and hand.is_over and number == len(played.deals):
            with contextlib.suppress(InputError):  # The format does not know every game.
                got.append(write_phh(hand, rules, seen, game=played.table.session.game_spec).encode())
        context = DealContext(
            night_id="night-1", table_id="table-1", hand_number=number, attempt=1, n_cards=len(deal.deck_order)
        )
        openings = open_seen_cards(commit(context, deal.deck_order, KEY), seen)
        got.append(repr([(opening.position, opening.card) for opening in openings]).encode())
    return got


# --- The comparison ---------------------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """What is played, and by how many."""

    game_id: str
    house_id: str
    n_players: int
    format_id: str = ""
    games: tuple[str, ...] = ()
    """To be called, one for each hand."""

    def play(self, viewers: Sequence[int | None], seed: int, **other: Any) -> Played:  # noqa: ANN401 - passed on
        table = game_table(self.game_id, self.house_id, self.n_players, format_id=self.format_id)
        return play(table, viewers, seed=seed, games=self.games, **other)


def kinds_compared(table: Table, viewers: Sequence[int | None], seed: int) -> set[str]:
    """Play a night, and for each viewer another one with other cards wherever that viewer cannot see it.

    Returns:
        The kinds of events of the nights that could be compared.
    """
    first = table.play(viewers, seed)
    chance = random.Random(seed)  # noqa: S311 - repeated on purpose
    kinds: set[str] = set()
    for viewer in viewers:
        others = [
            elsewhere(deal, happened, viewer, chance, under=under)
            for (deal, happened), under in zip(first.hands(), first.mixes_under, strict=False)
        ]
        assert others != first.deals[: len(others)]
        with contextlib.suppress(Unplayable):
            second = table.play([viewer], seed, again=first, deals=others + first.deals[len(others) :])
            assert second.got[viewer] == first.got[viewer]
            kinds |= {type(event).__name__ for event in second.table.events}
    return kinds


DEALERS_CHOICE = Table(
    "FIVE_CARD_DRAW", "HOUSE_NIGHT", 5, "DC", ("ANACONDA", "STUD_LOW_HOLE", "DRAW_DECLARE", "JACKS_TRIPS")
)
FEW = [Table(game_id, HOUSES[i % len(HOUSES)], 4) for i, game_id in enumerate(sorted(catalog.games()))]
MANY = [
    Table(game_id, house_id, most_players(game, catalog.house(house_id)))
    for game_id, game in sorted(catalog.games().items())
    for house_id in HOUSES
]


def in_words(table: Table) -> str:
    return f"{table.format_id or table.game_id}-{table.house_id}-{table.n_players}"


@pytest.mark.parametrize("table", [*FEW, DEALERS_CHOICE], ids=in_words)
def test_proc_priv_01_gen_08_two_nights_that_differ_in_what_is_hidden_look_the_same(table: Table) -> None:
    assert "HandEnded" in kinds_compared(table, (None, 1), seed=4)


@pytest.mark.parametrize(
    ("table", "seed"),
    [(Table("DEUCE_TO_SEVEN_TRIPLE", "POINTS_NIGHT", 6), 1), (Table("FIVE_CARD_DRAW", "POINTS_NIGHT", 8), 1)],
    ids=lambda one: in_words(one) if isinstance(one, Table) else "",
)
def test_gen_08_card_06_nobody_learns_who_gave_up_a_card_that_a_reshuffle_brings_back(table: Table, seed: int) -> None:
    assert "StubReshuffled" in kinds_compared(table, (None, 0), seed)


def test_gen_08_a_card_that_was_passed_is_opened_to_whoever_was_dealt_it_alone() -> None:
    """Its place would tell a spectator what a neighbour gave away, and a receiver from how far the card has come."""
    table = Table("ANACONDA", "POINTS_NIGHT", 4)
    n_passed = 0
    for seed in range(4):
        played = table.play((), seed)
        for _, happened in played.hands():
            dealt = {event.seat: set(event.cards) for event in happened if isinstance(event, ev.HoleCardsDealt)}
            n_passed += sum(isinstance(event, ev.CardsPassed) for event in happened)
            for viewer in (None, *range(4)):
                opened = placed_cards([project(event, viewer) for event in happened])
                assert set(opened) == (set() if viewer is None else dealt.get(viewer, set()))
    assert n_passed > 4


@pytest.mark.slow
@pytest.mark.parametrize("table", [*MANY, DEALERS_CHOICE], ids=in_words)
def test_proc_priv_01_gen_08_the_same_at_full_tables_of_every_house(table: Table) -> None:
    for seed in (1, 2):
        kinds_compared(table, (None, 0, 1), seed)


def test_the_comparison_notices_cards_in_sight() -> None:
    # What seat 0 cannot see lies elsewhere; seat 1 notices.
    table = Table("ANACONDA", "CLUB", 3)
    first = table.play((0, 1), 2)
    chance = random.Random(1)  # noqa: S311 - repeated on purpose
    others = [elsewhere(deal, happened, 0, chance, under=False) for deal, happened in first.hands()]
    second = table.play((0, 1), 2, again=first, deals=others)
    assert second.got[0] == first.got[0]
    assert second.got[1] != first.got[1]
