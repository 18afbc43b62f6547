"""Seven-card stud from the ante to the last round: GAME-ST-01 to GAME-ST-13, GAME-ST-18, BET-FL-08, BET-LIM-03, BET-GEN-10."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_engine import events as ev
from homegame_engine.actions import BringIn, Check, Complete, Fold
from homegame_engine.cards import format_card, format_cards, full_deck, parse_cards
from homegame_engine.errors import InputError, RuleViolation
from tests.game_hands import check_down, deal_game, of_kind, play_game
from tests.rulebook_examples import Example, as_parameters, examples_of_kind
from tests.table_builders import assert_refused, open_to, wager_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.events import AnyEvent
    from homegame_engine.hand import Hand
    from homegame_engine.specs import Structure

DEEP = 1000


def stud(
    up_cards: str,
    *,
    house: str = "POINTS_NIGHT",
    game: str = "STUD7",
    stacks: Sequence[int] | None = None,
    structure: Structure | None = None,
    bring_in_chips: int = 1,
    bets: tuple[int, int] = (2, 4),
    allin_face_up: bool = False,
) -> Hand:
    """Stud with an ante of 1, a bring-in of 1 and bets of 2 and 4; each seat's up cards as text, seat 0 left of the dealer."""
    shown = up_cards.split()
    seen = parse_cards("".join(shown))
    unseen = iter(format_card(card) for card in full_deck() if card not in seen)
    return deal_game(
        game,
        stacks or [DEEP] * len(shown),
        house=house,
        structure="FIXED_LIMIT" if house == "POINTS_NIGHT" else structure,
        button=len(shown) - 1,
        cards=[next(unseen) + next(unseen) + cards for cards in shown],
        ante_chips=1,
        bring_in_chips=bring_in_chips,
        small_bet_chips=bets[0],
        big_bet_chips=bets[1],
        min_open_chips=bets[0],
        allin_face_up=allin_face_up,
    )


# --- The deal ---------------------------------------------------------------------------------------------------------------


def test_game_st_01_two_down_and_one_up_then_three_up_and_the_last_one_down() -> None:
    hand = stud("Kd Qc 4h")
    started = hand.take_events()
    assert [event.chips for event in of_kind(started, ev.AntePosted)] == [1, 1, 1]
    assert [(event.seat, len(event.cards)) for event in of_kind(started, ev.HoleCardsDealt)] == [(0, 2), (1, 2), (2, 2)]
    assert [event.seat for event in of_kind(started, ev.UpCardsDealt)] == [0, 1, 2]
    assert not of_kind(started, ev.CardsBurned)
    streets = []
    for _ in range(4):
        street = hand.street
        happened: list[AnyEvent] = []
        while hand.street == street:
            happened += play_game(
                hand, "k" if "check" in open_to(hand).kinds else "i" if open_to(hand).bring_in_chips else "c"
            )
        streets.append(happened)
    for number, happened in enumerate(streets):
        assert [event.count for event in of_kind(happened, ev.CardsBurned)] == [1]
        up = [(event.seat, len(event.cards)) for event in of_kind(happened, ev.UpCardsDealt)]
        down = [(event.seat, len(event.cards)) for event in of_kind(happened, ev.HoleCardsDealt)]
        each_one = [(0, 1), (1, 1), (2, 1)]
        assert (up, down) == ((each_one, []) if number < 3 else ([], each_one))
    assert [len(hand.hole_cards(seat)) for seat in range(3)] == [7, 7, 7]
    assert [hand.up_mask(seat) for seat in range(3)] == [0b0111100] * 3  # GAME-ST-10: in the order received.
    check_down(hand)
    assert hand.is_over


def test_game_st_01_the_best_five_of_seven_win() -> None:
    hand = deal_game("STUD7", [100, 100], house="HOUSE_NIGHT", cards=["AsAdAhKcKd2c3d", "2s3s7h8h9hJcTc"])
    check_down(hand)
    assert hand.won_chips == (2, 0)  # Aces full over a straight to the jack.


def test_game_st_02_points_stud_takes_six_players() -> None:
    assert stud("Kd Qd Jd Td 9d 8d").n_seats == 6
    with pytest.raises(RuleViolation, match=r"TOO_MANY_PLAYERS.*CARD-08"):
        stud("Kd Qd Jd Td 9d 8d 7d")
    assert stud("Kd Qd Jd Td 9d 8d 7d", house="CLUB").n_seats == 7  # CARD-08: the club relies on GAME-ST-17.


