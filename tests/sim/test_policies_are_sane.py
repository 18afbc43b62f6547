from __future__ import annotations

from collections import Counter

import pytest

from homegame_engine import catalog
from homegame_engine.actions import AnyAction, Bet, Call, Check, Fold, Muck, Raise, Show
from homegame_engine.cards import parse_cards
from homegame_engine.errors import InputError
from homegame_engine.session import NO_CUTOFF, Session
from homegame_sim.philox import DECISION, Stream
from homegame_sim.policies import POLICIES, choose_action, policy_code, rate_hole_cards, rate_made_hand
from tests.sim.conftest import variant_of_b1

NOTHING, DRAW, MEDIUM, GOOD, STRONG = range(5)


def stacked_deck(*hole_cards: str, board: str = "") -> bytes:
    """Return a deck for seats 0, 1, ... with the button at the last seat: the given cards, the others in order."""
    hands = [parse_cards(text) for text in hole_cards]
    front = [hand[i] for i in range(2) for hand in hands]
    common = list(parse_cards(board)) if board else []
    left = [card for card in range(52) if card not in front and card not in common]
    order = list(front)
    for n_cards in (3, 1, 1):
        order.append(left.pop())
        order += [common.pop(0) if common else left.pop() for _ in range(n_cards)]
    return bytes(order + left)


def start(deck: bytes, n_seats: int, keys: str = "") -> Session:
    spec = variant_of_b1(keys)
    session = Session.create(
        spec,
        catalog.game("HOLDEM"),
        catalog.house(spec.house),
        n_seats=n_seats,
        seated_mask=(1 << n_seats) - 1,
        first_button=n_seats - 1,
    )
    session.post_cutoff(NO_CUTOFF)
    session.start_hand(0, deck)
    return session


def stream(hand: int = 0) -> Stream:
    return Stream(seed=1, block=0, purpose=DECISION, hand=hand)


def decide(policy: str, session: Session) -> AnyAction:
    return choose_action(policy, session, stream())


def test_always_fold_checks_where_the_house_has_no_free_fold() -> None:
    session = start(stacked_deck("AsAh", "KsKh", "QsQh"), 3)
    assert decide("fold", session) == Fold()
    session.apply(session.actor, Fold())
    session.apply(session.actor, Call(call_chips=1))
    assert session.legal_actions().kinds[0] == "check"
    assert decide("fold", session) == Check()


def test_always_fold_folds_for_free_where_the_house_allows_it() -> None:
    session = start(stacked_deck("AsAh", "KsKh", "QsQh"), 3, 'house = "CLUB"\n')
    session.apply(session.actor, Fold())
    session.apply(session.actor, Call(call_chips=1))
    assert decide("fold", session) == Fold()


def test_always_call_never_bets_raises_or_folds() -> None:
    session = start(stacked_deck("AsAh", "KsKh", "QsQh"), 3)
    seen = set()
    while session.hand_is_live:
        action = decide("call", session)
        seen.add(type(action))
        session.apply(session.actor, action)
    assert seen == {Call, Check, Show}


def test_random_picks_each_legal_kind_equally_often() -> None:
    session = start(stacked_deck("AsAh", "KsKh", "QsQh"), 3)
    chosen = Counter(type(choose_action("random", session, stream(hand))) for hand in range(6000))
    assert set(chosen) == {Fold, Call, Raise}
    assert all(abs(n - 2000) < 5 * 37 for n in chosen.values())  # Binomial: standard deviation 36.5.


def test_random_spreads_a_free_amount_over_its_whole_range() -> None:
    session = start(stacked_deck("AsAh", "KsKh", "QsQh"), 3, '[betting]\nstructure = "NO_LIMIT"\n[start]\nchips = 8\n')
    legal = session.legal_actions()
    actions = [choose_action("random", session, stream(hand)) for hand in range(3000)]
    totals = {action.to_chips for action in actions if isinstance(action, Raise)}
    assert legal.raise_to_min_chips is not None
    assert legal.raise_to_max_chips is not None
    assert totals == set(range(legal.raise_to_min_chips, legal.raise_to_max_chips + 1))


@pytest.mark.parametrize("policy", ["tight", "loose"])
def test_threshold_policies_raise_aces_and_fold_rags(policy: str) -> None:
    assert isinstance(decide(policy, start(stacked_deck("KsQs", "9d2c", "AsAh"), 3)), Raise)
    assert decide(policy, start(stacked_deck("AsAh", "KsKh", "7d2c"), 3)) == Fold()


def test_loose_plays_hands_that_tight_folds() -> None:
    session = start(stacked_deck("AsAh", "KsKh", "9h8c"), 3)
    assert decide("tight", session) == Fold()
    assert decide("loose", session) == Call(call_chips=2)


