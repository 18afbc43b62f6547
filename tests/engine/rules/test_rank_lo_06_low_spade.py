"""RANK-LO-06: half of the pot goes to the lowest spade that lies face down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from homegame_engine.events import LayerAwarded, Share
from tests.game_hands import check_down, deal_game, of_kind, play_game
from tests.rulebook_examples import Example, as_parameters, examples_of_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.hand import Hand


def stud(cards: Sequence[str], stacks: Sequence[int] = (), **changes: object) -> Hand:
    """Stud with high and low spade; the third to the sixth card of each text lie face up."""
    return deal_game(
        "STUD_LOW_SPADE",
        list(stacks) or [100] * len(cards),
        house="HOUSE_NIGHT",
        cards=cards,
        button=len(cards) - 1,
        bring_in_chips=0,
        **changes,  # type: ignore[arg-type]
    )


def parts_of(hand: Hand) -> dict[str, tuple[Share, ...]]:
    return {award.part: award.shares for award in of_kind(check_down(hand), LayerAwarded)}


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("low_spade")))
def test_low_spade_examples(example: Example) -> None:
    # The example's two cards lie in the hole, the third one face down is a club, and nobody shows a spade.
    down = example.input["down"]
    up = ("3h5h7h9h", "3d5d7d9d", "4h6h8hTh")
    last = ("4c", "6c", "8c")
    cards = ["".join(hole) + up[i] + last[i] for i, hole in enumerate(down.values())]
    ((seat,),) = [[share.seat for share in shares] for part, shares in parts_of(stud(cards)).items() if part == "LOW"]
    assert list(down)[seat] == example.expected["low_spade"]


def test_rank_lo_06_only_cards_face_down_count() -> None:
    # Seat 1 shows the deuce and the trey of spades; seat 0's nine lies in the hole.
    hand = stud(("9s4h5d7dTcJc6h", "KhKd2s3sQcQhAd"))
    assert parts_of(hand) == {"HIGH": (Share(seat=1, chips=1),), "LOW": (Share(seat=0, chips=1),)}


def test_rank_lo_06_the_seventh_card_lies_face_down_too() -> None:
    hand = stud(("9s4h5d7dTcJc6h", "KhKd3h3dQcQh2s"))
    assert parts_of(hand) == {"HIGH": (Share(seat=1, chips=1),), "LOW": (Share(seat=1, chips=1),)}


def test_rank_lo_06_the_ace_of_spades_is_high() -> None:
    hand = stud(("As4h5d7dTcJc6h", "KhKd3h3dQcQhKs"))
    assert parts_of(hand)["LOW"] == (Share(seat=1, chips=1),)


def test_rank_lo_06_without_a_spade_in_any_hole_high_takes_all() -> None:
    hand = stud(("9h4h5s7sTcJc6h", "KhKd3s4sQcQhKc"))
    assert parts_of(hand) == {"WHOLE": (Share(seat=1, chips=2),)}


def test_rank_lo_06_a_folded_spade_counts_for_nothing() -> None:
    hand = stud(("2s4h5d7dTcJc6h", "KhKd3h3dQcQhAs", "9h9d8h8dTd6c5h"))
    while hand.street < 4:
        play_game(hand, "k")
    assert hand.actor == 1
    awards = of_kind(play_game(hand, "b1 c f"), LayerAwarded)
    assert {award.part: award.shares[0].seat for award in awards} == {"HIGH": 1, "LOW": 1}


def test_rank_lo_06_each_layer_has_its_own_low_spade() -> None:
    # Seat 0 has the deuce but only its ante; the extra layer's low spade is seat 2's.
    hand = stud(("2s4h5d7dTcJc6h", "KhKd3h3dQcQhAs", "9s9d8h8dTd6c5h"), stacks=(1, 100, 100))
    play_game(hand, "b4 c")
    check_down(hand)
    assert hand.won_chips == (1, 6, 4)


def test_rank_lo_06_the_odd_unit_is_the_high_hands() -> None:
    hand = stud(("9s4h5d7dTcJc6h", "KhKd2h3sQcQhAd"), dead_chips=1)
    assert parts_of(hand) == {"HIGH": (Share(seat=1, chips=2),), "LOW": (Share(seat=0, chips=1),)}
