"""A night under random people, clocks and mistakes, 2 to 10 seats: what holds after every input, accepted or refused.

Chips are conserved (GEN-04); a refusal leaves every byte alone; events and inputs survive their stored form; the inputs folded
into a fresh night give the same events and the same hash after every row; the clock always owes something while a night is
played; nobody is shown a card that is not theirs to see (PROC-PRIV-01, PROC-SHOW-07).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from homegame_engine import events as ev
from homegame_engine.cards import CARD_HIDDEN
from homegame_engine.errors import HomegameError, InvariantError
from homegame_engine.night import AnyInput, Night
from homegame_engine.night import inputs as inp
from homegame_engine.view import project, seen_hole_cards, seen_rank_text, seen_wild_positions
from tests.night_builders import DECISION_MS, HOST, MINUTE_MS, NOON_MS, PAUSE_MS, Row, announcement, person, replay
from tests.strategies import any_inputs, legal_inputs, shuffled_deck

if TYPE_CHECKING:
    from homegame_engine.actions import AnyAction
    from homegame_engine.session import Session

PEOPLE = st.sampled_from([HOST, "watcher", "stranger", *[person(seat) for seat in range(10)]])
DELAYS = st.sampled_from([-20_000, 0, 1, 100, PAUSE_MS, DECISION_MS - 1, DECISION_MS, 2 * DECISION_MS])
NEAR = st.integers(-2, 2)
SEATS = st.one_of(st.none(), st.integers(-1, 10))


def sealed_input(deck_order: bytes) -> inp.SealDeck:
    """The clock's deal; the night does not look into the commitment."""
    return inp.SealDeck(deck_order=deck_order, key=bytes(32), root=bytes(32))


def stored(given: AnyInput) -> AnyInput:
    """The input as a journal gives it back."""
    return msgspec.json.decode(msgspec.json.encode(given), type=AnyInput)


