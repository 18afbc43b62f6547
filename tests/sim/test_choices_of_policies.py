"""What the policies do where a game asks for more than wagers: draws, discards, passes, declarations, bring-ins."""

from __future__ import annotations

from collections import Counter

import pytest

from homegame_engine import catalog
from homegame_engine.actions import (
    AnyAction,
    BringIn,
    Call,
    Check,
    Complete,
    Declare,
    Discard,
    Draw,
    Fold,
    PassCards,
)
from homegame_engine.cards import parse_cards
from homegame_engine.errors import InputError
from homegame_engine.session import NO_CUTOFF, Session
from homegame_engine.stakes import level_rules
from homegame_sim.philox import DECISION, Stream
from homegame_sim.policies import choose_action
from homegame_sim.yardstick import MeasuredGame

THRESHOLDS = ["tight", "loose"]


def stream(hand: int = 0) -> Stream:
    return Stream(seed=1, block=0, purpose=DECISION, hand=hand)


def start(table: str, hole_cards: str, board: str = "") -> Session:
    """Two seats, and a deck that gives seat 0 these cards, who chooses before the button at seat 1, and then turns this board."""
    spec = catalog.format_by(table)
    game, house = catalog.game(spec.blocks[0].game), catalog.house(spec.house)
    session = Session.create(spec, game, house, n_seats=2, seated_mask=3, first_button=1)
    session.post_cutoff(NO_CUTOFF)
    own, common = parse_cards(hole_cards), parse_cards(board) if board else ()
    first_card = 52 - game.deck.cards
    left = [card for card in range(first_card, 52 + game.deck.jokers) if card not in own and card not in common]
    order = [card for mine in own for card in (mine, left.pop())]
    order += [left.pop(0), *common]  # A burn before the flop.
    session.start_hand(0, bytes(order + left))
    return session


def play_to_the_choice(session: Session) -> Session:
    """Check or call until something else is due of seat 0."""
    while session.hand_is_live:
        legal = session.legal_actions()
        if session.actor == 0 and {"draw", "discard", "pass", "declare"} & set(legal.kinds):
            return session
        session.apply(session.actor, passive(session))
    raise AssertionError("the hand ended without a choice")


def passive(session: Session) -> AnyAction:
    return choose_action("call", session, stream())


def chosen(policy: str, table: str, hole_cards: str, board: str = "") -> AnyAction:
    return choose_action(policy, play_to_the_choice(start(table, hole_cards, board)), stream())


def cards(text: str) -> tuple[int, ...]:
    return parse_cards(text) if text else ()


@pytest.mark.parametrize("policy", THRESHOLDS)
@pytest.mark.parametrize(
    ("table", "held", "changed"),
    [
        ("FIVE_CARD_DRAW-CLUB", "AsAd7c5h2d", "7c5h2d"),
        ("FIVE_CARD_DRAW-CLUB", "AsAd7c7h2d", "2d"),
        ("FIVE_CARD_DRAW-CLUB", "As9s5s2sKd", "Kd"),
        ("FIVE_CARD_DRAW-CLUB", "As9s5s9dKs", "As5sKs"),  # A pair is worth more than four of a suit.
        ("FIVE_CARD_DRAW-CLUB", "Ts9d8c7h6d", ""),
        ("FIVE_CARD_DRAW-CLUB", "Kd9s5s2c7h", "9s5s2c7h"),
        ("DEUCES_WILD_DRAW-CLUB", "2s9h9d5c4c", "5c4c"),
        ("DEUCES_WILD_DRAW-CLUB", "2s9hKd5c4c", "9h5c4c"),  # The deuce pairs the king.
        ("JOKER_DRAW-CLUB", "X19hKh5h4c", "4c"),  # The joker is the fourth heart.
        ("LOWBALL-CLUB", "As2h3dKc2d", "Kc2d"),
        ("LOWBALL-CLUB", "As2h3d4c8d", ""),
        ("LOWBALL-CLUB", "As2h3d4c9d", "9d"),
        ("DEUCE_TO_SEVEN_SINGLE-CARDROOM", "As2h3d4c8d", "As"),
        ("DEUCE_TO_SEVEN_SINGLE-CARDROOM", "2s3h4d5c6d", "6d"),  # A straight, which is no low.
        ("BADUGI-CARDROOM", "As2d3h4h", "4h"),
        ("BADUGI-CARDROOM", "As2d3h4c", ""),
        ("DRAW_DECLARE-HOUSE_NIGHT", "As2h4dKc6d", "Kc"),  # For low.
        ("DRAW_DECLARE-HOUSE_NIGHT", "KsKh4dKc6d", "4d6d"),  # For high.
    ],
)
def test_game_dc_09_a_draw_keeps_what_the_ranking_asks_for(policy: str, table: str, held: str, changed: str) -> None:
    action = chosen(policy, table, held)
    assert isinstance(action, Draw)
    assert sorted(action.cards) == sorted(cards(changed))


