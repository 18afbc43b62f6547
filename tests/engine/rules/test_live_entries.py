"""What the dealer of a real table enters (table mode LIVE): BET-NL-09 to BET-NL-11, BET-PL-05, GAME-ST-08, -12, -14 and -15."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from homegame_engine import events as ev
from homegame_engine.actions import AnyAction, BringIn, Call, Check, Complete, Fold
from homegame_engine.cards import format_card, full_deck, parse_cards
from homegame_engine.errors import InputError, RuleViolation
from homegame_engine.live_entries import LiveHand, SpokenWager
from homegame_engine.reasons import Reason
from tests.game_hands import check_down, deal_game, of_kind, rules_of
from tests.table_builders import assert_refused, deal, house_rules, play

if TYPE_CHECKING:
    from collections.abc import Callable

    from homegame_engine.live_entries import TableMode
    from homegame_engine.specs import Structure

DEEP = 10_000


def holdem(structure: Structure = "NO_LIMIT", *, words: str = "", table_mode: TableMode = "LIVE") -> LiveHand:
    """Three players of hold'em, blinds 50/100, seat 0 with the button first to act, after some actions."""
    hand = deal([DEEP] * 3, structure=structure, blinds=(50, 100))
    play(hand, words)
    return LiveHand(hand, house_rules("CLUB", structure, (50, 100)), table_mode)


def stud(up_cards: str = "4h 9c Kd", *, table_mode: TableMode = "LIVE") -> LiveHand:
    """Stud at the club, ante 1, bring-in 1, bets of 2 and 4; each seat's up card as text, seat 0 left of the dealer."""
    shown = up_cards.split()
    unseen = iter(format_card(card) for card in full_deck() if card not in parse_cards("".join(shown)))
    sizes: dict[str, Any] = {"ante_chips": 1, "bring_in_chips": 1, "small_bet_chips": 2, "big_bet_chips": 4}
    cards = [next(unseen) + next(unseen) + card for card in shown]
    hand = deal_game("STUD7", [100] * len(shown), button=len(shown) - 1, cards=cards, **sizes)
    return LiveHand(hand, rules_of("CLUB", **sizes), table_mode)


def enter(table: LiveHand, **entry: object) -> tuple[ev.AnyEvent, ...]:
    """Enter a wager of the seat to act."""
    return table.enter_wager(table.hand.actor, SpokenWager(**entry))  # type: ignore[arg-type]


def assert_entry_refused(table: LiveHand, entry: Callable[[], object], reason: Reason, rule_id: str) -> None:
    """Hold that an entry is refused with reason and rule, and that the refusal leaves the hand as it was."""
    before = table.hand.encode()
    with pytest.raises(RuleViolation) as caught:
        entry()
    assert (caught.value.reason, caught.value.rule_id) == (reason, rule_id)
    assert table.hand.encode() == before


# --- Words and chips (BET-NL-09, BET-NL-10, BET-PL-05) -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "street_chips"),
    [
        pytest.param({"said": "RAISE", "said_to_chips": 300, "pushed_chips": 500}, 300, id="said 300, pushed 500"),
        pytest.param({"said_to_chips": 700, "pushed_chips": 70}, 700, id="said 700, pushed 70"),
        pytest.param({"said": "CALL", "pushed_chips": 5000}, 100, id="said call"),
        pytest.param(
            {"pushed_chips": 500, "is_single_chip": True}, 100, id="one chip without words: a call of the blind"
        ),
        pytest.param({"said": "RAISE", "pushed_chips": 500, "is_single_chip": True}, 500, id="one chip and the word"),
        pytest.param(
            {"said": "RAISE", "pushed_chips": 900}, 900, id="several motions after the word, as they lie at last"
        ),
        pytest.param({"pushed_chips": 400}, 400, id="chips that make a raise"),
    ],
)
def test_bet_nl_09_words_beat_chips(entry: dict[str, object], street_chips: int) -> None:
    table = holdem()
    enter(table, **entry)
    assert table.hand.street_chips[0] == street_chips


def test_bet_nl_09_a_single_chip_where_nobody_has_bet_is_a_bet_of_its_value() -> None:
    table = holdem(words="c c k")
    enter(table, pushed_chips=500, is_single_chip=True)
    assert table.hand.street_chips[1] == 500


