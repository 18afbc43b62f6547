"""One random hand of any game that pokerkit has, played at both tables at once and compared at every step."""

from __future__ import annotations

import collections
import functools
import random
import warnings
from typing import TYPE_CHECKING

from homegame_engine import catalog
from homegame_engine.actions import AnyAction, Bet, BringIn, Call, Check, Complete, Draw, Fold, LegalActions, Raise
from homegame_engine.events import (
    AnyEvent,
    BringInPosted,
    LayerAwarded,
    PlayerBet,
    PlayerRaised,
    StubReshuffled,
)
from homegame_engine.hand import Hand
from homegame_engine.specs import BettingStreet
from tests.engine.differential.pokerkit_habits import (
    AWARD_HABITS,
    COMMON_CARD_OPENS,
    FOLDED_HANDS_STAY_OUT,
    LONE_SEAT,
    Decision,
    Showdown,
    StreetHistory,
    exposed_opener,
    name_of_difference,
    totals,
)
from tests.engine.differential.pokerkit_table import CARDS, PokerkitTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from tests.engine.differential.pokerkit_games import Pairing, Ranker, Sizes
    from tests.engine.differential.pokerkit_table import Parts

RARELY = 0.15
OFTEN = 0.45
N_MIX_ORDERS = 4
N_SHORT_DECK = 36


