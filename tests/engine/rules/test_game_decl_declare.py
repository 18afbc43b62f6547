"""GAME-DECL-01 to GAME-DECL-10: declarations are sealed, revealed together, and decide who wins which half."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import msgspec
import pytest

from homegame_engine import catalog, view
from homegame_engine.actions import Bet, Check, Declare, Discard
from homegame_engine.award import judge_declarations
from homegame_engine.cards import format_cards, full_deck
from homegame_engine.errors import InputError
from homegame_engine.evaluator import evaluate
from homegame_engine.evaluator.ranking import rank
from homegame_engine.evaluator.rule import Ranking, RankingRule
from homegame_engine.events import ChoiceMade, HalvesDeclared
from tests.game_hands import deal_game, of_kind, play_game
from tests.rulebook_examples import Example, as_parameters, examples_of_kind
from tests.table_builders import assert_refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from homegame_engine.hand import Hand

HOUSE_LOW = RankingRule(ranking=Ranking.ACE_TO_SIX)

# Best high hand first; the lows run the other way.
STRONG = ("KsKhKdQcQs", "JsJhTdTc2s", "9s9h8d5c3s", "8s7h5d3c2d")


def low_of(cards: Sequence[int]) -> int:
    return rank(HOUSE_LOW, cards)


def in_order(strengths: Sequence[int], wanted: Sequence[int]) -> bool:
    """Whether two lists order their members alike."""
    pairs = [(i, k) for i in range(len(wanted)) for k in range(i)]
    return all((strengths[i] > strengths[k]) is (wanted[i] > wanted[k]) for i, k in pairs)


def hands_of(example: Example) -> list[str]:
    """Cards whose strengths are ordered as the example says, for those who declared the half that they are for."""
    players = example.input["live_clockwise"]
    declared = example.input["declare"]
    highs = [i for i, player in enumerate(players) if declared[player] != "LOW"]
    lows = [i for i, player in enumerate(players) if declared[player] != "HIGH"]
    wanted_highs = [example.input["high_strength"][players[i]] for i in highs]
    wanted_lows = [-example.input["low_strength"][players[i]] for i in lows]
    shuffled = random.Random(1)  # noqa: S311 - any deal will do; a fixed one keeps the test the same
    deck = list(full_deck())
    while True:
        shuffled.shuffle(deck)
        hands = [tuple(deck[5 * i : 5 * i + 5]) for i in range(len(players))]
        if in_order([evaluate(hands[i]) for i in highs], wanted_highs) and in_order(
            [low_of(hands[i]) for i in lows], wanted_lows
        ):
            return [format_cards(hand) for hand in hands]


def to_declare(
    cards: Sequence[str],
    *,
    pot: int = 0,
    stacks: Sequence[int] = (),
    showdown: str = "AUTO",
    both_rule: str = "OUTRIGHT",
) -> Hand:
    """Five-card draw hi-lo up to the declarations, the seat left of the dealer being seat 0; the pot is antes and dead money."""
    n = len(cards)
    hand = deal_game(
        "DRAW_DECLARE",
        stacks or [100] * n,
        house="HOUSE_NIGHT",
        button=n - 1,
        cards=cards,
        dead_chips=max(pot - n, 0),
        showdown=showdown,
        both_rule=both_rule,
    )
    while hand.legal_actions().kinds != ("declare",):
        play_game(hand, "d:" if "draw" in hand.legal_actions().kinds else "k")
    return hand


def declare(hand: Hand, halves: Sequence[str]) -> None:
    for seat, half in enumerate(halves):
        hand.apply(seat, Declare(half=half))


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("declare")))
def test_declare_examples(example: Example) -> None:
    players, expected = example.input["live_clockwise"], example.expected
    hand = to_declare(hands_of(example), pot=example.input["pot"])
    declare(hand, [example.input["declare"][player] for player in players])
    assert (hand.actor >= 0) is expected["final_round"]
    assert (players[hand.actor] if hand.actor >= 0 else None) == expected["starter"]
    while not hand.is_over:
        play_game(hand, "k")
    assert {player: won for player, won in zip(players, hand.won_chips, strict=True) if won} == expected["shares"]
    assert hand.carry_chips == expected["carry"]


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Qs Qh Jd 6c 3s", "one pair, queens with jack six three; low, one pair: Q-Q-J-6-3"),
        ("8s 7h 4d 3c 2s", "high card, eight seven four three deuce; eight-low: 8-7-4-3-2"),
    ],
)
def test_game_decl_01_a_low_that_holds_a_pair_is_told_apart_from_the_high_hand(cards: str, words: str) -> None:
    hand = to_declare([cards, "Kd Kc 9h 5d 4s"])
    assert hand.words(0) == words


# --- Sealed until all are in ----------------------------------------------------------------------------------------------


def test_game_decl_01_declarations_come_in_any_order_and_are_revealed_together() -> None:
    hand = to_declare(STRONG)
    assert hand.phase == "CHOOSING"
    assert hand.may_act_mask == 0b1111
    assert hand.legal_actions(2).halves == ("LOW", "HIGH", "BOTH")
    for seat, half in ((2, "LOW"), (0, "HIGH"), (3, "BOTH")):
        (event,) = hand.apply(seat, Declare(half=half))
        assert event == ChoiceMade(seat=seat, choice="DECLARE")
        assert view.project(event, 1) == event
    assert hand.may_act_mask == 0b0010
    events = hand.apply(1, Declare(half="LOW"))
    (revealed,) = of_kind(events, HalvesDeclared)
    assert [(said.seat, said.half) for said in revealed.declarations] == [
        (0, "HIGH"),
        (1, "LOW"),
        (2, "LOW"),
        (3, "BOTH"),
    ]
    assert hand.phase == "BETTING"


def test_game_decl_01_no_event_before_the_reveal_names_a_half() -> None:
    hand = to_declare(STRONG)
    events = hand.apply(0, Declare(half="BOTH")) + hand.apply(2, Declare(half="LOW"))
    stored = msgspec.json.encode(events)
    assert not any(half in stored for half in (b"BOTH", b"HIGH", b"LOW"))


def test_game_decl_01_nothing_else_is_open_while_a_declaration_is_due() -> None:
    hand = to_declare(STRONG)
    for action in (Check(), Bet(to_chips=2), Discard(cards=hand.hole_cards(0)[:1])):  # A fold is, by HOUSE-BET-06.
        assert_refused(hand, action, "DECLARE_REQUIRED", "GAME-DECL-01", seat=0)
    assert_refused(hand, Declare(half="NEITHER"), "DECLARE_REQUIRED", "GAME-DECL-01", seat=0)


def test_game_decl_01_a_declaration_is_binding() -> None:
    hand = to_declare(STRONG)
    hand.apply(0, Declare(half="HIGH"))
    assert_refused(hand, Declare(half="LOW"), "ACTION_CLOSED", "BET-GEN-03", seat=0)
    assert_refused(hand, Check(), "OUT_OF_TURN", "BET-GEN-01", seat=0)


@pytest.mark.parametrize("declared", [0, 4])
def test_game_decl_01_there_is_a_time_to_declare(declared: int) -> None:
    hand = to_declare(STRONG)
    if declared:
        declare(hand, ["HIGH"] * declared)
    else:
        hand = deal_game("DRAW_DECLARE", [100] * 4, house="HOUSE_NIGHT", cards=STRONG)
    assert_refused(hand, Declare(half="LOW"), "DECLARE_CLOSED", "GAME-DECL-01")


def test_game_decl_01_who_has_folded_declares_nothing() -> None:
    hand = deal_game("DRAW_DECLARE", [100] * 3, house="HOUSE_NIGHT", button=2, cards=STRONG[:3])
    play_game(hand, "k b1 c f d: d: k k")
    assert hand.may_act_mask == 0b110
    assert_refused(hand, Declare(half="LOW"), "HAND_OVER", "BET-GEN-06", seat=0)


def test_game_decl_07_who_does_not_answer_goes_high() -> None:
    hand = to_declare(STRONG)
    assert hand.timeout_action(2) == Declare(half="HIGH")


# --- The final round ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("halves", "starter"),
    [
        pytest.param(("LOW", "LOW", "HIGH", "LOW"), 2, id="the lock, alone high"),
        pytest.param(("HIGH", "HIGH", "LOW", "HIGH"), 2, id="the lock, alone low"),
        pytest.param(("LOW", "HIGH", "HIGH", "LOW"), 1, id="no lock: the first high one"),
        pytest.param(("LOW", "LOW", "BOTH", "HIGH"), 2, id="no lock: BOTH is high too"),
        pytest.param(("LOW", "LOW", "LOW", "LOW"), 0, id="nobody high: the first live seat"),
    ],
)
def test_game_decl_02_who_starts_the_final_round(halves: tuple[str, ...], starter: int) -> None:
    hand = to_declare(STRONG)
    declare(hand, halves)
    assert hand.actor == starter
    assert "check" in hand.legal_actions().kinds
    assert_refused(hand, Check(), "OUT_OF_TURN", "BET-GEN-01", seat=(starter + 1) % 4)


@pytest.mark.parametrize(("halves", "is_played"), [(("HIGH", "LOW"), False), (("HIGH", "BOTH"), True)])
def test_game_decl_03_two_players_with_different_halves_bet_no_more(halves: tuple[str, ...], is_played: bool) -> None:  # noqa: FBT001
    hand = to_declare(STRONG[::3], pot=10, showdown="ASK")
    declare(hand, halves)
    assert (hand.phase == "BETTING") is is_played
    if not is_played:
        assert_refused(hand, Bet(to_chips=2), "BETTING_CLOSED", "GAME-DECL-03")
        play_game(hand, "s s")
        assert hand.won_chips == (5, 5)


def test_game_decl_08_a_final_round_fold_gives_up_both_halves() -> None:
    hand = to_declare(STRONG, pot=12)
    declare(hand, ("BOTH", "LOW", "LOW", "HIGH"))
    assert hand.actor == 0
    play_game(hand, "b4 c f c")  # Seat 2 would have had the best low.
    assert hand.won_chips == (0, 12, 0, 12)
    hand = to_declare(STRONG, pot=12)
    declare(hand, ("BOTH", "LOW", "LOW", "HIGH"))
    play_game(hand, "b4 c c f")
    assert hand.won_chips == (0, 0, 24, 0)


def test_game_decl_08_all_in_players_declare_and_each_layer_has_its_own_declarers() -> None:
    # Seat 0 is all-in for the ante with the best high; the extra layer has one HIGH and one LOW of its own.
    hand = to_declare(STRONG[:3], stacks=[1, 50, 50])
    assert hand.all_in_mask == 0b001
    declare(hand, ("HIGH", "HIGH", "LOW"))
    play_game(hand, "b4 c")
    # Main layer 3: seat 0 high 2, seat 2 low 1. Extra layer 8: seat 1 high 4, seat 2 low 4.
    assert hand.won_chips == (2, 4, 5)


def test_game_decl_08_a_starter_who_is_all_in_has_checked() -> None:
    hand = to_declare(STRONG[:3], stacks=[1, 50, 50])
    declare(hand, ("HIGH", "LOW", "LOW"))
    assert hand.actor == 1
    assert "check" in hand.legal_actions().kinds


# --- Who wins -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "highs", "lows", "winners"),
    [
        pytest.param("H H L", [3, 2, 9], [1, 1, 1], (0b001, 0b100), id="04 halves apart, though C has the best high"),
        pytest.param("H H H", [3, 2, 1], [1, 2, 3], (0b001, 0), id="04 nobody low"),
        pytest.param("L L L", [3, 2, 1], [1, 3, 3], (0, 0b110), id="04 nobody high"),
        pytest.param("B H L", [9, 3, 1], [9, 1, 3], (0b001, 0b001), id="05 both won outright"),
        pytest.param("B H L", [9, 3, 1], [2, 1, 3], (0b010, 0b100), id="05 lost the low: loses both"),
        pytest.param("B H L", [9, 9, 1], [9, 1, 3], (0b010, 0b100), id="05 tied the high: loses both"),
        pytest.param("B H L", [9, 3, 1], [3, 1, 3], (0b010, 0b100), id="05 tied the low: loses both"),
        pytest.param("B B H", [9, 5, 3], [5, 9, 1], (0b100, 0), id="05 a BOTH can lose to a BOTH that fails"),
        pytest.param("B B H", [9, 5, 3], [9, 5, 1], (0b001, 0b001), id="05 one of two BOTH succeeds"),
        pytest.param("B L L", [9, 2, 1], [1, 9, 5], (0, 0b010), id="06 the failed BOTH was alone high"),
        pytest.param("B H H", [5, 9, 1], [9, 1, 1], (0b010, 0), id="06 the failed BOTH was alone low"),
        pytest.param("B B", [9, 5], [5, 9], (0b01, 0b10), id="06 all failed: each half to its best hand"),
        pytest.param("B B", [9, 9], [9, 9], (0b11, 0b11), id="06 all failed by a tie in everything"),
        pytest.param("H L L", [1, 9, 9], [0, 0, 0], (0b001, 0), id="06 no low qualifies: high takes all"),
        pytest.param("H L L", [1, 9, 9], [0, 3, 0], (0b001, 0b010), id="06 one low qualifies"),
        pytest.param("L L", [1, 9], [0, 0], (0b10, 0), id="06 no low and no high declarer: the best high hand"),
        pytest.param("B L", [9, 1], [0, 0], (0b01, 0), id="06 a BOTH without a low fails, and no low is left"),
        pytest.param("B H", [9, 1], [0, 0], (0b10, 0), id="06 a BOTH without a low leaves it to the HIGH"),
        pytest.param("B B", [9, 5], [0, 0], (0b01, 0), id="06 all failed without a low: the best high hand"),
    ],
)
def test_game_decl_04_to_06(declared: str, highs: list[int], lows: list[int], winners: tuple[int, int]) -> None:
    words = {"H": "HIGH", "L": "LOW", "B": "BOTH"}
    assert judge_declarations([words[letter] for letter in declared.split()], highs, lows) == winners


@pytest.mark.parametrize(
    ("highs", "lows", "winners"),
    [([9, 9, 1], [9, 1, 3], (0b011, 0b001)), ([9, 3, 1], [3, 1, 3], (0b001, 0b101)), ([8, 9, 1], [9, 1, 3], (2, 4))],
)
def test_game_decl_05_both_may_tie_where_the_house_says_so(
    highs: list[int], lows: list[int], winners: tuple[int, int]
) -> None:
    assert judge_declarations(["BOTH", "HIGH", "LOW"], highs, lows, tie_keeps_both=True) == winners


def test_game_decl_05_the_option_both_rule_reaches_the_table() -> None:
    # Seats 0 and 1 tie for high; seat 0 also has the best low.
    cards = ("8s7h5d3c2d", "8h7s5c3d2c", "KsKhKdQcQs")
    for both_rule, won in (("OUTRIGHT", (0, 6, 6)), ("TIE_OK", (9, 3, 0))):
        hand = to_declare(cards, pot=12, both_rule=both_rule)
        declare(hand, ("BOTH", "HIGH", "LOW"))
        play_game(hand, "k k k")
        assert hand.won_chips == won


def test_game_decl_06_the_qualifier_of_the_call_reaches_the_table() -> None:
    game = catalog.game("DRAW_DECLARE")
    showdown = msgspec.structs.replace(game.showdown, low="ACE_TO_FIVE", low_qualifier=8)
    called = msgspec.structs.replace(game, showdown=showdown)
    hand = deal_game(called, [100] * 3, house="HOUSE_NIGHT", button=2, cards=(STRONG[0], STRONG[1], "9d7h5d3c2d"))
    play_game(hand, "k k k d: d: d: k k k")
    declare(hand, ("HIGH", "LOW", "LOW"))
    play_game(hand, "k k k")
    assert hand.won_chips == (3, 0, 0)


def test_game_decl_09_the_ace_is_high_in_high_hands_and_low_in_low_ones() -> None:
    hand = to_declare(("AsKh9d7c5s", "Ah6h4d3c2s", "KsQh9h7d6c", "Kd7h4c3d2c"), pot=8)
    declare(hand, ("HIGH", "LOW", "HIGH", "LOW"))
    play_game(hand, "k k k k")
    assert hand.won_chips == (4, 4, 0, 0)


def test_game_decl_09_a_straight_spoils_a_house_low() -> None:
    hand = to_declare(("5s4h3d2cAs", "9s8h6d4c2s", "KsQh9h7d6c"), pot=8)
    declare(hand, ("LOW", "LOW", "HIGH"))
    play_game(hand, "k k k")
    assert hand.won_chips == (0, 4, 4)


@pytest.mark.parametrize(
    ("declared", "highs", "lows"),
    [
        ([], [], []),
        (["HIGH"], [1, 2], [1]),
        (["HIGH"], [1], []),
        (["MIDDLE"], [1], [1]),
        (["LOW"] * 11, [1] * 11, [1] * 11),
    ],
)
def test_what_nobody_can_declare_is_refused(declared: list[str], highs: list[int], lows: list[int]) -> None:
    with pytest.raises(InputError):
        judge_declarations(declared, highs, lows)


def obvious_winners(
    declared: Mapping[int, str], highs: Sequence[int], lows: Sequence[int]
) -> tuple[set[int], set[int]]:
    """D-35 and D-36 in plain words, for hands that all have a low."""
    goes_high = {seat for seat in declared if declared[seat] != "LOW"}
    goes_low = {seat for seat in declared if declared[seat] != "HIGH"}

    def best(ranks: Sequence[int], seats: set[int]) -> set[int]:
        return {seat for seat in seats if ranks[seat] == max(ranks[other] for other in seats)}

    failed = {
        seat for seat in goes_high & goes_low if best(highs, goes_high) != {seat} or best(lows, goes_low) != {seat}
    }
    if failed == set(declared):
        return best(highs, failed), best(lows, failed)
    return best(highs, goes_high - failed), best(lows, goes_low - failed)


def test_game_decl_04_to_06_against_plain_words_for_every_declaration_of_three() -> None:
    words = ("LOW", "HIGH", "BOTH")
    ranks = [(a, b, c) for a in (1, 2, 3) for b in (1, 2, 3) for c in (1, 2, 3)]
    for said in ((a, b, c) for a in words for b in words for c in words):
        for highs in ranks:
            for lows in ranks:
                high, low = judge_declarations(said, highs, lows)
                expected = obvious_winners(dict(enumerate(said)), highs, lows)
                assert ({s for s in range(3) if high >> s & 1}, {s for s in range(3) if low >> s & 1}) == expected