def test_bet_nl_09_on_a_screen_only_the_amount_counts() -> None:
    table = holdem(table_mode="VIRTUAL")
    entry = SpokenWager(said_to_chips=700, pushed_chips=70)
    assert_entry_refused(table, lambda: table.enter_wager(0, entry), Reason.WRONG_TABLE_MODE, "BET-NL-09")
    table.enter(0, Call(call_chips=100))


@pytest.mark.parametrize(
    ("entry", "street_chips"),
    [
        pytest.param({"said": "RAISE", "said_to_chips": 150}, 200, id="a raise below the minimum is the minimum"),
        pytest.param({"said": "RAISE", "pushed_chips": 110}, 200, id="so is a word with too few chips"),
        pytest.param({"pushed_chips": 160}, 100, id="too much for a call is no raise"),
        pytest.param({"pushed_chips": 90}, 100, id="a short call is topped up"),
        pytest.param({"said_to_chips": 10**9}, DEEP, id="nobody bets more than the stack"),
    ],
)
def test_bet_nl_10_a_wrong_size_is_made_right_and_not_refused(entry: dict[str, object], street_chips: int) -> None:
    table = holdem()
    enter(table, **entry)
    assert table.hand.street_chips[0] == street_chips


def test_bet_nl_10_a_bet_below_the_minimum_is_the_minimum() -> None:
    table = holdem(words="c c k")
    enter(table, said="BET", said_to_chips=20)
    assert table.hand.street_chips[1] == 100


def test_bet_nl_10_a_wager_that_is_not_open_is_refused_as_on_a_screen() -> None:
    hand = deal([DEEP, DEEP, 280], structure="NO_LIMIT", blinds=(50, 100))
    play(hand, "r200 c r280")
    table = LiveHand(hand, house_rules("CLUB", "NO_LIMIT", (50, 100)))
    raise_again = SpokenWager(said="RAISE", said_to_chips=1000)
    assert_entry_refused(table, lambda: table.enter_wager(0, raise_again), Reason.RAISE_NOT_REOPENED, "BET-NL-07")
    enter(table, pushed_chips=1000)
    assert table.hand.street_chips[0] == 280


@pytest.mark.parametrize(
    ("words", "seat", "entry", "street_chips"),
    [
        pytest.param("", 0, {"said": "RAISE", "said_to_chips": 5000}, 350, id="cut to the highest legal amount"),
        pytest.param("c c k", 1, {"said": "BET", "said_to_chips": 5000}, 300, id="cut to the pot"),
        pytest.param("c c k", 1, {"pushed_chips": 1000, "is_single_chip": True}, 300, id="one chip is a pot-size bet"),
        pytest.param(
            "", 0, {"pushed_chips": 1000, "is_single_chip": True}, 100, id="one chip facing a wager is a call"
        ),
    ],
)
def test_bet_pl_05_too_much_is_cut_to_the_pot(
    words: str, seat: int, entry: dict[str, object], street_chips: int
) -> None:
    table = holdem("POT_LIMIT", words=words)
    enter(table, **entry)
    assert table.hand.street_chips[seat] == street_chips


def test_bet_gen_17_a_limit_wager_of_any_size_is_the_nearest_legal_one() -> None:
    table = holdem("LIMIT")
    enter(table, said="RAISE", said_to_chips=1000)
    assert table.hand.street_chips[0] == 150
    enter(table, said="RAISE", said_to_chips=20)
    assert table.hand.street_chips[1] == 200


@pytest.mark.parametrize(("said", "street_chips"), [(60, 50), (64, 75), (90, 100), (30, 50), (500, 125)])
def test_bet_gen_17_a_spread_limit_wager_is_the_nearest_multiple_in_the_range(said: int, street_chips: int) -> None:
    sizes: dict[str, Any] = {"unit_chips": 1, "ante_chips": 25, "spread_min_chips": 25, "spread_max_chips": 100}
    hand = deal_game("FIVE_CARD_DRAW", [DEEP] * 3, house="HOUSE_NIGHT", **sizes)
    play(hand, "b25")
    table = LiveHand(hand, rules_of("HOUSE_NIGHT", **sizes))
    enter(table, said="RAISE", said_to_chips=said)
    assert table.hand.street_chips[2] == street_chips


def test_silence_without_chips_is_no_wager() -> None:
    for words in ("", "c c k"):
        table = holdem(words=words)
        with pytest.raises(InputError, match="nothing was said"):
            enter(table)


def test_to_say_call_where_nothing_is_owed_is_a_check() -> None:
    table = holdem(words="c c k")
    happened = enter(table, said="CALL", pushed_chips=100)
    assert of_kind(happened, ev.PlayerChecked) == [ev.PlayerChecked(seat=1)]