@pytest.mark.parametrize("policy", THRESHOLDS)
@pytest.mark.parametrize(
    ("table", "held", "board", "given"),
    [
        ("IRISH-CLUB", "AsAh7c2d", "9d5hKc", "7c2d"),
        ("IRISH-CLUB", "As7s7h2d", "7d5hKc", "As2d"),
        ("CRAZY_PINEAPPLE-CLUB", "AsKsQd", "9s5s2h", "Qd"),
    ],
)
def test_game_disc_01_a_discard_keeps_the_best_hand(policy: str, table: str, held: str, board: str, given: str) -> None:
    action = chosen(policy, table, held, board)
    assert isinstance(action, Discard)
    assert len(action.cards) == len(cards(given))
    if table.startswith("IRISH"):
        assert sorted(action.cards) == sorted(cards(given))


@pytest.mark.parametrize("policy", THRESHOLDS)
def test_what_is_passed_on_is_what_helps_least(policy: str) -> None:
    action = chosen(policy, "ANACONDA-CLUB", "AsAdAc9h9c5d2s")
    assert isinstance(action, PassCards)
    assert {card for card in action.cards if card in cards("AsAdAc")} == set()


@pytest.mark.parametrize("policy", THRESHOLDS)
@pytest.mark.parametrize(
    ("house", "held", "half"),
    [
        ("HOUSE_NIGHT", "As2d3c4h6d", "LOW"),
        ("HOUSE_NIGHT", "KsKdKc4h4d", "HIGH"),
        ("HOUSE_NIGHT", "KsKd9c7h2d", "HIGH"),
        ("POINTS_NIGHT", "As2s3s4s5s", "BOTH"),
        ("HOUSE_NIGHT", "As2s3s4s5s", "HIGH"),  # Where straights and flushes are no low (GAME-DC-11).
    ],
)
def test_game_decl_01_the_better_half_is_declared(policy: str, house: str, held: str, half: str) -> None:
    session = play_to_the_choice(start(f"DRAW_DECLARE-{house}", held))
    session.apply(0, Draw(cards=()))
    assert choose_action(policy, play_to_the_choice(session), stream()) == Declare(half=half)


def stud(up: str, *hidden: str) -> Session:
    """Three seats of stud at the club with these up cards; the button is at the last seat."""
    spec = catalog.format_by("STUD7-CLUB")
    session = Session.create(
        spec, catalog.game("STUD7"), catalog.house("CLUB"), n_seats=3, seated_mask=7, first_button=2
    )
    session.post_cutoff(NO_CUTOFF)
    hands = [parse_cards(text) for text in hidden]
    front = [hand[i] for i in range(2) for hand in hands] + list(parse_cards(up))
    session.start_hand(0, bytes(front + [card for card in range(52) if card not in front]))
    return session


def test_game_st_05_who_owes_the_bring_in_posts_it_or_completes_with_a_good_hand() -> None:
    weak = stud("2cKdQh", "9s4h", "7s6d", "JsTd")
    assert weak.actor == 0
    assert {policy: choose_action(policy, weak, stream()) for policy in ("fold", "call", "tight", "loose")} == {
        policy: BringIn() for policy in ("fold", "call", "tight", "loose")
    }
    strong = stud("2cKdQh", "2s2h", "7s6d", "JsTd")
    assert [choose_action(policy, strong, stream()) for policy in THRESHOLDS] == [Complete(), Complete()]
    seen = {type(choose_action("random", weak, stream(hand))) for hand in range(50)}
    assert seen == {BringIn, Complete}


def test_who_is_behind_the_bring_in_folds_calls_or_completes() -> None:
    session = stud("2cKd8h", "9s4h", "KsKh", "7s4d")
    session.apply(0, BringIn())
    assert [choose_action(policy, session, stream()) for policy in THRESHOLDS] == [Complete(), Complete()]
    session.apply(1, Complete())
    assert choose_action("tight", session, stream()) == Fold()
    assert isinstance(choose_action("call", session, stream()), Call)
    assert choose_action("fold", session, stream()) == Fold()


# --- At random, and as the clock does ---------------------------------------------------------------------------------