@pytest.mark.parametrize("policy", ["tight", "loose"])
def test_threshold_policies_bet_sets_and_give_up_nothing(policy: str) -> None:
    session = start(stacked_deck("8s8h", "Kd3c", "7d2c", board="8dKcQsAh2h"), 3)
    session.apply(2, Fold())
    session.apply(0, Call(call_chips=1))
    session.apply(1, Check())
    assert decide(policy, session) == Bet(to_chips=2)
    session = start(stacked_deck("5s4h", "Kd3c", "7d2c", board="8dKcQsAh2h"), 3)
    session.apply(2, Fold())
    session.apply(0, Call(call_chips=1))
    session.apply(1, Check())
    assert decide(policy, session) == Check()
    session.apply(0, Check())
    session.apply(1, Bet(to_chips=2))
    assert decide(policy, session) == Fold()


@pytest.mark.parametrize("policy", ["tight", "loose"])
def test_the_choice_depends_on_nothing_that_the_seat_cannot_see(policy: str) -> None:
    chosen = set()
    for others in (("AsAh", "KsKh"), ("2c3d", "4c5d"), ("9h9s", "Qh2s")):
        session = start(stacked_deck(*others, "JdTc"), 3)
        chosen.add(decide(policy, session))
    assert len(chosen) == 1


@pytest.mark.parametrize(
    ("better", "worse"),
    [("AsAh", "KsKh"), ("2s2h", "7d2c"), ("AsKs", "AsKh"), ("AsKh", "AsQh"), ("JsTs", "Js9s"), ("9s8s", "9s4s")],
)
def test_private_cards_are_rated_in_a_sane_order(better: str, worse: str) -> None:
    assert rate_hole_cards(parse_cards(better)) > rate_hole_cards(parse_cards(worse))


def test_aces_have_the_highest_rating_and_rags_the_lowest() -> None:
    assert rate_hole_cards(parse_cards("AsAh")) == 40
    assert rate_hole_cards(parse_cards("7d2c")) == 0


@pytest.mark.parametrize(
    ("hole_cards", "board", "strength"),
    [
        ("8s8h", "8dKcQs", STRONG),  # A set.
        ("8s7h", "8d7cQs", STRONG),  # Two pair.
        ("AsTh", "8d8cQsQh", DRAW),  # The board's two pair.
        ("QdTh", "8d8cQs2h", STRONG),  # Two pair with the board's.
        ("KdTh", "8d4cKs", GOOD),  # Top pair.
        ("8sTh", "8d4cKs", MEDIUM),  # A lower pair.
        ("AsAh", "8d4cKs", GOOD),  # Over the board.
        ("9s9h", "8d4cKs", MEDIUM),  # Under its highest card.
        ("AsQh", "8d8cKs", DRAW),  # The board's pair.
        ("Ts9s", "8s2sKd", MEDIUM),  # Four of a suit.
        ("Ts9h", "8d7c2s", MEDIUM),  # Open at both ends.
        ("AsQh", "8d7c2s", DRAW),  # Two cards over the board.
        ("Ts9h", "2d5cKs", NOTHING),
        ("Ts9s", "8s2sKd4h3c", NOTHING),  # The draw that did not come.
        ("2c2d", "TsJsQsKsAs", MEDIUM),  # Everybody's royal flush.
        ("9h8d", "ThJcQsKs2d", STRONG),
    ],
)
def test_made_hands_have_the_strength_that_their_player_contributes(hole_cards: str, board: str, strength: int) -> None:
    assert rate_made_hand(parse_cards(hole_cards), parse_cards(board)) == strength


def test_an_unknown_policy_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="fold, call, random, tight, loose"):
        policy_code("clever")
    assert sorted(POLICIES) == ["call", "fold", "loose", "random", "tight"]


def test_nobody_chooses_between_hands_and_wrong_cards_are_refused() -> None:
    session = start(stacked_deck("AsAh", "KsKh"), 2)
    session.apply(session.actor, Fold())
    with pytest.raises(InputError):
        decide("call", session)
    with pytest.raises(InputError):
        rate_hole_cards(())
    with pytest.raises(InputError):
        rate_made_hand((0, 1), (2,))


def test_every_live_hand_is_shown_proc_show_04() -> None:
    session = start(stacked_deck("AsAh", "KsKh", "QsQh"), 3)
    while session.hand_is_live:
        action = decide("call", session)
        assert not isinstance(action, Muck)
        session.apply(session.actor, action)
    assert session.hand is not None
    assert session.hand.shown_mask == 0b111