def test_game_st_02_there_is_no_blind_and_the_dealer_marker_only_deals() -> None:
    hand = stud("Kd Qc 4h")
    assert (hand.small_blind_seat, hand.big_blind_seat) == (-1, -1)
    assert not of_kind(hand.take_events(), ev.BlindPosted)


@pytest.mark.parametrize("number", range(6))
def test_card_08_the_worked_counts_of_the_deck(number: int) -> None:
    (example,) = examples_of_kind("deck")
    name, n_players = example.input["cases"][number]
    _, fits = example.expected["results"][number]
    game, house = {"HOLDEM_CASH": ("HOLDEM", "CASH_NIGHT")}.get(name, (name, "POINTS_NIGHT"))
    if n_players > 10:
        return  # No table of this engine has so many seats.
    if fits:
        deal_game(game, [100] * n_players, house=house)
    else:
        with pytest.raises(RuleViolation, match="TOO_MANY_PLAYERS"):
            deal_game(game, [100] * n_players, house=house)


def test_game_st_13_an_all_in_hand_gets_its_last_card_face_down() -> None:
    hand = stud("Kd Qc 4h", stacks=[1, DEEP, DEEP], allin_face_up=True)
    check_down(hand, until=("SHOWDOWN",))
    assert hand.up_mask(0) == 0b0111100
    assert hand.shown_mask == 0  # BET-GEN-16: only games with a board turn all-in hands up.


# --- The bring-in -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("bring_in")))
def test_bring_in_examples(example: Example) -> None:
    given, expected = example.input, example.expected
    players = [one["p"] for one in given["up_clockwise"]]
    hand = stud(
        " ".join(one["up"] for one in given["up_clockwise"]),
        house=given.get("house", "POINTS_NIGHT"),
        game=given["game"],
        stacks=[1 if one.get("chips") == 0 else DEEP for one in given["up_clockwise"]],
    )
    assert players[hand.actor] == expected.get("bring_in", expected.get("acts_first"))
    names = {"bring_in": "BRING_IN", "complete": "FULL_BET", "fold": "FOLD"}
    assert [
        names[kind] for kind in sorted(open_to(hand).kinds, key=["fold", "bring_in", "complete"].index)
    ] == expected.get("choices", ["BRING_IN", "FULL_BET"])


def test_game_st_05_the_low_card_brings_in_or_makes_a_full_bet() -> None:
    hand = stud("Kd Qc 4h")
    legal = open_to(hand)
    assert (hand.actor, legal.kinds, legal.bring_in_chips) == (2, ("complete", "bring_in"), 1)
    assert wager_range(hand) == (2, 2)
    assert_refused(hand, "f", "NOTHING_TO_FOLD", "BET-GEN-02")
    assert_refused(hand, "k", "CANNOT_CHECK", "GAME-ST-07")
    assert_refused(hand, "c", "NOTHING_TO_CALL", "BET-GEN-02")
    assert_refused(hand, "b1", "BAD_INCREMENT", "GAME-ST-05")
    assert_refused(hand, "b4", "BAD_INCREMENT", "GAME-ST-05")
    assert_refused(hand, "r2", "ACTION_UNKNOWN", "BET-GEN-02")
    assert_refused(hand, BringIn(), "OUT_OF_TURN", "GAME-ST-04", seat=0)
    assert of_kind(play_game(hand, "o"), ev.PlayerBet) == [
        ev.PlayerBet(seat=2, chips=2, to_chips=2, all_in=False, full=True)
    ]


def test_game_st_05_completing_the_bring_in_is_no_raise() -> None:
    hand = stud("Kd Qc 4h")
    play_game(hand, "i")
    legal = open_to(hand)
    assert (hand.actor, legal.kinds, legal.call_chips, wager_range(hand)) == (
        0,
        ("fold", "call", "complete"),
        1,
        (2, 2),
    )
    assert_refused(hand, "r3", "BAD_INCREMENT", "GAME-ST-05")
    raised = of_kind(play_game(hand, "o"), ev.PlayerRaised)
    completed = ev.PlayerRaised(seat=0, chips=2, to_chips=2, by_chips=1, all_in=False, full=True, completes=True)
    assert raised == [completed]
    play_game(hand, "r4 r6 r8")  # BET-FL-03: three raises still.
    assert wager_range(hand) == "RAISE_CAP_REACHED"
    assert_refused(hand, Complete(), "ACTION_UNKNOWN", "BET-NL-08")