def test_random_changes_each_number_of_cards_and_each_card_equally_often() -> None:
    session = play_to_the_choice(start("FIVE_CARD_DRAW-CLUB", "AsAd7c5h2d"))
    actions = [choose_action("random", session, stream(hand)) for hand in range(6000)]
    numbers = Counter(len(action.cards) for action in actions if isinstance(action, Draw))
    assert set(numbers) == set(range(6))
    assert all(abs(n - 1000) < 5 * 29 for n in numbers.values())  # Binomial: standard deviation 28.9.
    each = Counter(card for action in actions if isinstance(action, Draw) for card in action.cards)
    assert all(abs(n - 3000) < 5 * 39 for n in each.values())


def test_random_declares_each_half_equally_often() -> None:
    session = play_to_the_choice(start("DRAW_DECLARE-HOUSE_NIGHT", "AsAd7c5h2d"))
    session.apply(0, Draw(cards=()))
    session = play_to_the_choice(session)
    halves = Counter(
        action.half
        for action in (choose_action("random", session, stream(hand)) for hand in range(3000))
        if isinstance(action, Declare)
    )
    assert set(halves) == {"LOW", "HIGH", "BOTH"}
    assert all(abs(n - 1000) < 5 * 26 for n in halves.values())


@pytest.mark.parametrize("policy", ["fold", "call"])
def test_the_plain_policies_choose_as_the_clock_would_game_disc_02(policy: str) -> None:
    for table, held, board in (
        ("FIVE_CARD_DRAW-CLUB", "AsAd7c5h2d", ""),
        ("IRISH-CLUB", "AsAh7c2d", "9d5hKc"),
        ("ANACONDA-CLUB", "AsAdAc9h9c5d2s", ""),
    ):
        session = play_to_the_choice(start(table, held, board))
        assert choose_action(policy, session, stream()) == session.timeout_action(0)


def test_who_could_not_know_of_it_does_not_go_by_it() -> None:
    # The other hand and the cards to come differ; what seat 0 sees does not.
    session = play_to_the_choice(start("FIVE_CARD_DRAW-CLUB", "AsAd7c5h2d"))
    spec = catalog.format_by("FIVE_CARD_DRAW-CLUB")
    other = Session.create(
        spec, catalog.game("FIVE_CARD_DRAW"), catalog.house("CLUB"), n_seats=2, seated_mask=3, first_button=1
    )
    other.post_cutoff(NO_CUTOFF)
    own = parse_cards("AsAd7c5h2d")
    left = [card for card in range(52) if card not in own]
    other.start_hand(0, bytes([card for mine in own for card in (mine, left.pop(0))] + left))
    for policy in ("random", "tight", "loose"):
        assert choose_action(policy, session, stream()) == choose_action(policy, play_to_the_choice(other), stream())


# --- The yardstick ----------------------------------------------------------------------------------------------------


def measured(table: str) -> MeasuredGame:
    spec = catalog.format_by(table)
    house = catalog.house(spec.house)
    return MeasuredGame(catalog.game(spec.blocks[0].game), level_rules(house, spec.levels[0], spec.betting.structure))


def test_better_hands_stand_higher_and_after_the_draw_every_hand_stands_lower() -> None:
    yardstick = measured("FIVE_CARD_DRAW-CLUB")
    hands = [parse_cards(text) for text in ("9d8c6h4s2d", "7s7d9c5h2d", "AsAd7c5h2d", "7s7d9c9h2d", "7s7d7c9h2d")]
    before = [yardstick.standings(1, hand)[0] for hand in hands]
    after = [yardstick.standings(3, hand)[0] for hand in hands]
    assert before == sorted(before)
    assert after == sorted(after)
    assert all(late < early for late, early in zip(after, before, strict=True))


def test_both_halves_have_a_standing_of_their_own() -> None:
    yardstick = measured("DRAW_DECLARE-HOUSE_NIGHT")
    high, low = yardstick.standings(4, parse_cards("As2d3c4h6d"))
    assert low > 900 > high
    assert measured("FIVE_CARD_DRAW-CLUB").standings(1, parse_cards("As2d3c4h6d"))[1] == 0


def test_a_step_at_which_nobody_decides_has_no_standing() -> None:
    yardstick = measured("FIVE_CARD_DRAW-CLUB")
    for step in (-1, 0, 4):
        with pytest.raises(InputError):
            yardstick.standings(step, parse_cards("As2d3c4h6d"))
    with pytest.raises(InputError):
        yardstick.standings(1, parse_cards("As2d3c4h6d7c8c9c"))


def test_checks_are_what_always_call_does_without_a_wager() -> None:
    session = start("FIVE_CARD_DRAW-HOUSE_NIGHT", "AsAd7c5h2d")
    assert passive(session) == Check()
