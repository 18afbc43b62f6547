"""Action in general: BET-GEN-01 to BET-GEN-17 (docs/rules/02-betting-and-pots.md), CARD-07, CARD-08, GEN-04, PROC-CLK-03."""

from __future__ import annotations

import pytest

from homegame_engine import catalog
from homegame_engine.actions import Bet, Call, Check, Fold, Raise, Show
from homegame_engine.cards import full_deck
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.events import (
    BetsCollected,
    BlindPosted,
    CardsBurned,
    HandShown,
    LayerAwarded,
    PlayerRaised,
    ShowdownStarted,
    UncalledReturned,
)
from homegame_engine.hand import Hand
from tests.table_builders import assert_refused, bet, deal, house_rules, open_to, play, street, wager_range


def test_bet_gen_01_action_goes_clockwise() -> None:
    hand = deal([100] * 4, house="POINTS_NIGHT")
    seats = []
    for word in ("c", "c", "c", "k"):
        seats.append(hand.actor)
        play(hand, word)
    assert seats == [3, 0, 1, 2]


def test_bet_gen_01_other_seats_are_out_of_turn() -> None:
    hand = deal([100] * 4)
    for seat in (0, 1, 2):
        assert_refused(hand, Fold(), "OUT_OF_TURN", "BET-GEN-01", seat=seat)


def test_bet_gen_02_facing_a_wager_fold_call_raise() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT")
    assert open_to(hand).kinds == ("fold", "call", "raise")
    assert_refused(hand, "k", "CANNOT_CHECK", "BET-GEN-02")
    assert_refused(hand, "b4", "ACTION_UNKNOWN", "BET-GEN-02")


def test_bet_gen_02_facing_none_check_or_open() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT")
    play(hand, "c c k")
    assert open_to(hand).kinds == ("check", "bet")
    assert_refused(hand, Call(), "NOTHING_TO_CALL", "BET-GEN-02")
    assert_refused(hand, "r2", "ACTION_UNKNOWN", "BET-GEN-02")


def test_bet_gen_02_points_knows_no_fold_when_nothing_is_owed() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT")
    play(hand, "c c k")
    assert_refused(hand, "f", "NOTHING_TO_FOLD", "BET-GEN-02")


@pytest.mark.parametrize("house", ["CLUB", "CASH_NIGHT"])
def test_bet_gen_02_other_houses_allow_the_free_fold(house: str) -> None:
    hand = deal([100] * 3, house=house)
    play(hand, "c c k")
    assert open_to(hand).kinds == ("fold", "check", "bet")
    play(hand, "f")
    assert hand.live_mask == 0b101


def test_bet_gen_03_an_action_is_one_wager_and_a_second_motion_is_refused() -> None:
    hand = deal([100] * 3)
    actor = hand.actor
    play(hand, "r4")
    assert_refused(hand, Raise(to_chips=8), "OUT_OF_TURN", "BET-GEN-01", seat=actor)


def test_bet_gen_03_betting_actions_are_closed_at_showdown() -> None:
    hand = deal([100] * 2)
    play(hand, "c k k k k k k k")
    assert hand.phase == "SHOWDOWN"
    for action in (Fold(), Check(), Call(), Bet(to_chips=2), Raise(to_chips=4)):
        assert_refused(hand, action, "ACTION_CLOSED", "BET-GEN-03")


def test_bet_gen_04_every_accepted_input_moves_the_count_and_a_refused_one_does_not() -> None:
    hand = deal([100] * 3)
    assert hand.action_count == 0
    assert_refused(hand, "k", "CANNOT_CHECK", "BET-GEN-02")
    assert hand.action_count == 0
    play(hand, "c")
    assert hand.action_count == 1


def test_bet_gen_04_a_client_that_saw_an_older_wager_cannot_call_it() -> None:
    hand = deal([100] * 3)
    play(hand, "r6")
    assert_refused(hand, Call(call_chips=1), "STALE_AMOUNT", "BET-NL-11")


def test_bet_gen_05_a_street_ends_when_all_have_acted_and_matched() -> None:
    hand = deal([100] * 3)
    play(hand, "c r6 f")
    assert hand.street == 0
    play(hand, "c")
    assert hand.street == 1


def test_bet_gen_05_a_big_blind_that_was_only_called_still_has_its_turn() -> None:
    hand = deal([100] * 3)
    play(hand, "c c")
    assert (hand.street, hand.actor) == (0, 2)
    assert open_to(hand).kinds == ("fold", "check", "raise")
    play(hand, "k")
    assert hand.street == 1


def test_bet_gen_06_the_last_live_hand_takes_every_layer_without_showing() -> None:
    hand = deal([100] * 3)
    events = play(hand, "r6 f f")
    assert hand.is_over
    assert not any(isinstance(event, (HandShown, ShowdownStarted)) for event in events)
    assert hand.stacks == (103, 99, 98)


def test_bet_gen_06_nothing_happens_in_a_hand_that_is_over() -> None:
    hand = deal([100] * 3)
    play(hand, "r6 f f")
    assert open_to(hand).kinds == ()
    for seat in range(3):
        assert_refused(hand, Check(), "HAND_OVER", "BET-GEN-06", seat=seat)