def test_game_st_05_a_raise_to_the_full_bet_is_the_same_thing() -> None:
    by_name, by_amount = stud("Kd Qc 4h"), stud("Kd Qc 4h")
    events = [
        of_kind(play_game(hand, words), ev.PlayerRaised) for hand, words in ((by_name, "i o"), (by_amount, "i r2"))
    ]
    assert events[0] == events[1]
    assert by_name.encode() == by_amount.encode()


def test_game_st_06_the_bring_in_of_a_hand_without_chips_is_forced_on_the_next() -> None:
    hand = stud("2h 2c Ad", stacks=[DEEP, 1, DEEP])
    assert hand.actor == 2
    assert open_to(hand).kinds == ("complete", "bring_in")
    assert_refused(hand, "f", "NOTHING_TO_FOLD", "BET-GEN-02")


def test_game_st_07_at_the_club_it_is_offered_from_seat_to_seat() -> None:
    hand = stud("2h 2c Ad Kd", house="CLUB", stacks=[DEEP, 1, DEEP, DEEP])
    assert (hand.actor, open_to(hand).kinds) == (2, ("fold", "complete", "bring_in"))
    assert_refused(hand, "k", "CANNOT_CHECK", "GAME-ST-07")
    play_game(hand, "f")
    assert (hand.actor, open_to(hand).kinds) == (3, ("fold", "complete", "bring_in"))
    play_game(hand, "i")
    assert hand.bring_in_seat == 3
    assert (hand.actor, open_to(hand).kinds) == (0, ("fold", "call", "complete"))
    assert isinstance(stud("2h 2c Ad", house="CLUB", stacks=[DEEP, 1, DEEP]).timeout_action(2), Fold)


def test_game_st_07_a_short_stack_brings_in_what_it_has_and_the_others_owe_the_rest() -> None:
    hand = stud("Kd Qc 2h", house="CLUB", bring_in_chips=5, bets=(10, 20), stacks=[DEEP, DEEP, 4])
    assert (open_to(hand).kinds, open_to(hand).bring_in_chips) == (("bring_in",), 3)
    assert_refused(hand, "o", "INSUFFICIENT_STACK", "BET-GEN-09")
    assert of_kind(play_game(hand, "i"), ev.BringInPosted) == [ev.BringInPosted(seat=2, chips=3, all_in=True)]
    assert (open_to(hand).call_chips, wager_range(hand)) == (5, (10, 10))  # BET-GEN-10


def test_bet_gen_05_a_bring_in_that_is_only_called_has_no_second_turn() -> None:
    hand = stud("Kd Qc 4h")
    play_game(hand, "i c c")
    assert hand.street == 1


def test_bet_gen_05_a_completed_bring_in_has_one() -> None:
    hand = stud("Kd Qc 4h")
    play_game(hand, "i o c")
    assert (hand.street, hand.actor, wager_range(hand)) == (0, 2, (4, 4))


def test_bet_gen_08_no_bring_in_where_one_seat_has_chips() -> None:
    hand = stud("Kd Qc 4h", stacks=[1, 1, DEEP])
    assert (hand.phase, hand.bring_in_seat) == ("SHOWDOWN", -1)


def test_the_clock_posts_a_bring_in_that_is_owed() -> None:
    hand = stud("Kd Qc 4h")
    assert isinstance(hand.timeout_action(2), BringIn)


def test_game_st_03_a_bring_in_is_smaller_than_the_bet_that_completes_it() -> None:
    with pytest.raises(InputError, match="bring_in"):
        stud("Kd Qc 4h", bring_in_chips=2)


# --- Order ------------------------------------------------------------------------------------------------------------------


def test_game_st_09_third_street_goes_on_clockwise_from_the_bring_in() -> None:
    hand = stud("Kd 4c Qh")
    assert hand.actor == 1
    play_game(hand, "i")
    assert_refused(hand, Fold(), "OUT_OF_TURN", "BET-GEN-01", seat=0)
    play_game(hand, "c")
    assert hand.actor == 0


def test_game_st_04_the_best_hand_up_acts_first_from_fourth_street_on() -> None:
    hand = stud("KdQd 4c4h 2hAh")
    play_game(hand, "i c c")
    assert hand.actor == 1
    assert_refused(hand, Check(), "OUT_OF_TURN", "BET-GEN-01", seat=2)


def test_first_up_example() -> None:
    (example,) = examples_of_kind("first_up")
    shown = example.input["up_clockwise_from_dealer_left"]
    hand = stud(" ".join("".join(one["up"]) for one in shown))
    play_game(hand, "i c c")
    assert shown[hand.actor]["p"] == example.expected["first"]