class NightMachine(RuleBasedStateMachine):
    """One night from its announcement on, beside a second one that is fed from what a journal would hold."""

    @initialize(
        n_seats=st.integers(2, 10),
        n_ready=st.one_of(st.integers(2, 10), st.integers(2, 10), st.integers(0, 10)),
        start_chips=st.sampled_from([2, 4, 9, 100]),
        cutoff_after_ms=st.sampled_from([None, 20_000, 10 * MINUTE_MS, 10**9]),
        is_open=st.sampled_from([True, True, True, True, False]),
        format_id=st.sampled_from(["B1", "B3", "B3"]),
        all_agree=st.booleans(),
        tokens=st.sampled_from([0, 1, 3]),
    )
    def announce(
        self,
        n_seats: int,
        n_ready: int,
        start_chips: int,
        cutoff_after_ms: int | None,
        format_id: str,
        tokens: int,
        *,
        is_open: bool,
        all_agree: bool,
    ) -> None:
        self.now_ms = NOON_MS
        cutoff_at_ms = None if cutoff_after_ms is None else NOON_MS + cutoff_after_ms
        created = msgspec.structs.replace(
            announcement(n_seats=n_seats, start_chips=start_chips, cutoff_at_ms=cutoff_at_ms, format_id=format_id),
            time_bank_tokens=tokens,
        )
        self.night, happened = Night.create(created, NOON_MS)
        self.again, _ = Night.create(created, NOON_MS)
        self.rows = [Row(NOON_MS, created, happened, self.night.state_hash())]
        self.feed(inp.JoinNight(participant_id="watcher", name="Wanda"), 0)
        for seat in range(min(n_ready, n_seats)):
            self.feed(inp.JoinNight(participant_id=person(seat), name=f"Player {seat}"), 0)
            self.feed(inp.TakeSeat(participant_id=person(seat)), 0)
            if all_agree:
                assert self.feed(inp.AgreeToResets(participant_id=person(seat), agrees=True), 0) == (format_id == "B3")
        if is_open:
            self.feed(inp.RecordReadAloud(participant_id=HOST), 0)
            self.feed(inp.OpenNight(participant_id=HOST, button_draw=0), 0)

    # --- One input -------------------------------------------------------------------------------------------------------

    def feed(self, given: AnyInput, after_ms: int) -> bool:
        """Give an input and hold what must hold; whether it was accepted."""
        before, owed_before = self.night.encode(), self.night.due()
        at_ms = self.now_ms + after_ms
        try:
            happened = self.night.apply(given, at_ms)
        except InvariantError:
            raise
        except HomegameError:
            assert self.night.encode() == before, "a refusal changed the state"
            assert self.night.due() == owed_before
            return False
        self.now_ms = max(self.now_ms, at_ms)
        row = Row(at_ms, given, happened, self.night.state_hash())
        self.rows.append(row)
        assert self.again.apply(stored(given), at_ms) == happened
        assert self.again.state_hash() == row.state_hash, "the stored input gave another state"
        for event in happened:
            text = msgspec.json.encode(event)
            assert msgspec.json.decode(text, type=ev.AnyEvent) == event
            assert msgspec.json.encode(msgspec.json.decode(text, type=ev.AnyEvent)) == text
        self.nobody_sees_a_hidden_card(happened)
        return True

    def nobody_sees_a_hidden_card(self, happened: tuple[ev.AnyEvent, ...]) -> None:
        """Compare what is projected with the cards themselves."""
        hand = self.night.session.hand if self.night.session is not None else None
        if hand is None:
            return
        seats = range(hand.n_seats)
        common = {
            *hand.board,
            *(card for seat in seats if hand.shown_mask >> seat & 1 for card in hand.hole_cards(seat)),
        }
        for viewer in (None, *seats):
            own = set(hand.hole_cards(viewer)) if viewer is not None else set()
            for event in happened:
                shown = project(event, viewer)
                assert type(shown) is type(event)
                cards = {card for name in ("cards", "best_cards") for card in getattr(shown, name, ())}
                assert cards <= common | own | {CARD_HIDDEN}
                if isinstance(event, ev.HoleCardsDealt):
                    assert (shown == event) == (event.seat == viewer)
                else:
                    assert shown == event
            for seat in seats:
                may_see = seat == viewer or hand.shown_mask >> seat & 1
                seen = seen_hole_cards(hand, seat, viewer)
                assert seen == (hand.hole_cards(seat) if may_see else (CARD_HIDDEN,) * len(seen))
                assert may_see or not seen_rank_text(hand, seat, viewer)
                assert seen_wild_positions(hand, seat, viewer) == ()  # Nothing is wild in this game.

    # --- People ----------------------------------------------------------------------------------------------------------

    @rule(who=PEOPLE, seat=SEATS, after_ms=DELAYS)
    def walk_in(self, who: str, seat: int | None, after_ms: int) -> None:
        self.feed(inp.JoinNight(participant_id=who, name=f"Called {who}"), after_ms)
        self.feed(inp.TakeSeat(participant_id=who, seat=seat), 0)

    @rule(data=st.data(), after_ms=DELAYS, kind=st.sampled_from([inp.LeaveSeat, inp.SitOut, inp.SitIn, inp.SitIn]))
    def come_and_go(
        self, data: st.DataObject, after_ms: int, kind: type[inp.LeaveSeat | inp.SitOut | inp.SitIn]
    ) -> None:
        who = data.draw(
            st.sampled_from([*(p.participant_id for p in self.night.seated.values()), "watcher", "stranger"])
        )
        self.feed(kind(participant_id=who), after_ms)

    @precondition(lambda self: self.night.phase == "POSTED")
    @rule(who=PEOPLE, cutoff_after_ms=st.sampled_from([-1, 0, 60_000, 10**15, 2**70]), draw=st.integers(-1, 10))
    def post_read_and_open(self, who: str, cutoff_after_ms: int, draw: int) -> None:
        self.feed(inp.PostCutoff(participant_id=who, cutoff_at_ms=self.now_ms + cutoff_after_ms), 1)
        self.feed(inp.AcknowledgePosting(participant_id=who), 0)
        self.feed(inp.RecordReadAloud(participant_id=who), 0)
        self.feed(inp.OpenNight(participant_id=who, button_draw=draw), 0)

    # --- Play ------------------------------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        assert self.night.session is not None
        return self.night.session

    def is_played(self) -> bool:
        return self.night.phase == "PLAYING"

    def is_hand_live(self) -> bool:
        return self.is_played() and self.session.hand_is_live

    @precondition(is_played)
    @rule(data=st.data(), n_turns=st.integers(1, 40))
    def play_on(self, data: st.DataObject, n_turns: int) -> None:
        """Legal play, in time, the clock dealing and acting for those who left."""
        for _ in range(n_turns):
            if not self.is_played():
                return
            legal = self.night.legal_actions()
            if legal is None or self.night.seated[self.night.actor].has_left:
                self.the_clock_comes(data.draw(st.integers(0, 2**32 - 1)))
                continue
            if self.cut_is_too_late():
                return
            given = inp.Act(
                participant_id=self.night.seated[self.night.actor].participant_id,
                action_number=self.night.action_number,
                action=data.draw(legal_inputs(legal)),
            )
            deadline_at_ms = self.night.deadline_at_ms
            assert deadline_at_ms is not None
            at_ms = max(self.now_ms, self.night.last_at_ms)
            assert self.feed(given, at_ms - self.now_ms) == (at_ms < deadline_at_ms), (
                "what is listed is accepted in time"
            )
            if at_ms >= deadline_at_ms:
                self.the_clock_comes()

    def cut_is_too_late(self) -> bool:
        """Whether the hand of a sealed deck cannot start any more: then no cut is accepted (PTS-016)."""
        at_ms = max(self.now_ms, self.night.last_at_ms)
        return self.night.sealed is not None and self.session.deal_refusal(at_ms) is not None

    @precondition(lambda self: self.night.session is not None)
    @rule(who=PEOPLE, in_turn=st.sampled_from([True, True, False]), number=NEAR, after_ms=DELAYS)
    def take_time(self, who: str, number: int, after_ms: int, *, in_turn: bool) -> None:
        """PROC-CLK-02: accepted from the seat to act with a token, once a window, before its end."""
        actor = self.night.seated.get(self.night.actor)
        if in_turn and actor is not None:
            who, number = actor.participant_id, 0
        before = self.night.people[who].time_bank_tokens if who in self.night.people else 0
        end_at_ms = self.night.deadline_at_ms
        given = inp.UseTimeBank(participant_id=who, action_number=self.night.action_number + number)
        if self.feed(given, after_ms):
            assert end_at_ms is not None
            assert max(self.now_ms, self.night.last_at_ms) < end_at_ms
            assert self.night.deadline_at_ms == end_at_ms + self.night.created.time_bank_ms
            assert self.night.people[who].time_bank_tokens == before - 1
            assert not self.feed(given, 0), "a window is lengthened once"

    @rule(who=PEOPLE, agrees=st.booleans())
    def agree_to_resets(self, who: str, *, agrees: bool) -> None:
        accepted = self.feed(inp.AgreeToResets(participant_id=who, agrees=agrees), 0)
        assert not accepted or self.night.phase == "POSTED"

    def somebody_is_out(self) -> bool:
        return self.night.session is not None and any(self.session.stacks[seat] == 0 for seat in self.night.seated)

    @precondition(somebody_is_out)
    @rule(who=PEOPLE, is_one_in_need=st.sampled_from([True, True, True, False]))
    def reset(self, who: str, *, is_one_in_need: bool) -> None:
        """PTS-B3-03: accepted exactly once, between hands, from zero, where everybody agreed."""
        busted = [self.night.seated[seat] for seat in sorted(self.night.seated) if self.session.stacks[seat] == 0]
        if is_one_in_need and busted:
            who = busted[0].participant_id
        person_of = self.night.people.get(who)
        may = (
            person_of is not None
            and person_of.seat is not None
            and not person_of.has_left
            and not person_of.has_reset
            and self.night.resets_agreed
            and self.night.phase == "PLAYING"
            and not self.session.hand_is_live
            and self.night.sealed is None
            and self.session.stacks[person_of.seat] == 0
        )
        assert self.feed(inp.ResetStack(participant_id=who), 0) == may

    @rule(who=PEOPLE, number=NEAR, action=any_inputs(), after_ms=DELAYS)
    def act_anyhow(self, who: str, number: int, action: AnyAction, after_ms: int) -> None:
        self.feed(inp.Act(participant_id=who, action_number=self.night.action_number + number, action=action), after_ms)

    @precondition(is_hand_live)
    @rule(action=any_inputs(), after_ms=DELAYS)
    def act_anyhow_in_turn(self, action: AnyAction, after_ms: int) -> None:
        self.act_anyhow(self.night.seated[self.session.actor].participant_id, 0, action, after_ms)

    @rule(seed=st.integers(0, 2**32 - 1), n_cards=st.sampled_from([52, 51, 0]), number=NEAR, after_ms=DELAYS)
    def the_clock_is_wrong(self, seed: int, n_cards: int, number: int, after_ms: int) -> None:
        deck_order = shuffled_deck(seed)[:n_cards]
        given = inp.StartHand(deck_order=deck_order) if seed % 2 else sealed_input(deck_order)
        accepted = self.feed(given, after_ms)
        assert not accepted or n_cards == 52
        self.feed(inp.DrawCut(action_number=self.night.action_number + number, cut_position=seed % 54), 0)
        self.feed(inp.TimeOut(action_number=self.night.action_number + number), 0)
        self.feed(inp.FinishSession(), 0)
        assert not self.feed(self.night.created, 0)

    @precondition(is_played)
    @rule(seed=st.integers(0, 2**32 - 1))
    def the_clock_comes(self, seed: int = 1) -> None:
        """What the clock owes is accepted at the moment it is owed."""
        due = self.night.due(self.now_ms)
        assert due is not None
        owed: dict[str, AnyInput] = {
            "DEAL": sealed_input(shuffled_deck(seed)) if seed % 4 else inp.StartHand(deck_order=shuffled_deck(seed)),
            "CUT": inp.DrawCut(action_number=due.action_number, cut_position=1 + seed % 51),
            "TIME_OUT": inp.TimeOut(action_number=due.action_number),
            "FINISH": inp.FinishSession(),
        }
        if due.kind == "FINISH" and due.at_ms - self.now_ms > MINUTE_MS:
            return
        assert self.feed(owed[due.kind], max(0, due.at_ms - self.now_ms)), "the clock's own input was refused"

    @precondition(lambda self: self.night.session is not None)
    @rule(who=st.one_of(st.just(HOST), PEOPLE))
    def void(self, who: str) -> None:
        accepted = self.feed(inp.VoidHand(participant_id=who, reason="random"), 0)
        assert not accepted or who == HOST

    @rule(after_ms=DELAYS)
    def server_comes_back(self, after_ms: int) -> None:
        self.feed(inp.Resume(), after_ms)

    @rule(who=PEOPLE, how_often=st.integers(0, 9))
    def close(self, who: str, how_often: int) -> None:
        if who != HOST or how_often == 0:  # The host rarely ends the night, or nothing else would happen in it.
            self.feed(inp.CloseNight(participant_id=who), 0)

    # --- What always holds -----------------------------------------------------------------------------------------------

    @invariant()
    def chips_are_conserved(self) -> None:
        session = self.night.session
        if session is None:
            return
        hand = session.hand
        pot_chips = hand.pot_chips if hand is not None and session.hand_is_live else 0
        assert sum(session.stacks) + pot_chips == session.issued_chips
        n_resets = sum(person.has_reset for person in self.night.people.values())
        assert session.issued_chips == (len(self.night.seated) + n_resets) * self.night.created.format.start.chips

    @invariant()
    def the_clock_owes_something_exactly_while_a_night_is_played(self) -> None:
        due = self.night.due(self.now_ms)
        assert (due is not None) == (self.night.phase == "PLAYING")
        if due is None or self.night.session is None:
            return
        assert (due.kind == "TIME_OUT") == self.session.hand_is_live
        assert (due.kind == "CUT") <= (self.night.sealed is not None)
        assert (due.kind == "DEAL") <= (self.night.sealed is None)
        if due.kind == "FINISH":
            too_few = self.session.active_mask.bit_count() < 2
            owed_at_ms = (self.night.deadline_at_ms if self.night.sealed else self.night.next_deal_at_ms) or 0
            assert too_few or max(self.now_ms, owed_at_ms) >= self.session.cutoff_at_ms

    @invariant()
    def somebody_to_act_has_something_to_do(self) -> None:
        if self.night.session is None:
            return
        session = self.session
        assert session.hand_is_live == (session.actor >= 0) == bool(session.legal_actions().kinds)
        is_open = session.hand_is_live or self.night.sealed is not None
        assert (self.night.deadline_at_ms is not None) == is_open == (self.night.actor >= 0)
        assert is_open == (self.night.legal_actions() is not None)
        assert not (session.hand_is_live and self.night.sealed is not None)

    @invariant()
    def a_time_bank_is_never_overdrawn(self) -> None:
        for person_of in self.night.people.values():
            assert 0 <= person_of.time_bank_tokens <= self.night.created.time_bank_tokens
            assert person_of.time_bank_tokens + person_of.tokens_used_in_hand <= self.night.created.time_bank_tokens

    @invariant()
    def the_sheet_is_complete(self) -> None:
        if self.night.session is None:
            return
        assert [row.hand_number for row in self.night.rows] == list(range(1, self.session.hands_completed + 1))
        chips = self.night.created.format.start.chips
        last = tuple(chips if seat in self.night.seated else 0 for seat in range(self.session.n_seats))
        for row in self.night.rows:
            self.only_resets_lie_between(last, row.start_chips)
            last = row.end_chips
        if not self.session.hand_is_live:
            self.only_resets_lie_between(last, self.session.stacks)

    def only_resets_lie_between(self, ended: tuple[int, ...], starts: tuple[int, ...]) -> None:
        """Between two rows a stack is what it was, but for a reset from zero to the start (PTS-B3-03)."""
        chips = self.night.created.format.start.chips
        for seat, (before, after) in enumerate(zip(ended, starts, strict=True)):
            is_reset = (before, after) == (0, chips) and self.night.seated[seat].has_reset
            assert before == after or is_reset

    @invariant()
    def a_result_is_there_exactly_when_the_session_is_over(self) -> None:
        is_over = self.night.session is not None and self.session.is_finished
        assert is_over == (self.night.finished is not None)
        assert is_over <= (self.night.phase in ("FINISHED", "CLOSED"))
        if self.night.session is not None and self.session.has_sole_owner and not self.session.hand_is_live:
            assert is_over or self.night.resets_open()

    def teardown(self) -> None:
        if hasattr(self, "rows"):
            assert replay(self.rows).encode() == self.night.encode()


TestNightMachine = NightMachine.TestCase
TestNightMachine.settings = settings(
    max_examples=150,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
