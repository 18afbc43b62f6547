"""Where each card of a deal came from, counted from the events that one viewer got.

It knows the rule of poker that makes a position mean a card: cards leave the deck one after the other, private ones one at a time
clockwise from the button's left (PROC-DEAL-01), everything else in the order of the events. Where a seat gave up or handed on
cards that the viewer did not see, a card of that seat may come from several places, and so may one of cards that were mixed anew.
Whether the deal went by the steps of its game is judged in `deal_steps`, where cards can lie in `deal_stub`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import GameStep
from homegame.v1.events_pb2 import CardsDrawn, CardsPassed, Choice, ChoiceMade, HandStarting, TableEvent
from homegame_client.deal_faults import Fault, Finding, face_text
from homegame_client.deal_steps import StepCheck
from homegame_client.deal_stub import Held, Stub

ANYWHERE: Final[frozenset[int]] = frozenset()
"""The places of a card that was dealt when the deck had none left."""
_DECK_CARDS_MAX: Final = 54
_MIXES_MAX: Final = 4
"""Orders for reshuffles that a server can commit to in one deal."""


@dataclass(frozen=True, kw_only=True)
class Announced:
    """What was said of a deal before its cut, besides its root, and how much of it was kept."""

    n_cards: int = 52
    """Number of cards in the deck; what no deck has is another fault."""
    can_run_short: bool = False
    """Whether there is a commitment to the orders in which a stub that runs short is mixed anew (CARD-06)."""
    steps: Sequence[GameStep] = ()
    """Everything that happens in the deal, burns with their number; empty where the server did not say it."""
    folded_hands_get_cards: bool = True
    """Whether a hand that was folded with no bet to call gets its cards until somebody bets (GAME-ST-11)."""
    tells_folds: bool = True
    """Whether folds and bets are among the events; files of the first version hold none."""


@dataclass(frozen=True)
class SeenCard:
    """A card that the viewer saw, and where in the deal it came from."""

    dealt_position: int
    """In the order dealt, after the cut; 0 is the first card. -1 when it is not known to be one place."""
    card: Card.ValueType
    words: str
    """What it was, for people: "board card 3", "card 1 of seat 2"."""
    places: frozenset[int] = ANYWHERE
    """Where it may have come from when the place is not known; empty = anywhere."""
    is_opened: bool = True
    """Whether the proof opens it. A card that was passed on or that a reshuffle brought back stays sealed: its place would tell
    who gave it up (GEN-08)."""


@dataclass(frozen=True)
class DealSeen:
    """What one viewer's events tell about a deal."""

    first_card_number: int
    """Number of the event that brought the first card; 0 if none came."""
    hand_number: int | None
    """Of the hand that started, counted from 1; None if none did."""
    button: int
    dealt_in: tuple[int, ...]
    cards: tuple[SeenCard, ...]
    has_steps: bool
    """Whether the steps of the deal were announced before the cut; without them burns are held against the rulebook alone."""
    findings: tuple[Finding, ...]
    """What is wrong with the events themselves; empty when the deal went by its game and can be counted."""


def read_deal(events: Iterable[TableEvent], announced: Announced = Announced()) -> DealSeen:
    """Give each card that a viewer saw its place in the deal, and hold the deal against its game.

    Args:
        events: The viewer's events of one deal in order, from HandStarting on; other kinds between them are passed over.
        announced: What the server said of the deal before the cut.
    """
    walk = _Walk(announced)
    for event in events:
        walk.take(event)
    return walk.finish()


@dataclass
class _Mix:
    """A reshuffle, until the step that it is for has its cards."""

    count: int
    n_left: int = -1
    """Cards that the stub held before it; -1 until it is carried out."""
    n_taken: int = 0
    """Cards burned for that step since."""


