"""The odds are the counts: every deal once, in every game, whatever is known; samples come near and repeat."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from homegame_engine import catalog
from homegame_engine.cards import CARD_UNKNOWN, parse_cards
from homegame_engine.errors import InputError
from homegame_engine.odds import Odds, OddsResult
from tests.oracles import odds as oracle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.specs import GameSpec, HandRules

KNOWN: dict[str, Any] = {
    value["id"]: value
    for value in json.loads((Path(__file__).parents[2] / "vectors" / "known_values.json").read_text(encoding="utf-8"))
}
RULES = {
    house_id: house.hand_rules(small_blind_chips=1, big_blind_chips=2) for house_id, house in catalog.houses().items()
}
POINTS = RULES["POINTS_NIGHT"]
HOLDEM = catalog.game("HOLDEM")
ANY = ((),)
"""A hand of which nothing is known."""


def hands(*texts: str) -> list[list[tuple[int, ...]]]:
    """One hand for each player; `AsKs`, or a part of the cards."""
    return [[parse_cards(text)] for text in texts]


def pairs_of(rank: str) -> list[tuple[int, ...]]:
    """The six pocket pairs of a rank."""
    return [parse_cards(f"{rank}{a}{rank}{b}") for a, b in itertools.combinations("cdhs", 2)]


def counted(
    game: GameSpec,
    dealt: Sequence[Sequence[Sequence[int]]],
    *,
    rules: HandRules = POINTS,
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    step: int = 1 << 40,
) -> OddsResult:
    """The odds when every deal is counted, `step` evaluations at a time."""
    odds = Odds(game, rules, dealt, board=board, dead=dead)
    while not odds.is_done:
        odds.count(step)
    result = odds.result()
    assert result.is_exact
    assert result.n_deals == odds.n_deals == odds.n_counted
    return result


def assert_agrees(result: OddsResult, expected: list[oracle.Fortune]) -> None:
    """The same parts of all deals, exactly."""
    for player, fortune in zip(result.players, expected, strict=True):
        assert player.n_wins + player.n_ties + player.n_losses == result.n_deals
        assert Fraction(player.n_wins, result.n_deals) == fortune.wins
        assert Fraction(player.n_ties, result.n_deals) == fortune.ties
        assert (player.high_share, player.low_share) == (fortune.high_share, fortune.low_share)
        assert player.share == fortune.high_share + fortune.low_share


def random_deal(
    game: GameSpec, generator: random.Random, *, n_players: int, n_unknown: int, left: set[int]
) -> tuple[list[tuple[int, ...]], tuple[int, ...], set[int]]:
    """Hands and a board with `n_unknown` unknown places, and the dead cards that leave only `left` to be dealt."""
    size, n_board = oracle.n_private(game), game.board_card_count
    n_places = n_players * size + n_board
    known = generator.sample(sorted(oracle.deck_of(game) - left), n_places)
    for place in generator.sample(range(n_places), n_unknown):
        known[place] = CARD_UNKNOWN
    dealt = [tuple(known[i * size : (i + 1) * size]) for i in range(n_players)]
    board = tuple(known[n_players * size :])
    return dealt, board, oracle.deck_of(game) - left - set(known)


@pytest.mark.parametrize("game_id", catalog.games())
def test_every_deal_of_every_game_counts_once(game_id: str) -> None:
    game = catalog.game(game_id)
    generator = random.Random(f"{game_id}, two hands")  # noqa: S311 - the seed is part of the test
    for n_unknown in (0, 1, 3, 3):
        left = set(generator.sample(sorted(oracle.deck_of(game)), 9))
        dealt, board, dead = random_deal(game, generator, n_players=2, n_unknown=n_unknown, left=left)
        result = counted(game, [[hand] for hand in dealt], board=board, dead=sorted(dead))
        assert_agrees(result, oracle.fortunes(game, POINTS, [dealt], board, sorted(dead)))


@pytest.mark.parametrize("game_id", catalog.games())
def test_deals_that_differ_by_suits_alone_are_all_counted(game_id: str) -> None:
    """All suits of what is left are alike, so most deals are counted by one that stands for them."""
    game = catalog.game(game_id)
    size, n_board = oracle.n_private(game), game.board_card_count
    # The known cards are whole ranks too: aces and kings for one, queens and sevens for the other, jacks and tens on the board.
    dealt = [parse_cards("AcAdAhAsKcKdKh")[:size][:-1], parse_cards("QcQdQhQs7c7d7h")[:size][:-1]]
    board = parse_cards("JcJdJhJsTc")[: max(n_board - 1, 0)]
    left = set(parse_cards("6c6d6h6s9c9d9h9s"))
    dead = sorted(oracle.deck_of(game) - left - set(board) - {card for hand in dealt for card in hand})
    result = counted(game, [[hand] for hand in dealt], board=board, dead=dead)
    assert_agrees(result, oracle.fortunes(game, POINTS, [dealt], board, dead))


@pytest.mark.parametrize("n_board", [3, 4, 5])
def test_a_hand_that_is_looked_up_by_pairs_counts_as_one_that_is_dealt(n_board: int) -> None:
    generator = random.Random(f"two unknown hands, {n_board} common cards")  # noqa: S311 - the seed is part of the test
    for _ in range(3):
        cards = generator.sample(range(52), 52)
        board, mine, left = cards[:n_board], cards[5:7], cards[7 : 11 + n_board]
        dead = sorted(set(cards) - {*board, *mine, *left})
        result = counted(HOLDEM, [[mine], ANY, ANY], board=board, dead=dead)
        assert_agrees(result, oracle.fortunes(HOLDEM, POINTS, [(mine, (), ())], board, dead))


def test_named_hands_count_for_every_combination_without_a_card_twice() -> None:
    board = parse_cards("2c7d9hJs")
    mine, theirs = pairs_of("A"), [parse_cards(text) for text in ("AcKc", "AdKd", "QhQs", "JsTs")]
    deals = [(a, b) for a in mine for b in theirs if not {*a} & {*b} and not {*b} & {*board}]
    assert len(deals) == 6 + 3 + 3
    assert_agrees(counted(HOLDEM, [mine, theirs], board=board), oracle.fortunes(HOLDEM, POINTS, deals, board))


def test_known_value_of_as_ks_against_qh_qd() -> None:
    result = counted(HOLDEM, hands("AsKs", "QhQd"))
    value = KNOWN["eq_AsKs_QhQd"]["value"]
    player, other = result.players
    assert (player.n_wins, player.n_ties, player.n_losses) == (value["win"], value["tie"], value["loss"])
    assert result.n_deals == value["total"]
    assert float(player.share) == pytest.approx(value["equity"], abs=1e-15)
    assert (other.n_wins, other.n_losses) == (value["loss"], value["win"])
    assert player.standard_error == 0.0


def test_known_value_of_aces_against_kings() -> None:
    result = counted(HOLDEM, [pairs_of("A"), pairs_of("K")])
    value = KNOWN["eq_AA_KK"]["value"]
    player = result.players[0]
    assert (player.n_wins, player.n_ties, player.n_losses) == (value["win"], value["tie"], value["loss"])
    assert result.n_deals == value["total"]
    assert float(player.share) == pytest.approx(value["equity"], abs=1e-15)


@pytest.mark.slow
def test_known_value_of_a_tie_of_two_random_hands() -> None:
    result = counted(HOLDEM, [ANY, ANY])
    assert Fraction(result.n_sharing[1], result.n_deals) == Fraction(KNOWN["tie_hu"]["value"]["fraction"])


def test_known_value_of_a_tie_of_two_random_hands_is_sampled_well() -> None:
    odds = Odds(HOLDEM, POINTS, [ANY, ANY])
    odds.sample(400_000, seed=1)
    expected = Fraction(KNOWN["tie_hu"]["value"]["fraction"])
    result = odds.result()
    assert abs(result.n_sharing[1] / result.n_deals - expected) < 4 * (float(expected) / result.n_deals) ** 0.5


def test_known_value_of_ties_of_four_random_hands() -> None:
    odds = Odds(HOLDEM, POINTS, [ANY] * 4)
    n_deals = 400_000
    odds.sample(n_deals, seed=4)
    for n_best, n_found in enumerate(odds.result().n_sharing, start=1):
        expected = KNOWN["tie_4"]["value"][str(n_best)]
        own_error = 4 * (expected * (1 - expected) / n_deals) ** 0.5
        assert abs(n_found / n_deals - expected) < own_error + KNOWN["tie_4"]["tolerance"][str(n_best)]


@pytest.mark.parametrize("n_players", KNOWN["allin_share"]["value"]["n"])
def test_known_value_of_all_in_on_random_cards(n_players: int) -> None:
    """Exchangeable hands have equal shares: exactly where all deals are counted, within their error where they are sampled."""
    share = Fraction(KNOWN["allin_share"]["value"]["share"][KNOWN["allin_share"]["value"]["n"].index(n_players)])
    sampled = Odds(HOLDEM, POINTS, [ANY] * n_players)
    sampled.sample(50_000, seed=n_players)
    assert sum(player.share for player in sampled.result().players) == 1
    for player in sampled.result().players:
        assert abs(player.share - share) < 4.5 * player.standard_error
    if n_players <= 3:
        result = counted(HOLDEM, [ANY] * n_players, board=parse_cards("2c7d9hJsQs"))
        assert [player.share for player in result.players] == [share] * n_players


def test_the_result_does_not_depend_on_how_the_counting_is_cut() -> None:
    board = parse_cards("2c7d9h")
    whole = counted(HOLDEM, [pairs_of("A"), *hands("KsQs", "7h")], board=board)
    assert counted(HOLDEM, [pairs_of("A"), *hands("KsQs", "7h")], board=board, step=997) == whole


def test_the_result_does_not_depend_on_how_the_sampling_is_cut() -> None:
    dealt = [[*pairs_of("A"), *pairs_of("K")], [*pairs_of("K"), parse_cards("AsKs")]]
    whole, parts, other = (Odds(HOLDEM, POINTS, dealt) for _ in range(3))
    whole.sample(3000, seed=7)
    for size in (1, 999, 2000):
        parts.sample(size, seed=7)
    other.sample(3000, seed=8)
    assert parts.result() == whole.result() != other.result()
    assert not whole.result().is_exact


@pytest.mark.parametrize(
    ("game_id", "dealt"),
    [
        ("HOLDEM", [pairs_of("A")[:2], [parse_cards("AsKs"), parse_cards("KdKh")]]),
        ("OMAHA8", hands("AsKs2h3d", "QcQdJhTh")),
        ("STUD_LOW_SPADE", hands("As2d3h4c7h", "KsKdQh2c5s")),
        ("JACKS_TRIPS", hands("AsAd3h", "KsKdQh")),
    ],
)
def test_samples_come_as_near_as_their_error_says(game_id: str, dealt: list[list[tuple[int, ...]]]) -> None:
    game = catalog.game(game_id)
    exact = counted(game, dealt)
    odds = Odds(game, POINTS, dealt)
    odds.sample(50_000, seed=3)
    result = odds.result()
    for found, expected in zip(result.players, exact.players, strict=True):
        assert 0 < found.standard_error < 0.003
        assert abs(found.share - expected.share) < 4.5 * found.standard_error
        assert abs(found.high_share - expected.high_share) < 0.012
        assert abs(found.n_ties / result.n_deals - expected.n_ties / exact.n_deals) < 0.012
    assert abs(result.n_without_low / result.n_deals - exact.n_without_low / exact.n_deals) < 0.012
    assert abs(result.n_unawarded / result.n_deals - exact.n_unawarded / exact.n_deals) < 0.012


def test_game_dc_11_the_house_says_which_low_wins() -> None:
    """A-2-3-4-5 is the best low to five and a straight to six."""
    razz, dealt = catalog.game("RAZZ"), hands("As2d3h4c5hKsQd", "7s6d4h3c2hKdQc")
    assert counted(razz, dealt, rules=RULES["CLUB"]).players[0].n_wins == 1
    assert counted(razz, dealt, rules=RULES["HOUSE_NIGHT"]).players[0].n_losses == 1


def test_game_dc_06_nobody_wins_without_the_hand_that_it_takes() -> None:
    result = counted(catalog.game("JACKS_TRIPS"), hands("AsAdKhQc7h", "KsKdQh2c5s"))
    assert (result.n_unawarded, result.n_deals) == (1, 1)
    assert [player.share for player in result.players] == [0, 0]


def test_game_om8_01_without_a_low_high_takes_all() -> None:
    result = counted(catalog.game("OMAHA8"), hands("AsKs2h3d", "QcQdJhTh"), board=parse_cards("QsJc9d8h8c"))
    assert result.n_without_low == 1
    assert result.players[1].n_wins == 1
    assert result.players[1].high_share == 1


def test_a_declared_game_is_judged_as_if_all_had_declared_for_what_they_win() -> None:
    result = counted(catalog.game("STUD_DECLARE"), hands("AsAdAhAc5h6h9d", "2d3d4c7c8sKsQd"))
    assert [(player.high_share, player.low_share) for player in result.players] == [
        (Fraction(1, 2), 0),
        (0, Fraction(1, 2)),
    ]


@pytest.mark.parametrize(
    ("game_id", "dealt", "board", "dead", "said"),
    [
        ("HOLDEM", hands("AsKs"), "", "", "2 to 10 hands"),
        ("HOLDEM", hands("AsKsQs", "2c2d"), "", "", "at most 2 cards"),
        ("HOLDEM", hands("AsAs", "2c2d"), "", "", "As stands twice"),
        ("HOLDEM", hands("AsKs", "As2d"), "", "", "exclude one another"),
        ("HOLDEM", [pairs_of("A"), pairs_of("A"), pairs_of("A")], "", "", "exclude one another"),
        ("HOLDEM", hands("AsKs", "2c2d"), "As", "", "on the board or are dead"),
        ("HOLDEM", hands("AsKs", "2c2d"), "", "Ks", "on the board or are dead"),
        ("HOLDEM", hands("AsKs", "2c2d"), "7h", "7h", "cannot be dead"),
        ("HOLDEM", hands("AsKs", "X1"), "", "", "X1 is not in the deck"),
        ("SHORT_HOLDEM", hands("AsKs", "5c"), "", "", "5c is not in the deck"),
        ("STUD7", hands(*[""] * 8), "", "", "CARD-08"),
        ("IRISH", hands("AsKsQsJs", ""), "", "", "at most 2 cards"),
        ("FIVE_CARD_DRAW", hands("As", "Ks"), "2c", "", "at most 0 cards"),
        ("HOLDEM", [[parse_cards("AsKs"), parse_cards("As")], *hands("2c")], "", "", "same cards are known"),
        ("HOLDEM", [[(60, 61)], *hands("2c")], "", "", "no card has the code 60"),
        ("HOLDEM", [[], *hands("2c")], "", "", "same cards are known"),
    ],
)
def test_what_cannot_be_dealt_is_refused(
    game_id: str, dealt: list[list[tuple[int, ...]]], board: str, dead: str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        Odds(catalog.game(game_id), POINTS, dealt, board=parse_cards(board), dead=parse_cards(dead))


def test_deals_are_counted_or_sampled_and_never_both() -> None:
    odds = Odds(HOLDEM, POINTS, hands("AsKs", "2c2d"), board=parse_cards("7h8h9h"))
    with pytest.raises(InputError, match="nothing is counted"):
        odds.result()
    odds.sample(10, seed=1)
    with pytest.raises(InputError, match="another seed"):
        odds.sample(10, seed=2)
    with pytest.raises(InputError, match="not both"):
        odds.count(10)


def test_too_many_combinations_can_only_be_sampled() -> None:
    every = list(itertools.combinations(parse_cards("AsKdQhJcTs9d8h7c6s5d"), 2))
    odds = Odds(HOLDEM, POINTS, [every] * 4)
    assert odds.n_deals is None
    assert odds.n_evaluations is None
    with pytest.raises(InputError, match="too many deals"):
        odds.count(1000)
    odds.sample(1000)
    assert sum(player.share for player in odds.result().players) == 1
    hopeless = Odds(HOLDEM, POINTS, [every] * 6)
    with pytest.raises(InputError, match="exclude one another"):
        hopeless.sample(1000)


def test_more_deals_than_can_be_counted_are_refused() -> None:
    odds = Odds(HOLDEM, POINTS, [ANY] * 4)
    assert odds.n_deals is not None
    assert odds.n_deals > 1 << 50
    with pytest.raises(InputError, match="too many deals"):
        odds.count(1000)