def test_rank_up_03_of_equal_hands_the_first_from_the_dealers_left() -> None:
    hand = stud("KdQd 7c5h KhQh", game="STUD7")
    play_game(hand, "i c c")
    assert hand.actor == 0
    turned = stud("KhQh 7c5h KdQd")
    play_game(turned, "i c c")
    assert turned.actor == 0


def test_game_st_18_an_all_in_hand_that_is_high_counts_as_having_checked() -> None:
    hand = stud("KdKc Qc4h 2h5h", stacks=[2, DEEP, DEEP], house="CLUB")
    play_game(hand, "i c c")
    assert (hand.street, hand.actor) == (1, 1)
    for _ in range(4):
        play_game(hand, "k k")
    events = hand.take_events()
    assert not events
    assert (hand.phase, hand.actor) == ("SHOWDOWN", 0)  # GAME-ST-16: it is as if it had acted first.


def test_without_a_bring_in_the_best_hand_up_opens() -> None:
    hand = stud("Kd Ac Qh", bring_in_chips=0, house="HOUSE_NIGHT")
    assert (hand.actor, open_to(hand).kinds) == (1, ("fold", "check", "bet"))


# --- Dead hands -------------------------------------------------------------------------------------------------------------


def test_game_st_11_a_hand_folded_for_nothing_gets_cards_until_the_next_wager() -> None:
    hand = stud("KdQd9d 4c5h6h 2hAhTc", house="CLUB")
    play_game(hand, "i c c")
    happened = play_game(hand, "f k k")  # Seat 2 has an ace up and acts first.
    assert [event.seat for event in of_kind(happened, ev.UpCardsDealt)] == [0, 1, 2]
    happened = play_game(hand, "b4 c")
    assert [event.seat for event in of_kind(happened, ev.UpCardsDealt)] == [0, 1]
    assert hand.live_mask == 0b011


def test_game_st_11_a_hand_folded_to_a_wager_gets_none() -> None:
    hand = stud("KdQd 4c5h 2hAh", house="CLUB")
    play_game(hand, "i c c")
    happened = play_game(hand, "b2 f c")
    assert [event.seat for event in of_kind(happened, ev.UpCardsDealt)] == [1, 2]


def test_game_st_11_is_the_clubs_alone() -> None:
    hand = stud("KdQd 4c5h 2hAh", house="HOUSE_NIGHT")
    play_game(hand, "i c c")
    happened = play_game(hand, "f k k")
    assert [event.seat for event in of_kind(happened, ev.UpCardsDealt)] == [0, 1]


# --- Sizes ------------------------------------------------------------------------------------------------------------------


def test_bet_fl_08_two_on_the_early_streets_and_four_from_fifth_on() -> None:
    hand = stud("KdKc5s 4c5h6h 2hAhTc")
    play_game(hand, "i o c c")
    assert (hand.level_chips, hand.pot_chips) == (0, 9)  # The antes are outside L.
    assert wager_range(hand) == (2, 2)  # An open pair changes nothing.
    assert_refused(hand, "b4", "BAD_INCREMENT", "BET-FL-02")
    play_game(hand, "b2 r4 r6 r8")
    assert_refused(hand, "r10", "RAISE_CAP_REACHED", "BET-FL-03")
    play_game(hand, "c c")
    for _ in range(3):
        assert wager_range(hand) == (4, 4)
        play_game(hand, "k k k")


def test_bet_lim_03_small_bets_to_fourth_street_and_big_ones_after_it() -> None:
    hand = stud("KdJc9s 4c5h6h 2hAhTc", house="CLUB", bring_in_chips=5, bets=(10, 20))
    play_game(hand, "i")
    assert wager_range(hand) == (10, 10)
    assert_refused(hand, "r20", "BAD_INCREMENT", "GAME-ST-05")
    play_game(hand, "o")
    play_game(hand, "r20 r30 r40 r50")  # BET-LIM-02: completing is no raise, so four follow.
    assert wager_range(hand) == "RAISE_CAP_REACHED"
    play_game(hand, "c c")
    assert wager_range(hand) == (10, 10)
    assert_refused(hand, "b20", "BAD_INCREMENT", "BET-LIM-01")
    play_game(hand, "k k k")
    assert wager_range(hand) == (20, 20)


def five_ten(game: str = "STUD7", stacks: Sequence[int] | None = None) -> Hand:
    """The 5-10 game of the rule, on fourth street, where seat 0 shows kings."""
    hand = stud("KdKc 4c5h 2hAh", house="CLUB", game=game, bring_in_chips=2, bets=(5, 10), stacks=stacks)
    while hand.street == 0:
        play_game(hand, "i" if open_to(hand).bring_in_chips else "c")
    return hand