def test_bet_gen_06_a_folded_seat_is_out_of_the_hand() -> None:
    hand = deal([100] * 4)
    play(hand, "f")
    assert_refused(hand, Check(), "HAND_OVER", "BET-GEN-06", seat=3)


def test_bet_gen_07_the_unmatched_part_returns_before_layers_are_built() -> None:
    hand = deal([100, 40, 100])
    events = play(hand, "r100 c f")
    kinds = [type(event) for event in events]
    assert UncalledReturned(seat=0, chips=60) in events
    assert kinds.index(UncalledReturned) < kinds.index(BetsCollected)
    assert hand.returned == (0, 60)
    assert sum(chips for chips, _ in hand.layers) == 82


def test_bet_gen_08_the_rest_is_dealt_without_action_when_one_player_has_chips() -> None:
    hand = deal([200, 400], cards=["AsAh", "KsKh"], board="2c3d7h8s9c", showdown="AUTO")
    play(hand, "r200 c")
    assert hand.is_over
    assert len(hand.board) == 5


def test_bet_gen_08_a_player_facing_the_wager_still_chooses() -> None:
    hand = deal([20, 400])
    play(hand, "r20")
    assert (hand.actor, open_to(hand).kinds) == (1, ("fold", "call"))


def test_bet_gen_08_nobody_bets_into_players_without_chips() -> None:
    hand = deal([20, 400])
    play(hand, "r20")
    assert wager_range(hand) == "BETTING_CLOSED"
    assert_refused(hand, "r60", "BETTING_CLOSED", "BET-GEN-08")


def test_bet_gen_09_never_more_than_the_stack() -> None:
    hand = deal([100] * 3)
    assert_refused(hand, "r101", "INSUFFICIENT_STACK", "BET-GEN-09")
    assert_refused(hand, Raise(by_chips=99), "INSUFFICIENT_STACK", "BET-GEN-09")
    assert_refused(hand, Raise(to_chips=2**70), "INSUFFICIENT_STACK", "BET-GEN-09")
    play(hand, "r100")
    assert hand.stacks[0] == 0


def test_bet_gen_09_a_call_with_fewer_chips_is_an_all_in_call() -> None:
    hand = deal([100, 30, 100])
    play(hand, "r50")
    assert open_to(hand).call_chips == 29
    assert_refused(hand, Call(call_chips=49), "STALE_AMOUNT", "BET-NL-11")
    play(hand, "c")
    assert hand.all_in_mask == 0b010


@pytest.mark.parametrize("house", ["POINTS_NIGHT", "CLUB"])
def test_bet_gen_10_a_short_blind_posts_what_it_has_and_the_size_stands(house: str) -> None:
    hand = deal([100, 100, 1], house=house)
    assert BlindPosted(seat=2, chips=1, blind="BIG", all_in=True) in hand.take_events()
    assert open_to(hand).call_chips == 2
    assert open_to(hand).raise_to_min_chips == 4


def test_bet_gen_10_a_short_ante_is_all_in() -> None:
    hand = deal([100, 3, 100], antes=[5, 5, 5])
    assert hand.committed_chips == (5, 3, 7)
    assert hand.stacks[1] == 0


@pytest.mark.parametrize("button", [0, 1])
def test_bet_gen_11_heads_up_the_button_is_small_blind_and_acts_first_before_the_flop_only(button: int) -> None:
    hand = deal([100, 100], house="POINTS_NIGHT", button=button)
    assert (hand.small_blind_seat, hand.big_blind_seat) == (button, 1 - button)
    assert hand.actor == button
    play(hand, "c k")
    assert hand.actor == 1 - button
    play(hand, "k k")
    assert hand.actor == 1 - button


def test_bet_gen_11_the_other_player_gets_the_first_card() -> None:
    hand = deal([100, 100], button=1)
    assert hand.hole_positions(0) == (0, 2)
    assert hand.hole_positions(1) == (1, 3)


def test_bet_gen_12_blinds_and_first_action_with_three_or_more() -> None:
    hand = deal([100] * 5, button=2)
    assert (hand.small_blind_seat, hand.big_blind_seat, hand.actor) == (3, 4, 0)
    play(hand, "c c c f k")
    assert hand.actor == 4, "later streets begin with the first live seat left of the button"


def test_bet_gen_12_a_seat_that_is_not_dealt_in_posts_nothing() -> None:
    hand = deal([100, 0, 100, 100])
    assert (hand.small_blind_seat, hand.big_blind_seat, hand.actor) == (2, 3, 0)


def test_bet_gen_13_there_is_no_straddle_nor_any_other_action() -> None:
    hand = deal([100] * 3)
    assert_refused(hand, Show(), "ACTION_UNKNOWN", "BET-GEN-13")


def test_bet_gen_14_total_and_step_say_the_same() -> None:
    by_total, by_step = deal([100] * 3), deal([100] * 3)
    assert by_total.take_events() == by_step.take_events()
    total_events = by_total.apply(0, Raise(to_chips=6))
    step_events = by_step.apply(0, Raise(by_chips=4))
    assert (
        total_events == step_events == (PlayerRaised(seat=0, chips=6, to_chips=6, by_chips=4, all_in=False, full=True),)
    )
    assert by_total.encode() == by_step.encode()