# --- A call taken back (BET-NL-11) -------------------------------------------------------------------------------------------


def misunderstood() -> LiveHand:
    """A has bet 300 and B raised to 1200; C, who thinks that 300 is the price, is to act."""
    table = holdem(words="c c k b300 r1200")
    assert table.hand.actor == 0
    return table


def test_bet_nl_11_a_call_by_far_too_small_may_be_taken_back() -> None:
    table = misunderstood()
    before = table.hand.encode()
    enter(table, pushed_chips=300)
    assert table.hand.street_chips[0] == 1200
    table.withdraw_call(300)
    assert table.hand.encode() == before
    table.enter(0, Fold())


@pytest.mark.parametrize(("put_in_chips", "stands"), [(959, False), (960, True), (1200, True)])
def test_bet_nl_11_four_fifths_of_the_call_bind(put_in_chips: int, *, stands: bool) -> None:
    table = misunderstood()
    enter(table, said="CALL")
    if stands:
        assert_entry_refused(table, lambda: table.withdraw_call(put_in_chips), Reason.CALL_STANDS, "BET-NL-11")
    else:
        table.withdraw_call(put_in_chips)
        assert table.hand.street_chips[0] == 0


def test_bet_nl_11_a_call_stands_once_somebody_acted_behind() -> None:
    table = misunderstood()
    assert_entry_refused(table, lambda: table.withdraw_call(300), Reason.CALL_STANDS, "BET-NL-11")
    enter(table, pushed_chips=300)
    table.enter(1, Fold())
    assert_entry_refused(table, lambda: table.withdraw_call(300), Reason.CALL_STANDS, "BET-NL-11")


def test_bet_nl_11_a_call_on_a_screen_stands() -> None:
    table = holdem(table_mode="VIRTUAL")
    table.enter(0, Call(call_chips=100))
    assert_entry_refused(table, lambda: table.withdraw_call(10), Reason.WRONG_TABLE_MODE, "BET-NL-11")


# --- The wrong low card (GAME-ST-08) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [BringIn(), Complete()])
def test_game_st_08_the_wager_goes_back_while_the_next_player_has_not_acted(action: BringIn | Complete) -> None:
    table = stud()
    before = table.hand.encode()
    table.enter_wrong_bring_in(1, action)
    assert table.hand.actor == 2
    table.correct_bring_in()
    assert table.hand.encode() == before
    assert (table.hand.actor, set(table.hand.legal_actions().kinds)) == (0, {"bring_in", "complete"})


def test_game_st_08_afterwards_it_stands_and_the_low_card_owes_nothing_of_its_own() -> None:
    table = stud()
    table.enter_wrong_bring_in(1, BringIn())
    table.enter(2, Call(call_chips=1))
    assert_entry_refused(table, table.correct_bring_in, Reason.ACTION_STANDS, "GAME-ST-08")
    assert table.hand.bring_in_seat == 1
    assert table.hand.actor == 0
    assert {"fold", "call", "complete"} <= set(table.hand.legal_actions().kinds), "to call like anybody else"
    table.enter(0, Fold())
    assert table.hand.street == 1, "the bring-in has acted"


def test_game_st_08_nothing_wrong_nothing_to_correct() -> None:
    table = stud()
    assert_entry_refused(table, table.correct_bring_in, Reason.ACTION_STANDS, "GAME-ST-08")
    table.enter(0, BringIn())
    assert_entry_refused(table, table.correct_bring_in, Reason.ACTION_STANDS, "GAME-ST-08")
    with pytest.raises(InputError, match="no bring-in is owed"):
        table.enter_wrong_bring_in(1, BringIn())


@pytest.mark.parametrize("seat", [-1, 3])
def test_game_st_08_somebody_at_the_table_brings_in(seat: int) -> None:
    table = stud()
    before = table.hand.encode()
    with pytest.raises(InputError, match="no live hand"):
        table.enter_wrong_bring_in(seat, BringIn())
    assert table.hand.encode() == before


# --- Cards that move when they should not (GAME-ST-12, GAME-ST-14, GAME-ST-15) -------------------------------------------------


def test_game_st_12_picking_up_the_cards_before_a_wager_is_a_fold() -> None:
    table = stud()
    table.enter(0, BringIn())
    happened = table.pick_up_cards(1)
    assert of_kind(happened, ev.PlayerFolded) == [ev.PlayerFolded(seat=1)]