def test_bet_lim_04_an_open_pair_lets_everybody_choose_the_big_bet() -> None:
    hand = five_ten()
    legal = open_to(hand)
    assert (legal.raise_to_min_chips, legal.raise_to_max_chips, legal.raise_step_chips) == (5, 10, 5)
    for amount in (4, 6, 9, 15):
        assert_refused(hand, f"b{amount}", "BAD_INCREMENT", "BET-LIM-04")
    play_game(hand, "b5")
    assert wager_range(hand) == (10, 15)
    assert_refused(hand, "r12", "BAD_INCREMENT", "BET-LIM-04")
    play_game(hand, "r15")
    assert wager_range(hand) == (25, 25)
    assert_refused(hand, "r20", "BAD_INCREMENT", "BET-LIM-04")


def test_bet_lim_04_small_steps_leave_the_choice_open() -> None:
    hand = five_ten()
    play_game(hand, "b5 r10")
    assert wager_range(hand) == (15, 20)


def test_bet_lim_04_a_big_bet_makes_every_later_step_big() -> None:
    hand = five_ten()
    play_game(hand, "b10")
    assert wager_range(hand) == (20, 20)


def test_bet_lim_04_when_the_pair_checks_the_others_choose() -> None:
    hand = five_ten()
    play_game(hand, "k")
    assert wager_range(hand) == (5, 10)


def test_bet_lim_04_a_short_stack_is_all_in_between_the_two() -> None:
    hand = five_ten(stacks=[DEEP, DEEP, 1 + 2 + 8])
    play_game(hand, "k k")
    assert wager_range(hand) == (5, 8)
    play_game(hand, "b8")
    assert wager_range(hand) == (13, 18)


def test_game_rz_04_an_open_pair_changes_nothing_in_razz() -> None:
    hand = five_ten("RAZZ")
    assert wager_range(hand) == (5, 5)
    assert_refused(hand, "b10", "BAD_INCREMENT", "BET-LIM-01")


def test_game_st8_03_an_open_pair_changes_nothing_in_hi_lo() -> None:
    hand = five_ten("STUD8")
    assert wager_range(hand) == (5, 5)
    assert_refused(hand, "b10", "BAD_INCREMENT", "BET-LIM-01")


def test_game_st_10_up_cards_keep_the_order_received() -> None:
    hand = stud("KdQc9s 4c5h6h 2hAhTc")
    play_game(hand, "i c c")
    play_game(hand, "k k k")
    assert [format_cards(hand.up_cards(seat)) for seat in range(3)] == ["KdQc9s", "4c5h6h", "2hAhTc"]
    assert all(hand.hole_cards(seat)[2:] == hand.up_cards(seat) for seat in range(3))


def test_bet_nl_08_nobody_completes_in_no_limit() -> None:
    hand = stud("KdJc 4c5h 2hAh", house="CLUB", structure="NO_LIMIT", bring_in_chips=5, bets=(20, 40))
    assert (open_to(hand).kinds, wager_range(hand)) == (("bet", "bring_in"), (20, DEEP - 1))
    assert_refused(hand, "o", "ACTION_UNKNOWN", "BET-NL-08")
    play_game(hand, "i")
    assert (open_to(hand).kinds, wager_range(hand)) == (("fold", "call", "raise"), (20, DEEP - 1))
    play_game(hand, "r60")
    assert wager_range(hand) == (120, DEEP - 1)  # BET-NL-03: the opening was 60.
    play_game(hand, "c")
    assert (hand.actor, wager_range(hand)) == (2, (120, DEEP - 1))  # Who brought in may raise it.


def test_bet_nl_04_a_short_all_in_over_a_bring_in_is_raised_by_the_least_bet() -> None:
    hand = stud(
        "KdJc 4c5h 2hAh",
        house="CLUB",
        structure="NO_LIMIT",
        bring_in_chips=5,
        bets=(20, 40),
        stacks=[1 + 12, DEEP, DEEP],
    )
    play_game(hand, "i r12")  # BET-NL-04: 12 is below the least bet of 20.
    assert (open_to(hand).call_chips, wager_range(hand)) == (12, (32, DEEP - 1))
    play_game(hand, "c")
    assert (hand.actor, open_to(hand).call_chips, wager_range(hand)) == (2, 7, "RAISE_NOT_REOPENED")
