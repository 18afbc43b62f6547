"""How often each hand comes: the known counts, every deal once, and samples that come near."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from homegame_engine import catalog
from homegame_engine.cards import CARD_UNKNOWN, format_card, parse_cards
from homegame_engine.errors import InputError
from homegame_engine.evaluator import category, count_hand_ranks
from homegame_engine.evaluator.ranking import rank
from homegame_engine.frequencies import BoardFrequencies, HandFrequencies, HandFrequencyResult
from homegame_engine.specs import DealDown, DeckSpec
from tests.oracles import odds as oracle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.frequencies import HandCount
    from homegame_engine.specs import GameSpec, HandRules

KNOWN: dict[str, Any] = {
    value["id"]: value["value"]
    for value in json.loads((Path(__file__).parents[2] / "vectors" / "known_values.json").read_text(encoding="utf-8"))
}
RULES = {
    house_id: house.hand_rules(small_blind_chips=1, big_blind_chips=2) for house_id, house in catalog.houses().items()
}
POINTS = RULES["POINTS_NIGHT"]


def counted(
    game: GameSpec,
    hand: Sequence[int] = (),
    *,
    rules: HandRules = POINTS,
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    step: int = 1 << 40,
) -> HandFrequencyResult:
    """The frequencies when every deal is counted, `step` evaluations at a time."""
    frequencies = HandFrequencies(game, rules, hand, board=board, dead=dead)
    while not frequencies.is_done:
        frequencies.count(step)
    result = frequencies.result()
    assert result.is_exact
    assert result.n_deals == frequencies.n_deals == frequencies.n_counted
    return result


def by_category(found: Sequence[HandCount]) -> dict[str, int]:
    """High hands by category."""
    counts: Counter[str] = Counter()
    for hand in found:
        counts[category(hand.hand_rank)] += hand.n_deals
    return dict(counts)


def categories_of(known: str) -> dict[str, int]:
    """A known value without its total."""
    return {name: count for name, count in KNOWN[known].items() if name != "total"}


def parts(found: Sequence[HandCount], total: int) -> dict[int, Fraction]:
    """Hand ranks with what part of all deals has them."""
    return {hand.hand_rank: Fraction(hand.n_deals, total) for hand in found}


@pytest.mark.parametrize("game_id", catalog.games())
def test_every_deal_of_every_game_counts_once(game_id: str) -> None:
    game = catalog.game(game_id)
    generator = random.Random(f"{game_id}, one hand")  # noqa: S311 - the seed is part of the test
    size = oracle.n_private(game)
    for n_unknown in (0, 2, 4):
        cards = generator.sample(sorted(oracle.deck_of(game)), len(oracle.deck_of(game)))
        known = [cards.pop() for _ in range(size + game.board_card_count)]
        for place in generator.sample(range(len(known)), n_unknown):
            known[place] = CARD_UNKNOWN
        hand, board, dead = known[:size], known[size:], cards[8:]
        result = counted(game, hand, board=board, dead=dead)
        high, low = oracle.rank_counts(game, POINTS, hand, board, dead)
        assert parts(result.high, result.n_deals) == high
        assert parts(result.low, result.n_deals) == low


@pytest.mark.parametrize("game_id", ["OMAHA", "OMAHA8"])
def test_four_private_cards_are_the_best_of_their_pairs(game_id: str) -> None:
    game = catalog.game(game_id)
    generator = random.Random(f"{game_id}, four unknown private cards")  # noqa: S311 - the seed is part of the test
    for n_board in (4, 5):
        cards = generator.sample(range(52), 52)
        board, dead = cards[:n_board], cards[n_board + 9 - (5 - n_board) :]
        result = counted(game, board=board, dead=dead)
        high, low = oracle.rank_counts(game, POINTS, (), board, dead)
        assert parts(result.high, result.n_deals) == high
        assert parts(result.low, result.n_deals) == low


def test_an_example_has_the_rank_that_it_stands_for() -> None:
    game = catalog.game("OMAHA8")
    high_rule, low_rule = oracle.rules_of(game, POINTS)
    assert low_rule is not None
    result = counted(game, board=parse_cards("As4s8d9dKc"))
    for rule, found in ((high_rule, result.high), (low_rule, result.low)):
        assert found
        for hand in found:
            assert rank(rule, hand.hole_cards, hand.board) == hand.hand_rank
    assert sorted(text[0] for text in map(format_card, result.low[0].hole_cards)) == ["2", "3"]


def test_known_value_of_five_cards() -> None:
    result = counted(catalog.game("FIVE_CARD_DRAW"))
    assert by_category(result.high) == categories_of("cat5")
    assert result.n_deals == KNOWN["cat5"]["total"]
    assert len(result.high) == KNOWN["distinct_ranks"]["5"]


def test_known_values_of_seven_cards() -> None:
    result = counted(catalog.game("STUD8"))
    assert by_category(result.high) == categories_of("cat7")
    assert result.n_deals == KNOWN["cat7"]["total"] == KNOWN["low8_7"]["total"]
    assert len(result.high) == KNOWN["distinct_ranks"]["7"]
    assert sum(hand.n_deals for hand in result.low) == KNOWN["low8_7"]["count"]


def test_known_value_of_six_cards() -> None:
    """Every hand rank comes as often as when all hands are dealt without regard to suits that are alike."""
    game = catalog.game("FIVE_CARD_DRAW")
    result = counted(msgspec.structs.replace(game, steps=(DealDown(count=6), *game.steps[1:])))
    by_rank = count_hand_ranks(6)
    assert {hand.hand_rank: hand.n_deals for hand in result.high} == {
        hand_rank: by_rank[hand_rank] for hand_rank in np.flatnonzero(by_rank).tolist()
    }
    assert len(result.high) == KNOWN["distinct_ranks"]["6"]


def test_known_value_of_the_best_low_to_six() -> None:
    """RANK-LO-03: the best of all is 6-4-3-2-A of mixed suits, which five private cards make in 1,020 ways."""
    result = counted(catalog.game("LOWBALL"), rules=RULES["HOUSE_NIGHT"])
    assert result.high[0].n_deals == KNOWN["low_a6_best"]
    assert sorted(card >> 2 for card in result.high[0].board) == [0, 1, 2, 4, 12]


def test_known_value_of_deuces_wild() -> None:
    result = counted(catalog.game("DEUCES_WILD_DRAW"))
    assert by_category(result.high) == categories_of("wild_deuces5")
    assert result.n_deals == KNOWN["wild_deuces5"]["total"]


def test_known_value_of_one_joker() -> None:
    game = msgspec.structs.replace(catalog.game("JOKER_DRAW"), deck=DeckSpec(jokers=1))
    result = counted(game)
    assert by_category(result.high) == categories_of("wild_joker1")
    assert result.n_deals == KNOWN["wild_joker1"]["total"]


@pytest.mark.slow
def test_known_value_of_omaha() -> None:
    result = counted(catalog.game("OMAHA"))
    assert by_category(result.high) == categories_of("omaha_cat")
    assert result.n_deals == KNOWN["omaha_cat"]["total"]


def test_known_value_of_omaha_is_sampled_well() -> None:
    frequencies = HandFrequencies(catalog.game("OMAHA"), POINTS)
    assert frequencies.n_deals == KNOWN["omaha_cat"]["total"]
    frequencies.sample(200_000, seed=1)
    result = frequencies.result()
    found = by_category(result.high)
    for name, count in categories_of("omaha_cat").items():
        part = count / KNOWN["omaha_cat"]["total"]
        assert abs(found.get(name, 0) / result.n_deals - part) < 4.5 * (part * (1 - part) / result.n_deals) ** 0.5


def test_known_values_of_boards() -> None:
    boards = BoardFrequencies(catalog.game("OMAHA8"), POINTS)
    while not boards.is_done:
        boards.count(20_000)
    result = boards.result()
    assert result.n_boards == boards.n_deals == boards.n_counted == KNOWN["board_low"]["total"]
    assert result.n_low_possible == KNOWN["board_low"]["count"]
    assert {Fraction(n, result.n_boards) for n in result.n_with_rank} == {Fraction(KNOWN["queen_board"]["fraction"])}


def test_boards_know_what_is_held_and_what_is_dead() -> None:
    game = catalog.game("OMAHA8")
    held, dead = parse_cards("AsAdKhQh"), parse_cards("2c2d2h2s3c3d3h3s4c4d4h4s")
    boards = BoardFrequencies(game, POINTS, board=parse_cards("5s6s"), held=held, dead=dead)
    boards.count(1 << 40)
    result = boards.result()
    assert result.n_boards == comb(52 - 4 - 12 - 2, 3)
    assert result.n_with_rank[0] == 0
    assert result.n_with_rank[3] == result.n_boards
    # Of the ranks up to eight only A, 5, 6, 7 and 8 are left, so all five must come together: three on the board.
    third = sum(comb(n, 3) - comb(n - m, 3) for n, m in ((34, 10),))
    assert result.n_low_possible == third
    assert BoardFrequencies(catalog.game("HOLDEM"), POINTS).result().n_low_possible is None


def test_samples_repeat_and_come_near() -> None:
    game, hand = catalog.game("STUD_LOW_HOLE"), parse_cards("As2d3h4c")
    exact = counted(game, hand)
    whole, cut = (HandFrequencies(game, POINTS, hand) for _ in range(2))
    whole.sample(20_000, seed=5)
    for size in (1, 9_999, 10_000):
        cut.sample(size, seed=5)
    result = whole.result()
    assert cut.result() == result
    assert not result.is_exact
    for name, count in by_category(exact.high).items():
        part = count / exact.n_deals
        error = (part * (1 - part) / result.n_deals) ** 0.5
        assert abs(by_category(result.high).get(name, 0) / result.n_deals - part) < 4.5 * error


def test_the_result_does_not_depend_on_how_the_counting_is_cut() -> None:
    game, board = catalog.game("OMAHA"), parse_cards("As4s8d9d")
    assert counted(game, board=board, step=1) == counted(game, board=board)


@pytest.mark.parametrize(
    ("game_id", "hand", "board", "dead", "said"),
    [
        ("HOLDEM", "AsKsQs", "", "", "at most 2 cards"),
        ("HOLDEM", "AsKs", "As", "", "stands twice"),
        ("HOLDEM", "AsKs", "", "Ks", "stands twice"),
        ("HOLDEM", "X1", "", "", "not in the deck"),
        ("SHORT_HOLDEM", "", "", "AsKsQsJsTs9s8s7s6sAdKdQdJdTd9d8d7d6dAhKhQhJhTh9h8h7h6hAcKcQc", "CARD-08"),
    ],
)
def test_what_cannot_be_dealt_is_refused(game_id: str, hand: str, board: str, dead: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        HandFrequencies(
            catalog.game(game_id), POINTS, parse_cards(hand), board=parse_cards(board), dead=parse_cards(dead)
        )


def test_boards_are_asked_of_games_that_have_one() -> None:
    with pytest.raises(InputError, match="no common cards"):
        BoardFrequencies(catalog.game("STUD7"), POINTS)
    with pytest.raises(InputError, match="stands twice"):
        BoardFrequencies(catalog.game("HOLDEM"), POINTS, board=parse_cards("As"), held=parse_cards("As"))


def test_deals_are_counted_or_sampled_and_never_both() -> None:
    frequencies = HandFrequencies(catalog.game("HOLDEM"), POINTS)
    frequencies.sample(10, seed=1)
    with pytest.raises(InputError, match="another seed"):
        frequencies.sample(10, seed=2)
    with pytest.raises(InputError, match="not both"):
        frequencies.count(10)
    frequencies = HandFrequencies(catalog.game("HOLDEM"), POINTS)
    frequencies.count(10)
    with pytest.raises(InputError, match="not both"):
        frequencies.sample(10)
