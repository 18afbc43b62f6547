"""The cut, and where each card of a deal lies: PROC-SHUF-02, PROC-DEAL-01, PROC-BURN-01."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homegame_engine import catalog
from homegame_engine.cards import full_deck
from homegame_engine.deal_proof import DECK_CARDS, committed_position, cut, deal_layout, dealt_position
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.events import BoardDealt
from homegame_engine.hand import Hand
from tests.strategies import shuffled_deck
from tests.table_builders import house_rules, play

DECK = shuffled_deck(4)


def test_proc_shuf_02_the_cards_above_the_cut_go_to_the_bottom() -> None:
    assert list(cut(full_deck(), 17)) == [*range(17, 52), *range(17)]


@pytest.mark.parametrize("cut_position", [1, 51])
def test_proc_shuf_02_one_card_and_all_but_one_can_be_cut(cut_position: int) -> None:
    assert cut(DECK, cut_position) == DECK[cut_position:] + DECK[:cut_position]


@pytest.mark.parametrize("cut_position", [-1, 0, 52, 53])
def test_proc_shuf_02_a_cut_lies_inside_the_deck(cut_position: int) -> None:
    for refused in (lambda at: cut(DECK, at), lambda at: committed_position(0, at), lambda at: dealt_position(0, at)):
        with pytest.raises(RuleViolation) as caught:
            refused(cut_position)
        assert (caught.value.reason, caught.value.rule_id) == ("BAD_CUT", "PROC-SHUF-02")
        assert dict(caught.value.facts) == {"cut_position_min": 1, "cut_position_max": 51}


def test_proc_shuf_02_only_a_whole_deck_is_cut() -> None:
    with pytest.raises(RuleViolation, match="BAD_DECK"):
        cut(DECK[:-1], 17)


@given(cut_position=st.integers(1, 51), place=st.integers(0, 51))
def test_proc_shuf_02_a_dealt_card_leads_back_to_its_committed_place(cut_position: int, place: int) -> None:
    committed = committed_position(place, cut_position)
    assert cut(DECK, cut_position)[place] == DECK[committed]
    assert dealt_position(committed, cut_position) == place


@pytest.mark.parametrize("place", [-1, DECK_CARDS])
def test_proc_shuf_02_no_place_beyond_the_deck(place: int) -> None:
    for refused in (committed_position, dealt_position):
        with pytest.raises(InputError, match="position"):
            refused(place, 17)


@pytest.mark.parametrize("house", ["POINTS_NIGHT", "CASH_NIGHT"])
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_proc_deal_01_the_layout_says_where_the_hand_deals_from(house: str, data: st.DataObject) -> None:
    """Also PROC-BURN-01 and CARD-07: the board comes from behind the burns of the house."""
    n_seats = data.draw(st.integers(2, 10), label="n_seats")
    dealt_in = data.draw(st.sets(st.integers(0, n_seats - 1), min_size=2), label="dealt_in")
    button = data.draw(st.integers(0, n_seats - 1) if len(dealt_in) > 2 else st.sampled_from(sorted(dealt_in)))
    game, rules = catalog.game("HOLDEM"), house_rules(house)
    hand = Hand.start(
        game,
        rules,
        stacks=[100] * n_seats,
        button=button,
        deck_order=DECK,
        dealt_in=sum(1 << seat for seat in dealt_in),
    )
    events = list(hand.take_events())
    while not hand.is_over and hand.phase == "BETTING":
        events += play(hand, "c" if hand.legal_actions().call_chips else "k")
    layout = deal_layout(game, rules.burns, dealt_in=dealt_in, button=button)
    for seat in dealt_in:
        assert layout.hole_cards[seat] == hand.hole_positions(seat)
        assert tuple(DECK[place] for place in layout.hole_cards[seat]) == hand.hole_cards(seat)
    boards = [event.cards for event in events if isinstance(event, BoardDealt)]
    assert [tuple(DECK[place] for place in street) for street in layout.board] == boards
    assert tuple(map(len, layout.burns)) == rules.burns
    used = sorted(place for part in (*layout.hole_cards.values(), *layout.burns, *layout.board) for place in part)
    assert used == list(range(len(used)))