class Lockstep:
    """One hand at both tables.

    `names` counts the differences by the rule that makes them, `met` the situations in which the tables agreed.
    """

    def __init__(self, pairing: Pairing, seed: int) -> None:
        self.pairing = pairing
        self.seed = seed
        self.chance = random.Random(f"{pairing.name} {seed}")  # noqa: S311 - a test's hands, no secret
        self.names: collections.Counter[str] = collections.Counter()
        self.met: collections.Counter[str] = collections.Counter()
        game = catalog.game(pairing.game_id)
        self.n_seats = self.chance.randint(game.players.min, game.players.max)
        self.button = self.chance.randrange(self.n_seats)
        sizes = pairing.sizes(self.chance)
        self.stacks = self.random_stacks(sizes)
        self.rules = pairing.rules(sizes)
        self.streets = [step for step in game.steps if isinstance(step, BettingStreet)]
        deck = list(range(52))[-game.deck.cards :]
        self.chance.shuffle(deck)
        orders = [bytes(self.chance.sample(range(len(deck)), len(deck))) for _ in range(N_MIX_ORDERS)]
        self.hand = Hand.start(
            game,
            self.rules,
            stacks=self.stacks,
            button=self.button,
            deck_order=bytes(deck),
            mix_orders=b"".join(orders),
        )
        self.won: Parts = {"HIGH": (0,) * self.n_seats, "LOW": (0,) * self.n_seats}
        self.theirs = PokerkitTable(pairing, sizes, self.stacks, button=self.button)
        self.take(self.hand.take_events())
        self.theirs.deal()
        self.street = self.new_street()

    def random_stacks(self, sizes: Sizes) -> list[int]:
        """Short stacks are likely. Whoever owes the big blind or the bring-in can pay it, or is all-in from the ante.

        A forced bet paid in part stands for the whole one (BET-GEN-10, BET-NL-05), pokerkit lowers the price to what was paid:
        from then on the two would play different hands. The rules have their own tests.
        """
        deepest = self.chance.choice([6, 20, 100]) * (sizes.big_blind or sizes.small_bet)
        stacks = [self.chance.randint(1, deepest) + self.chance.choice([0, sizes.ante]) for _ in range(self.n_seats)]
        if sizes.bring_in:
            least = sizes.ante + sizes.bring_in
            return [stack if stack <= sizes.ante or stack >= least else least for stack in stacks]
        big_blind_seat = (self.button + (1 if self.n_seats == 2 else 2)) % self.n_seats
        stacks[big_blind_seat] = max(stacks[big_blind_seat], sizes.ante + sizes.big_blind)
        return stacks

    def new_street(self) -> StreetHistory:
        street = self.streets[self.hand.street]
        is_late = self.pairing.structure == "FIXED_LIMIT" and street.size == "BIG"
        has_blinds = self.hand.street == 0 and self.pairing.opens == "BLINDS"
        level_chips = max(self.hand.street_chips)
        return StreetHistory(
            increment_chips=self.rules.big_bet_chips if is_late else self.rules.small_bet_chips,
            level_chips=level_chips,
            full_level_chips=level_chips,
            has_blinds=has_blinds,
            completes=self.hand.street == 0 and not has_blinds,
        )

    def where(self) -> str:
        return f"{self.pairing.name} seed {self.seed}, street {self.hand.street}, seat {self.hand.actor}"

    def take(self, events: Sequence[AnyEvent]) -> None:
        """Note what the engine dealt and paid."""
        self.theirs.take(events)
        for event in events:
            if isinstance(event, StubReshuffled):
                self.met["reshuffle"] += 1
            elif isinstance(event, LayerAwarded):
                part = "LOW" if event.part == "LOW" else "HIGH"
                won = list(self.won[part])
                for share in event.shares:
                    won[share.seat] += share.chips
                self.won[part] = tuple(won)

    def apply(self, action: AnyAction) -> tuple[AnyEvent, ...]:
        events = self.hand.apply(self.hand.actor, action)
        self.take(events)
        return events

    def play(self) -> collections.Counter[str]:
        """Play to the end; returns the names of the differences."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pokerkit warns of cards from a reshuffled stub.
            while not self.hand.is_over:
                street = self.hand.street
                self.pass_lone_seat()
                self.compare_open_cards()
                self.step()
                if self.hand.street != street:
                    self.street = self.new_street()
            self.pass_lone_seat()
        assert not self.theirs.state.status, self.where()
        self.compare_results()
        return +self.names

    def step(self) -> None:
        legal = self.hand.legal_actions()
        if "draw" in legal.kinds:
            self.draw(legal)
            return
        self.compare_actors()
        assert self.theirs.call_chips == (0 if "bring_in" in legal.kinds else legal.call_chips), self.where()
        assert self.theirs.bring_in_chips == legal.bring_in_chips, self.where()
        decision = self.decision(legal)
        theirs = self.theirs.wager_range
        if decision.ours != theirs:
            name = name_of_difference(decision, theirs, self.street)
            assert name is not None, f"{self.where()}: {decision}, theirs {theirs}, {self.street}"
            self.names[name] += 1
        both = self.totals_of_both(decision, theirs)
        if both and self.chance.random() < OFTEN:
            self.wager(legal, self.chance.choice(both))
        elif "bring_in" in legal.kinds:
            events = self.apply(BringIn())
            self.theirs.bring_in()
            posted = next(event for event in events if isinstance(event, BringInPosted))
            self.street.bring_in(posted.seat, posted.chips)
        elif legal.call_chips and self.chance.random() < RARELY:
            self.apply(Fold())
            self.theirs.fold()
        else:
            self.apply(Call(call_chips=legal.call_chips) if legal.call_chips else Check())
            self.theirs.check_or_call()
            self.street.call_or_check(legal.seat, legal.call_chips)

    def draw(self, legal: LegalActions) -> None:
        """Change any number of cards."""
        assert self.theirs.drawer == legal.seat, self.where()
        assert self.theirs.hole_cards(legal.seat) == self.hand.hole_cards(legal.seat), self.where()
        held = self.hand.hole_cards(legal.seat)
        assert (legal.cards_min, legal.cards_max) == (0, len(held)), self.where()
        cards = tuple(self.chance.sample(held, self.chance.randint(0, len(held))))
        self.apply(Draw(cards=cards))
        self.theirs.draw(cards)

    def wager(self, legal: LegalActions, total: int) -> None:
        action: AnyAction = Raise(to_chips=total)
        if "complete" in legal.kinds:
            action = Complete()
        elif "bet" in legal.kinds:
            action = Bet(to_chips=total)
        events = self.apply(action)
        self.theirs.wager(total)
        made = next(event for event in events if isinstance(event, PlayerBet | PlayerRaised))
        assert made.to_chips == total, self.where()
        self.street.wager(legal.seat, total, all_in=made.all_in, full=made.full)

    def compare_actors(self) -> None:
        hand = self.hand
        if (
            self.theirs.actor != hand.actor
            and hand.board
            and self.pairing.opens == "BRING_IN"
            and not self.street.acted
        ):
            order = [(self.button + 1 + i) % self.n_seats for i in range(self.n_seats)]
            up_cards = {seat: hand.up_cards(seat) for seat in order if hand.live_mask >> seat & 1}
            with_chips = [seat for seat in up_cards if hand.stacks[seat]]
            lowest = self.streets[hand.street].opens == "WORST_EXPOSED"
            opens = functools.partial(exposed_opener, with_chips=with_chips, lowest=lowest)
            assert self.theirs.actor == opens(up_cards), self.where()
            assert hand.actor == opens({seat: cards + hand.board for seat, cards in up_cards.items()}), self.where()
            self.names[COMMON_CARD_OPENS] += 1
            self.theirs.let_open(hand.actor)
        assert self.theirs.actor == hand.actor, f"{self.where()}, theirs {self.theirs.actor}"

    def compare_open_cards(self) -> None:
        assert self.theirs.board == self.hand.board, self.where()
        for seat in range(self.n_seats):
            assert self.theirs.is_live(seat) == bool(self.hand.live_mask >> seat & 1), self.where()
            if self.theirs.is_live(seat):
                assert self.theirs.up_cards(seat) == self.hand.up_cards(seat), self.where()

    def pass_lone_seat(self) -> None:
        """Pokerkit asks a big blind that faces only all-in players for less; there is nothing to decide."""
        seat = self.theirs.actor
        is_asked = seat == self.hand.actor and "draw" not in self.hand.legal_actions().kinds
        if seat < 0 or is_asked:
            return
        with_chips = [
            rival for rival in range(self.n_seats) if self.theirs.is_live(rival) and self.theirs.stacks[rival]
        ]
        if with_chips == [seat]:
            assert (self.theirs.call_chips, self.theirs.wager_range) == (0, None), self.where()
            self.theirs.check_or_call()
            self.names[LONE_SEAT] += 1

    def decision(self, legal: LegalActions) -> Decision:
        hand, seat = self.hand, legal.seat
        all_in = [chips + stack for chips, stack in zip(hand.street_chips, hand.stacks, strict=True)]
        rivals = [total for rival, total in enumerate(all_in) if rival != seat and hand.live_mask >> rival & 1]
        small_blind_chips = min(
            self.rules.small_blind_chips, self.stacks[hand.small_blind_seat] - self.rules.ante_chips
        )
        return Decision(
            structure=self.pairing.structure,
            legal=legal,
            own_chips=hand.street_chips[seat],
            all_in_chips=all_in[seat],
            rivals_all_in_chips=max(rivals),
            pot_chips=hand.pot_chips,
            missing_blind_chips=self.rules.small_blind_chips - max(0, small_blind_chips),
        )

    def totals_of_both(self, decision: Decision, theirs: tuple[int, int] | None) -> list[int]:
        """Totals that both tables accept: the ends, one between, and all-in."""
        if decision.ours is None or theirs is None:
            return []
        least, greatest = max(decision.ours[0], theirs[0]), min(decision.ours[1], theirs[1])
        if least > greatest:
            return []
        return [least, least, greatest, self.chance.randint(least, greatest)]

    def compare_results(self) -> None:
        """Hold both divisions against one by pokerkit's evaluators: the engine's with no habit of pokerkit, its own with them.

        Parts are compared where both build the same: pokerkit gives chips that only one seat can win back before it divides.
        """
        hand = self.hand
        showdown = self.showdown()
        assert showdown.divide() == self.won, f"{self.where()}: ours {self.won}, {showdown}"
        before_award = [stack - won for stack, won in zip(hand.stacks, totals(self.won), strict=True)]
        theirs = tuple(stack - before for stack, before in zip(self.theirs.stacks, before_award, strict=True))
        names = showdown.names(theirs)
        assert names is not None, f"{self.where()}: theirs {theirs}, {showdown}"
        self.names.update(names)
        self.names[FOLDED_HANDS_STAY_OUT] += self.theirs.has_changed_to_common_card
        if len(showdown.paid_from) > 1 and all(mask.bit_count() > 1 for _, mask in showdown.layers):
            awards = self.theirs.awards
            assert showdown.divide(AWARD_HABITS) == awards, f"{self.where()}: theirs {awards}, {showdown}"
        self.met["hand"] += 1
        self.met["side pot"] += len(hand.layers) > 1
        self.met["low half"] += any(self.won["LOW"])
        self.met["showdown"] += hand.live_mask.bit_count() > 1
        self.met["common card"] += bool(hand.board) and self.pairing.opens == "BRING_IN"

    def showdown(self) -> Showdown:
        hand = self.hand
        live = [seat for seat in range(self.n_seats) if hand.live_mask >> seat & 1]
        return Showdown(
            layers=hand.layers,
            order=[(self.button + 1 + i) % self.n_seats for i in range(self.n_seats)],
            hands=self.ranked(self.pairing.rankers, live),
            own_hands=self.ranked(self.pairing.own_rankers, live),
            paid_from=self.theirs.seats_paid_from() & set(live),
        )

    def ranked(self, rankers: Sequence[Ranker], live: Sequence[int]) -> list[Mapping[int, Any]]:
        """The live hands by pokerkit's evaluators, from the engine's cards; nothing where only one is left."""
        board = [CARDS[card] for card in self.hand.board]
        if len(live) == 1:
            return [{} for _ in rankers]
        held = {seat: [CARDS[card] for card in self.hand.hole_cards(seat)] for seat in live}
        return [{seat: ranker.rank(cards, board) for seat, cards in held.items()} for ranker in rankers]