@pytest.mark.parametrize("action", [Raise(), Raise(to_chips=6, by_chips=4)])
def test_bet_gen_14_both_or_neither_is_ambiguous(action: Raise) -> None:
    assert_refused(deal([100] * 3), action, "AMBIGUOUS_AMOUNT", "BET-GEN-14")


def test_bet_gen_15_bets_stay_in_front_until_the_street_ends() -> None:
    hand = deal([100] * 3)
    play(hand, "r6 c")
    assert hand.street_chips == (6, 6, 2)
    assert hand.layers == ()
    events = play(hand, "c")
    collected = next(event for event in events if isinstance(event, BetsCollected))
    assert [layer.chips for layer in collected.layers] == [18]
    assert hand.street_chips == (0, 0, 0)


def test_bet_gen_16_all_in_hands_stay_hidden_until_showdown() -> None:
    hand = deal([50, 50], house="POINTS_NIGHT", structure="NO_LIMIT")
    events = play(hand, "r50 c")
    assert hand.phase == "SHOWDOWN"
    assert not any(isinstance(event, HandShown) for event in events)


def test_bet_gen_16_with_allin_face_up_they_are_shown_before_the_board() -> None:
    hand = deal([50, 50], allin_face_up=True)
    kinds = [type(event).__name__ for event in play(hand, "r50 c")]
    assert kinds.index("HandShown") < kinds.index("BoardDealt")
    assert kinds.count("HandShown") == 2


@pytest.mark.parametrize(
    ("word", "reason", "rule_id"), [("r3", "BELOW_MINIMUM", "BET-NL-03"), ("r8", "ABOVE_MAXIMUM", "BET-PL-03")]
)
def test_bet_gen_17_on_screen_a_wrong_size_is_refused_with_the_legal_amounts(
    word: str, reason: str, rule_id: str
) -> None:
    hand = deal([100] * 3, structure="POT_LIMIT", blinds=(1, 2))
    refusal = assert_refused(hand, word, reason, rule_id)
    assert refusal.facts == {"seat": 0, "call_chips": 2, "raise_to_min_chips": 4, "raise_to_max_chips": 7}


def test_proc_clk_03_the_clock_checks_where_nothing_is_owed_and_folds_otherwise() -> None:
    hand = deal([100] * 3, house="POINTS_NIGHT")
    assert hand.timeout_action(0) == Fold()
    play(hand, "c c")
    assert hand.timeout_action(2) == Check()


@pytest.mark.parametrize(("house", "burns"), [("POINTS_NIGHT", [1, 1, 1]), ("CASH_NIGHT", [3, 1, 1])])
def test_card_07_burns_before_flop_turn_and_river(house: str, burns: list[int]) -> None:
    hand = deal([100] * 2, house=house)
    events = play(hand, "c k k k k k k k")
    assert [event.count for event in events if isinstance(event, CardsBurned)] == burns
    first = 2 * 2 + burns[0]
    order = hand.deck_order
    expected = [*range(first, first + 3), first + 3 + burns[1], first + 4 + burns[1] + burns[2]]
    assert list(hand.board) == [order[position] for position in expected]


def test_card_08_the_cards_a_deal_needs_must_be_in_the_deck() -> None:
    rules = house_rules("POINTS_NIGHT", burns=(20, 20, 20))
    with pytest.raises(RuleViolation) as caught:
        Hand.start(catalog.game("HOLDEM"), rules, stacks=[100] * 2, button=0, deck_order=full_deck())
    assert (caught.value.reason, caught.value.rule_id) == ("TOO_MANY_PLAYERS", "CARD-08")


def test_card_08_ten_players_fit_and_eleven_are_no_table() -> None:
    assert deal([100] * 10).n_seats == 10
    with pytest.raises(InputError):
        deal([100] * 11)


def test_gen_04_chips_are_the_same_after_every_input() -> None:
    hand = deal([30, 100, 55, 80], antes=[1, 1, 1, 1])
    for word in ("r10", "r29", "c", "f", "c", "k", "k", "k", "b20", "f", "s", "m"):
        play(hand, word)
        assert hand.total_chips == 265
    assert hand.is_over
    assert sum(hand.stacks) == 265


def test_gen_04_awards_add_up_to_the_pot() -> None:
    hand = deal([33, 100, 61], cards=["AsAh", "KsKh", "QsQh"], board="2c3d7h8s9c", showdown="AUTO")
    events = play(hand, "r33 r100 c")
    awarded = sum(share.chips for event in events if isinstance(event, LayerAwarded) for share in event.shares)
    returned = sum(event.chips for event in events if isinstance(event, UncalledReturned))
    assert (awarded, returned) == (33 * 3 + 28 * 2, 39)


def test_a_street_alone_plays_as_in_a_hand() -> None:
    betting = bet(street("NO_LIMIT", [1000] * 3, posts=[50, 100, 0]), "r300 c f")
    assert (betting.actor, betting.street_chips) == (-1, (300, 100, 300))