def test_game_st_12_out_of_turn_it_waits_for_the_turn() -> None:
    table = stud()
    table.enter(0, BringIn())
    assert_entry_refused(table, lambda: table.pick_up_cards(2), Reason.OUT_OF_TURN, "BET-GEN-01")


def test_game_st_12_at_showdown_it_means_nothing() -> None:
    table = stud()
    check_down(table.hand, until=["SHOWDOWN"])
    before = table.hand.encode()
    assert table.hand.phase == "SHOWDOWN"
    assert table.pick_up_cards(table.hand.actor) == ()
    assert table.hand.encode() == before


@pytest.mark.parametrize("number", [1, 2])
def test_game_st_14_one_of_the_first_two_private_cards_exposed_is_a_misdeal(number: int) -> None:
    table = stud()
    table.enter(0, BringIn())
    table.enter(1, Call(call_chips=1))
    table.expose_private_card(2, number)
    assert table.is_misdeal
    later: list[Callable[[], object]] = [
        lambda: table.enter(2, Fold()),
        lambda: enter(table, said="CALL"),
        lambda: table.expose_private_card(1, 1),
        lambda: table.remove_early_cards(1),
        lambda: table.enter_wrong_bring_in(1, BringIn()),
    ]
    for entry in later:
        assert_entry_refused(table, entry, Reason.MISDEAL_DECLARED, "GAME-ST-14")
    assert table.hand.start_stacks == (100, 100, 100)


def test_game_st_14_not_once_two_players_have_acted_after_the_bring_in() -> None:
    table = stud()
    actions: list[tuple[int, AnyAction]] = [(0, BringIn()), (1, Call(call_chips=1)), (2, Call(call_chips=1))]
    for seat, action in actions:
        table.enter(seat, action)
    assert_entry_refused(table, lambda: table.expose_private_card(2, 1), Reason.MISDEAL_TOO_LATE, "PROC-MISC-02")
    table.enter(2, Check())


@pytest.mark.parametrize(("seat", "number"), [(0, 0), (0, 3), (-1, 1), (3, 1)])
def test_game_st_14_is_about_the_first_two_cards_of_somebody(seat: int, number: int) -> None:
    with pytest.raises(InputError):
        stud().expose_private_card(seat, number)


def test_game_st_15_cards_that_came_too_early_are_out_of_play() -> None:
    table, undisturbed = stud(), stud()
    for some in (table, undisturbed):
        some.enter(0, BringIn())
    first = table.hand.next_deck_position
    happened = table.remove_early_cards(2)
    assert [event.count for event in of_kind(happened, ev.CardsBurned)] == [2]
    for some in (table, undisturbed):
        some.enter(1, Call(call_chips=1))
        some.enter(2, Call(call_chips=1))
    # One more card burns; then the fourth cards come, those two places further down the deck.
    assert undisturbed.hand.hole_positions(0)[-1] == first + 1
    assert table.hand.hole_positions(0)[-1] == first + 3


@pytest.mark.parametrize("count", [-1, 0, 44])
def test_game_st_15_no_more_than_the_stub_has(count: int) -> None:
    table = stud()
    before = table.hand.encode()
    with pytest.raises(InputError, match="cards of the stub"):
        table.remove_early_cards(count)
    assert table.hand.encode() == before


def test_game_st_15_while_a_round_of_betting_is_open() -> None:
    table = stud()
    check_down(table.hand)
    with pytest.raises(InputError, match="no betting round"):
        table.remove_early_cards(1)


@pytest.mark.parametrize("rule_id", ["GAME-ST-08", "GAME-ST-12", "GAME-ST-14", "GAME-ST-15"])
def test_gen_09_no_screen_enters_what_cannot_happen_there(rule_id: str) -> None:
    table = stud(table_mode="VIRTUAL")
    entries: dict[str, Callable[[], object]] = {
        "GAME-ST-08": lambda: table.enter_wrong_bring_in(1, BringIn()),
        "GAME-ST-12": lambda: table.pick_up_cards(0),
        "GAME-ST-14": lambda: table.expose_private_card(0, 1),
        "GAME-ST-15": lambda: table.remove_early_cards(1),
    }
    assert_entry_refused(table, entries[rule_id], Reason.WRONG_TABLE_MODE, rule_id)
    assert_refused(table.hand, BringIn(), Reason.OUT_OF_TURN, "GAME-ST-04", seat=1)