class _Walk:
    """Counts the cards of a deal as the events bring them."""

    def __init__(self, announced: Announced) -> None:
        self._announced = announced
        self._stub = Stub(max(0, min(announced.n_cards, _DECK_CARDS_MAX)))
        self._steps = StepCheck(announced.steps, can_run_short=announced.can_run_short)
        self._starting: HandStarting | None = None
        self._first_card_number = 0
        self._mix: _Mix | None = None
        self._n_mixes = 0
        self._round_kind = ""
        self._round: dict[int, Sequence[Card.ValueType]] = {}  # Private cards dealt in one go, by seat.
        self._last_round: tuple[int, ...] = ()  # Seats that got cards in it.
        self._waiting: frozenset[int] = frozenset()  # Seats behind those of a round after which the stub was mixed.
        self._held: dict[int, list[Held]] = {}  # In the order received.
        self._n_received: dict[int, int] = {}
        self._passed: dict[int, list[Held]] = {}  # On their way to a neighbour, by who gave them.
        self._folded: set[int] = set()
        # Folded with nothing to call: they may get cards until somebody bets (GAME-ST-11).
        self._perhaps: set[int] = set()
        self._has_wager = False  # Since the last cards.
        self._away: dict[Card.ValueType, Held] = {}  # Faces seen that are not in the stub.
        self._n_board = 0
        self._cards: list[SeenCard] = []
        self._findings: list[Finding] = []

    def take(self, event: TableEvent) -> None:
        kind = event.WhichOneof("event") or ""
        if kind in {"hole_cards_dealt", "up_cards_dealt"}:
            dealt = getattr(event, kind)
            self._note_first(event)
            self._dealt(kind, dealt.seat, dealt.cards)
            return
        if kind == "hand_starting":
            if self._starting is not None:
                self._fail(Fault.EVENTS_INCOMPLETE, "more than one hand starts in the events")
            self._starting = event.hand_starting
        elif kind in _TAKES_CARDS:
            self._note_first(event)
        take = _HANDLERS.get(kind)
        if take is not None:
            self._end_round(is_cut_short=kind == "stub_reshuffled")
            take(self, event)

    def finish(self) -> DealSeen:
        self._end_round()
        starting = self._starting
        if starting is None:
            self._fail(Fault.EVENTS_INCOMPLETE, "the start of the hand is not in the events")
        if self._mix is not None:
            self._fail(Fault.BAD_RESHUFFLE, "the stub was mixed anew and the cards it was mixed for did not come")
        if self._stub.is_overdrawn:
            self._fail(Fault.EVENTS_INCOMPLETE, "more cards were dealt than the deck has")
        return DealSeen(
            first_card_number=self._first_card_number,
            hand_number=None if starting is None else starting.hand_number,
            button=-1 if starting is None else starting.button,
            dealt_in=() if starting is None else tuple(starting.dealt_in),
            cards=tuple(self._cards),
            has_steps=bool(self._announced.steps),
            findings=tuple(self._findings),
        )

    def _note_first(self, event: TableEvent) -> None:
        self._first_card_number = self._first_card_number or event.number

    def _fail(self, fault: Fault, message: str) -> None:
        if message:
            self._findings.append(Finding(fault, message))

    def _by_steps(self, problem: str) -> None:
        self._fail(Fault.DEALT_OTHERWISE, problem)

    # --- Private cards ---------------------------------------------------------------------------------------------------

    def _dealt(self, kind: str, seat: int, cards: Sequence[Card.ValueType]) -> None:
        if seat in self._round or kind != self._round_kind:
            self._end_round()
        self._round_kind = kind
        self._round[seat] = cards

    def _end_round(self, *, is_cut_short: bool = False) -> None:
        """Place the private cards that came in one go: one at a time, clockwise from the button's left (PROC-DEAL-01)."""
        dealt, self._round = self._round, {}
        starting = self._starting
        if not dealt:
            return
        is_first = not self._n_received
        if (
            starting is None
            or not set(dealt) <= set(starting.dealt_in)
            or (is_first and len(dealt) != len(starting.dealt_in))
            or len({len(cards) for cards in dealt.values()}) > 1
        ):
            self._fail(Fault.EVENTS_INCOMPLETE, "the private cards are not those of the seats dealt in")
            self._steps.stop()
            return
        order = self._clockwise(dealt)
        n_each = len(dealt[order[0]])
        self._carry_out_mix(is_draw=False)
        is_rest = self._check_receivers(order, is_cut_short=is_cut_short)
        self._by_steps(self._steps.dealt(self._round_kind, n_each, is_rest=is_rest))
        self._end_mix(n_each * len(order))
        for i in range(n_each):
            for seat in order:
                self._receive(seat, dealt[seat][i])

    def _clockwise(self, seats: Iterable[int]) -> list[int]:
        button = -1 if self._starting is None else self._starting.button
        return sorted(seats, key=lambda seat: (seat <= button, seat))

    def _may_receive(self) -> tuple[set[int], set[int]]:
        """Seats that get cards in any case, and those that may."""
        dealt_in = set() if self._starting is None else set(self._starting.dealt_in)
        if not self._announced.tells_folds:
            return set(), set(self._last_round) or dealt_in
        live = dealt_in - self._folded
        return live, live | self._perhaps

    def _check_receivers(self, order: Sequence[int], *, is_cut_short: bool) -> bool:
        """A round is for all seats that still play and for no others; the stub may be mixed in its middle (GAME-ST-17).

        Returns whether these cards are the rest of such a round.
        """
        must, may = self._may_receive()
        got = set(order)
        was_waiting, self._waiting = self._waiting, frozenset()
        got_before: set[int] = set()
        is_rest = got <= was_waiting
        if is_rest:
            must, may = must & was_waiting, set(was_waiting)
            got_before = set(self._last_round)
        if is_cut_short:
            in_turn = self._clockwise(may | got)
            self._waiting = frozenset(in_turn[in_turn.index(order[-1]) + 1 :])
            must = must - self._waiting
        self._last_round = tuple(self._clockwise(got_before | got))
        self._has_wager = False
        wrong = self._clockwise(got - may) or self._clockwise(must - got)
        if wrong:
            what = "got a card and is out of the hand" if got - may else "still plays and got no card with the others"
            self._fail(Fault.DEALT_OTHERWISE, f"seat {wrong[0] + 1} {what}")
        return is_rest

    def _receive(self, seat: int, card: Card.ValueType, source: Held | None = None) -> None:
        """Give a seat the next card of the stub, or one of a neighbour's."""
        n_received = self._n_received[seat] = self._n_received.get(seat, 0) + 1
        words = f"card {n_received} of seat {seat + 1}"
        held = (
            self._stub.take(card, words)
            if source is None
            else Held(card, source.places, words, source.ids, is_straight=False)
        )
        self._held.setdefault(seat, []).append(held)
        self._see(held)

    def _give_up(self, seat: int, cards: Sequence[Card.ValueType]) -> list[Held]:
        """Take cards from a seat, and return them: exactly those where the viewer saw which, else what they may be."""
        held = self._held.get(seat, [])
        if len(cards) > len(held):
            self._fail(Fault.EVENTS_INCOMPLETE, f"seat {seat + 1} gave up more cards than it had")
            return []
        if len(cards) == len(held):
            self._held[seat] = []
            return held
        if Card.CARD_HIDDEN in cards:
            pools = [one.places for one in held]
            places = frozenset[int]().union(*pools) if all(pools) else ANYWHERE
            ids = frozenset[int]().union(*(one.ids for one in held))
            straight = all(one.is_straight for one in held)
            blurred = Held(Card.CARD_HIDDEN, places, f"a card of seat {seat + 1}", ids, straight)
            self._held[seat] = [blurred] * (len(held) - len(cards))
            return [blurred] * len(cards)
        gone = [next((one for one in held if one.card == card), None) for card in cards]
        known = [one for one in gone if one is not None]
        if len(known) < len(gone) or len(set(cards)) < len(cards):
            self._fail(Fault.EVENTS_INCOMPLETE, f"seat {seat + 1} gave up a card that it did not have")
        self._held[seat] = [one for one in held if one not in known]
        return known

    def _choice_made(self, event: TableEvent) -> None:
        made: ChoiceMade = event.choice_made
        given_up = self._give_up(made.seat, made.cards)
        if made.choice == Choice.CHOICE_PASS:
            self._passed[made.seat] = given_up
        else:
            self._stub.out_of_play += given_up

    def _cards_drawn(self, event: TableEvent) -> None:
        drawn: CardsDrawn = event.cards_drawn
        if drawn.seat in self._folded:
            self._fail(Fault.DEALT_OTHERWISE, f"seat {drawn.seat + 1} drew cards and is out of the hand")
        dealt_in = self._clockwise(() if self._starting is None else self._starting.dealt_in)
        place = dealt_in.index(drawn.seat) if drawn.seat in dealt_in else -1
        live = [i for i, seat in enumerate(dealt_in) if seat not in self._folded and self._announced.tells_folds]
        self._carry_out_mix(is_draw=True, drawer=drawn.seat)  # GAME-DC-09: what is about to go is not mixed in.
        self._by_steps(self._steps.drawn(place, len(drawn.discarded), len(drawn.cards), live))
        self._end_mix(len(drawn.cards))
        self._stub.out_of_play += self._give_up(drawn.seat, drawn.discarded)
        for card in drawn.cards:
            self._receive(drawn.seat, card)

    def _cards_passed(self, event: TableEvent) -> None:
        passed: CardsPassed = event.cards_passed
        pool = self._passed.pop(passed.from_seat, [])
        if len(pool) != len(passed.cards):
            self._fail(Fault.EVENTS_INCOMPLETE, f"seat {passed.seat + 1} was passed other cards than were given up")
            return
        for card in passed.cards:
            source = next((one for one in pool if one.card == card), pool[0])
            pool.remove(source)
            self._receive(passed.seat, card, source)

    def _shown(self, event: TableEvent) -> None:
        seat, cards = event.hand_shown.seat, event.hand_shown.cards
        held = self._held.get(seat, [])
        if len(held) != len(cards):
            self._fail(Fault.EVENTS_INCOMPLETE, f"seat {seat + 1} showed other cards than it was dealt")
            return
        for i, (one, card) in enumerate(zip(held, cards, strict=True)):
            if one.card not in {Card.CARD_HIDDEN, card}:
                self._fail(
                    Fault.FACE_CHANGED, f"{one.words} was dealt as {face_text(one.card)} and shown as {face_text(card)}"
                )
            self._see(Held(card, one.places, one.words, one.ids, one.is_straight))
            if one.card == Card.CARD_HIDDEN != card:
                held[i] = self._away[card] = self._stub.resolve(one, card)

    # --- Who is still in -------------------------------------------------------------------------------------------------

    def _player_folded(self, event: TableEvent) -> None:
        seat = event.player_folded.seat
        self._folded.add(seat)
        self._held.setdefault(seat, []).extend(self._passed.pop(seat, []))
        if self._announced.folded_hands_get_cards and not self._has_wager:
            self._perhaps.add(seat)

    def _wagered(self, _event: TableEvent) -> None:
        self._has_wager = True
        self._perhaps.clear()

    # --- Common cards and the stub ---------------------------------------------------------------------------------------

    def _burned(self, event: TableEvent) -> None:
        count = event.cards_burned.count
        self._carry_out_mix(is_draw=False)
        self._by_steps(self._steps.burned(count))
        self._stub.burn(max(0, min(count, _DECK_CARDS_MAX)))
        if self._mix is not None:
            self._mix.n_taken += count

    def _board(self, event: TableEvent) -> None:
        cards = event.board_dealt.cards
        self._carry_out_mix(is_draw=False)
        self._by_steps(self._steps.board(len(cards)))
        self._end_mix(len(cards))
        for card in cards:
            self._n_board += 1
            self._see(self._stub.take(card, f"board card {self._n_board}"))
        self._has_wager = False

    def _common_card(self, event: TableEvent) -> None:
        self._carry_out_mix(is_draw=False)
        n_due = self._steps.due(len(self._may_receive()[1]))
        self._by_steps(self._steps.common())
        if not self._announced.can_run_short or (self._mix is None and len(self._stub) > n_due):
            self._fail(Fault.BAD_RESHUFFLE, "one card for all was dealt though the stub had enough")
        self._end_mix(n_due)
        self._see(self._stub.take(event.common_card_dealt.card, "the common card"))

    def _reshuffled(self, event: TableEvent) -> None:
        if self._mix is not None:
            self._fail(Fault.BAD_RESHUFFLE, "the stub was mixed anew twice with nothing dealt between")
        self._mix = _Mix(event.stub_reshuffled.count)
        self._n_mixes += 1
        if not self._announced.can_run_short:
            problem = "the stub was mixed anew though no order for it was sealed before the cut"
        else:
            problem = "the stub was mixed anew more often than a deal has orders" if self._n_mixes > _MIXES_MAX else ""
        self._fail(Fault.BAD_RESHUFFLE, problem)
        self._steps.mixed()

    def _carry_out_mix(self, *, is_draw: bool, drawer: int = -1) -> None:
        """Mix the stub as it was announced, now that is known for what."""
        mix, stub = self._mix, self._stub
        if mix is None or mix.n_left >= 0:
            return
        mix.n_left = n_left = len(stub)
        known = self._announced.tells_folds
        hands = [seat for seat in (self._folded if known else self._held) if seat != drawer]
        folded = [one for seat in hands for one in self._held.get(seat, [])]
        n_out, n_folded = len(stub.out_of_play), len(folded)
        is_under = n_out + (n_folded if known else 0) <= mix.count <= n_out + n_folded and mix.count > 0
        # Before the last cards of stud: burns and what is left, without folded hands (GAME-ST-17).
        is_whole = not is_draw and n_left <= 1 and mix.count == n_left + n_out
        if not is_under and not is_whole:
            self._fail(Fault.BAD_RESHUFFLE, f"{mix.count} cards were mixed anew, {n_out + n_folded} were out of play")
            stub.mix_anything()
        elif is_under and is_whole:  # Nobody can tell which of the two it was.
            stub.mix_whole([*stub.out_of_play, *folded], n_left + mix.count)
        elif is_whole:
            folded = []
            stub.mix_whole(stub.out_of_play, mix.count)
        else:
            stub.mix_under([*stub.out_of_play, *folded], mix.count)
        gone = frozenset[int]().union(*(one.ids for one in (*stub.out_of_play, *folded)))
        self._away = {card: one for card, one in self._away.items() if not one.ids & gone}
        stub.out_of_play = []
        if known and folded:
            self._held |= {seat: [] for seat in hands}

    def _end_mix(self, n_cards: int) -> None:
        """The step that the stub was mixed for takes so many cards: before it there were not more."""
        mix, self._mix = self._mix, None
        if mix is not None and mix.n_left > mix.n_taken + n_cards:
            self._fail(Fault.BAD_RESHUFFLE, f"the stub was mixed anew though it had {mix.n_left} cards left")

    def _see(self, held: Held) -> None:
        card = held.card
        if card == Card.CARD_HIDDEN:
            return
        exact = next(iter(held.places)) if len(held.places) == 1 else -1
        seen = SeenCard(exact, card, held.words, ANYWHERE if exact >= 0 else held.places, held.is_straight)
        if seen not in self._cards:
            self._cards.append(seen)
        before = self._away.setdefault(card, held)
        if not before.ids & held.ids:
            self._fail(Fault.CARD_TWICE, f"{face_text(card)} was both {before.words} and {held.words}")


_TAKES_CARDS: Final = frozenset({"cards_burned", "board_dealt", "common_card_dealt", "cards_drawn"})
_HANDLERS: Final = {
    "cards_burned": _Walk._burned,  # noqa: SLF001 - this module's own
    "board_dealt": _Walk._board,  # noqa: SLF001
    "common_card_dealt": _Walk._common_card,  # noqa: SLF001
    "stub_reshuffled": _Walk._reshuffled,  # noqa: SLF001
    "choice_made": _Walk._choice_made,  # noqa: SLF001
    "cards_drawn": _Walk._cards_drawn,  # noqa: SLF001
    "cards_passed": _Walk._cards_passed,  # noqa: SLF001
    "hand_shown": _Walk._shown,  # noqa: SLF001
    "player_folded": _Walk._player_folded,  # noqa: SLF001
    "player_bet": _Walk._wagered,  # noqa: SLF001
    "player_raised": _Walk._wagered,  # noqa: SLF001
    "bring_in_posted": _Walk._wagered,  # noqa: SLF001
}
