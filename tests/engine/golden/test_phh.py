"""Recorded hands in PHH (tests/vectors/phh): replayed to their finishing stacks, and written back."""

from __future__ import annotations

import collections
from pathlib import Path

import msgspec
import pytest

from homegame_engine import catalog
from homegame_engine.actions import BringIn
from homegame_engine.cards import CARD_UNKNOWN, parse_cards
from homegame_engine.errors import InputError
from homegame_engine.events import CardsDrawn, HandMucked, HandShown, UpCardsDealt
from homegame_engine.notation.phh import VARIANTS, PhhHand, read_phh
from homegame_engine.notation.phh_writing import write_phh
from homegame_engine.notation.replay import Replayed, ReplayResult, play, replay
from tests.game_hands import deal_game, play_game, rules_of

FOLDER = Path(__file__).resolve().parents[2] / "vectors" / "phh"
FILES = sorted(FOLDER.rglob("*.phh"))
HANDS = {
    "NT": 506,
    "FT": 3,
    "NS": 1,
    "PO": 4,
    "FO/8": 7,
    "F7S": 6,
    "F7S/8": 3,
    "FR": 4,
    "F2L3D": 4,
    "N2L1D": 3,
    "FB": 1,
}
"""Recorded hands of each variant (README beside them)."""

HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 AsAh", "d dh p2 KsKh", "d dh p3 7c2d", {actions}]
finishing_stacks = {final}
"""

CHOSEN = ("bring_in", "fold", "check_or_call", "bet_or_raise", "draw")
"""What players decide; the rest of a record is dealt and shown."""


def hand(actions: str, final: str = "[100, 100, 100]") -> PhhHand:
    quoted = ", ".join(f'"{action.strip()}"' for action in actions.split(","))
    return read_phh(HAND.format(actions=quoted, final=final))


@pytest.fixture(scope="module")
def records() -> dict[Path, PhhHand]:
    return {file: read_phh(file.read_text(encoding="utf-8")) for file in FILES}


def write(played: Replayed, players: tuple[str, ...] = ()) -> str:
    return write_phh(played.hand, played.rules, played.events, game=played.game, players=players, scale=played.scale)


def test_every_recorded_hand_ends_as_recorded_in_its_house(records: dict[Path, PhhHand]) -> None:
    results = {file: replay(record) for file, record in records.items()}
    assert collections.Counter(record.variant for record in records.values()) == HANDS
    assert {file: result for file, result in results.items() if result.outcome != "matched"} == {}


def test_every_recorded_hand_ends_as_recorded_in_a_card_room(records: dict[Path, PhhHand]) -> None:
    card_room = catalog.house("CARDROOM")
    with_stacks = [record for record in records.values() if record.finishing_stacks is not None]
    assert len(with_stacks) == 537
    assert [record for record in with_stacks if play(record, card_room).hand.stacks != record.finishing_stacks] == []
    assert {replay(record, card_room).outcome for record in records.values()} == {"matched"}


def test_a_hand_that_is_written_and_read_again_is_the_same_hand(records: dict[Path, PhhHand]) -> None:
    for file, record in records.items():
        played = play(record)
        again = read_phh(write(played, record.players))
        assert again.finishing_stacks == played.hand.stacks, file
        dealt = {"actions": record.actions, "finishing_stacks": record.finishing_stacks}
        assert msgspec.structs.replace(again, **dealt) == record, file
        assert play(again).events == played.events, file
        chosen = [[a for a in hand.actions if a.name in CHOSEN] for hand in (record, again)]
        assert chosen[0] == chosen[1], file


def test_a_big_blind_ante_is_dead_money() -> None:
    record = read_phh((FOLDER / "wsop/2023/43/5/66.phh").read_text(encoding="utf-8"))
    played = play(record)
    assert not record.ante_trimming
    assert played.hand.committed_chips[1] + 225_000 + played.hand.stacks[1] == 18_825_000


@pytest.mark.parametrize(
    ("file", "scale", "stacks"),
    [
        # Xuan's queens make a straight on the river; it beats three kings, as always (CARD-03).
        ("phua-xuan-2019.phh", 0, (489_000, 226_000, 684_000, 400_000, 0, 198_000)),
        # Antonius has ace and three for the wheel; amounts in cents.
        ("antonius-blom-2009.phh", 2, (193_792_375, 0)),
        # 7-5-4-3-2 beats 7-6-4-3-2, and the small bet of the last street is all that Yockey has.
        ("arieh-yockey-2019.phh", 0, (0, 4_190_000, 5_910_000, 12_095_000)),
        # Nobody saw a card before the showdown.
        ("alice-carol-wikipedia.phh", 0, (196, 220, 200, 184)),
    ],
)
def test_a_record_without_finishing_stacks_is_settled_by_its_cards(
    file: str, scale: int, stacks: tuple[int, ...]
) -> None:
    record = read_phh((FOLDER / file).read_text(encoding="utf-8"))
    assert (record.scale, record.finishing_stacks) == (scale, None)
    assert play(record).hand.stacks == stacks


def test_gen_08_cards_that_nobody_saw_are_never_guessed() -> None:
    played = play(read_phh((FOLDER / "alice-carol-wikipedia.phh").read_text(encoding="utf-8")))
    draws = [event for event in played.events if isinstance(event, CardsDrawn)]
    assert [len(draw.cards) for draw in draws] == [2, 2, 1, 1, 0, 1, 1, 0]
    assert {card for draw in draws for card in (*draw.discarded, *draw.cards)} == {CARD_UNKNOWN}
    shown = parse_cards("2s4c6d9h3s5d7c8h")
    assert sorted(card for card in played.hand.deck_order if card != CARD_UNKNOWN) == sorted(shown)
    assert played.hand.hole_cards(0) == (CARD_UNKNOWN,) * 4


def test_game_st_04_the_record_of_a_stud_hand_gives_its_order() -> None:
    record = read_phh((FOLDER / "wsop/2023/43/5/11.phh").read_text(encoding="utf-8"))
    played = play(record)
    up = [event.cards for event in played.events if isinstance(event, UpCardsDealt) and event.seat == 1]
    assert up == [parse_cards(card) for card in ("2c", "4h", "7h", "6h")]
    assert "d dh p2 JsJc2c" in write(played)
    assert "p2 pb" in write(played)


def test_a_card_that_is_shown_and_was_not_dealt_is_a_mismatch() -> None:
    text = (FOLDER / "alice-carol-wikipedia.phh").read_text(encoding="utf-8")
    result = replay(read_phh(text.replace("sm 2s4c6d9h", "sm 2s4c6d")))
    assert (result.outcome, "show other cards" in result.text) == ("mismatch", True)


def test_a_record_that_deals_more_than_the_game_is_a_mismatch() -> None:
    result = replay(hand("p3 f, p1 f, d db 3d8h9c"))
    assert (result.outcome, "3 cards more" in result.text) == ("mismatch", True)


def test_a_hand_shown_before_the_board_is_complete_keeps_its_answer() -> None:
    record = read_phh((FOLDER / "dwan-ivey-2009.phh").read_text(encoding="utf-8"))
    played = play(record)
    assert [type(event) for event in played.events if isinstance(event, HandShown | HandMucked)] == [HandShown] * 2
    assert played.hand.stacks == (572_100, 1_997_500, 1_109_500)


def test_unknown_cards_stay_unknown_and_are_mucked() -> None:
    record = hand("p3 f, p1 cc, p2 cc, d db 3d8h9c, p1 cc, p2 cc, d db Jc, p1 cc, p2 cc, d db 4s, p1 cc, p2 cc")
    actions = tuple(
        msgspec.structs.replace(action, cards=(CARD_UNKNOWN,) * 2)
        if (action.name, action.player) == ("deal_hole", 0)
        else action
        for action in record.actions
    )
    played = play(msgspec.structs.replace(record, actions=actions))
    assert HandMucked(seat=0) in played.events
    assert played.hand.hole_cards(0) == (CARD_UNKNOWN,) * 2
    assert played.hand.stacks == (98, 102, 100)


def test_a_hand_dealt_unseen_and_shown_is_known_by_what_it_showed() -> None:
    text = HAND.format(
        actions='"p3 f", "p1 cc", "p2 cc", "d db 3d8h9c", "p1 cc", "p2 cc", "d db Jc", "p1 cc", "p2 cc", "d db 4s", '
        '"p1 cc", "p2 cc", "p1 sm AsAh", "p2 sm KsKh"',
        final="[102, 98, 100]",
    ).replace("p1 AsAh", "p1 ????", 1)
    assert replay(read_phh(text)).outcome == "matched"


def test_heads_up_antes_and_blinds_are_listed_reversed() -> None:
    text = """
    variant = "NT"
    antes = [3, 1]
    blinds_or_straddles = [5, 10]
    min_bet = 10
    starting_stacks = [100, 200]
    actions = ["d dh p1 AsAh", "d dh p2 KsKh", "p2 f"]
    finishing_stacks = [108, 192]
    """
    assert replay(read_phh(text)).outcome == "matched"


def test_fractions_of_a_chip_become_integers_exactly() -> None:
    text = HAND.format(actions='"p3 cbr 4.05", "p1 f", "p2 f"', final="[99.9, 99.8, 100.3]")
    record = read_phh(text.replace("[1, 2, 0]", "[0.10, 0.20, 0]").replace("min_bet = 2", "min_bet = 0.2"))
    assert (record.scale, record.blinds, record.starting_stacks) == (2, (10, 20, 0), (10_000, 10_000, 10_000))
    assert replay(record).outcome == "matched"


# --- Writing ------------------------------------------------------------------------------------------------------------


def test_limit_is_written_with_its_steps() -> None:
    table = deal_game("STUD7", [100, 100], house="CLUB", bring_in_chips=1, ante_chips=1)
    events = [*table.take_events(), *table.apply(table.actor, BringIn()), *play_game(table, "f")]
    text = write_phh(table, rules_of("CLUB", bring_in_chips=1), events, game=catalog.game("STUD7"))
    assert text.splitlines()[:6] == [
        'variant = "F7S"',
        "ante_trimming_status = true",
        "antes = [1, 1]",
        "bring_in = 1",
        "small_bet = 2",
        "big_bet = 4",
    ]


def test_a_game_without_a_code_is_not_written() -> None:
    table = deal_game("IRISH", [100, 100])
    events = [*table.take_events(), *play_game(table, "f")]
    with pytest.raises(InputError, match="no code for Irish hold'em with LIMIT"):
        write_phh(table, rules_of("CLUB"), events, game=catalog.game("IRISH"))


def test_a_hand_that_is_not_over_is_not_written() -> None:
    table = deal_game("HOLDEM", [100, 100])
    with pytest.raises(InputError, match="finished"):
        write_phh(table, rules_of("CLUB"), (), game=catalog.game("HOLDEM"))


# --- Differences ----------------------------------------------------------------------------------------------------------


def test_an_action_that_the_house_refuses_is_named() -> None:
    result = replay(hand("p3 cbr 3, p1 f, p2 f"))
    assert (result.outcome, result.rule_id, result.reason) == ("named", "BET-NL-03", "BELOW_MINIMUM")


def test_bet_fl_03_a_cap_of_another_house_is_named_and_goes_away_under_its_profile() -> None:
    text = HAND.format(actions='"p3 cbr 4", "p1 cbr 6", "p2 cbr 8", "p3 cbr 10", "p1 f", "p2 f"', final="[94, 92, 114]")
    record = read_phh(text.replace('"NT"', '"FT"').replace("min_bet = 2", "small_bet = 2\nbig_bet = 4"))
    result = replay(record)
    assert (result.outcome, result.rule_id, result.reason) == ("named", "BET-FL-03", "RAISE_CAP_REACHED")
    assert replay(record, catalog.house("CARDROOM")) == ReplayResult(outcome="matched")


def test_a_straddle_is_named() -> None:
    record = msgspec.structs.replace(hand("p1 f, p2 f"), blinds=(1, 2, 4))
    assert (replay(record).outcome, replay(record).rule_id) == ("named", "BET-GEN-13")


@pytest.mark.parametrize(
    ("final", "outcome"),
    [
        ("[99, 101, 100]", "mismatch"),
        ("[99, 99, 102]", "mismatch"),
        ("[99, 98, 103]", "matched"),
    ],
)
def test_stacks_that_differ_without_a_rule_are_a_mismatch(final: str, outcome: str) -> None:
    assert replay(hand("p3 cbr 6, p1 f, p2 f", final)).outcome == outcome


@pytest.mark.parametrize(
    ("final", "outcome", "rule_id"),
    [
        ("[99, 101, 100]", "matched", ""),
        ("[99, 100, 101]", "named", "POT-ODD-01"),
        ("[99, 102, 99]", "mismatch", ""),
        ("[100, 100, 100]", "mismatch", ""),
    ],
)
def test_an_odd_unit_elsewhere_is_named_and_nothing_more_is(final: str, outcome: str, rule_id: str) -> None:
    text = HAND.format(
        actions='"p3 cc", "p1 f", "p2 cc", "d db 3d8h9c", "p2 cc", "p3 cc", "d db Jc", "p2 cc", "p3 cc", "d db 4s", '
        '"p2 cc", "p3 cc", "p2 sm AhKd", "p3 sm AdKc"',
        final=final,
    )
    text = text.replace("p1 AsAh", "p1 7c2d").replace("p2 KsKh", "p2 AhKd").replace("p3 7c2d", "p3 AdKc")
    result = replay(read_phh(text))
    assert (result.outcome, result.rule_id) == (outcome, rule_id)


def test_pot_odd_01_a_card_room_gives_all_odd_units_to_the_first_winner() -> None:
    text = """
    variant = "NT"
    antes = [0, 0, 0, 0]
    blinds_or_straddles = [1, 2, 0, 0]
    min_bet = 2
    starting_stacks = [100, 100, 100, 100]
    actions = ["d dh p1 AhKd", "d dh p2 AdKc", "d dh p3 AcKh", "d dh p4 7c2d", "p3 cc", "p4 cc", "p1 cc", "p2 cc",
        "d db 3d8h9c", "p1 cbr 2", "p2 cc", "p3 cc", "p4 f", "d db Jc", "p1 cc", "p2 cc", "p3 cc",
        "d db 4s", "p1 cc", "p2 cc", "p3 cc"]
    finishing_stacks = [102, 100, 100, 98]
    """
    record = read_phh(text)
    assert replay(record, catalog.house("CARDROOM")) == ReplayResult(outcome="matched")
    result = replay(record)
    assert (result.outcome, result.rule_id) == ("named", "POT-ODD-01")
    assert play(record).hand.stacks == (101, 101, 100, 98)


@pytest.mark.parametrize(
    ("final", "outcome", "rule_id"),
    [
        ("[99, 101, 100]", "matched", ""),
        ("[99, 100, 101]", "named", "POT-SPLIT-01"),
        ("[99, 102, 99]", "mismatch", ""),
        ("[100, 100, 100]", "mismatch", ""),
    ],
)
def test_pot_split_01_the_odd_unit_of_two_halves_is_named(final: str, outcome: str, rule_id: str) -> None:
    text = f"""
    variant = "FO/8"
    antes = [0, 0, 0]
    blinds_or_straddles = [1, 2, 0]
    small_bet = 2
    big_bet = 4
    starting_stacks = [100, 100, 100]
    actions = ["d dh p1 ????????", "d dh p2 KsKh9dTc", "d dh p3 Ac4c9sTd", "p3 cc", "p1 f", "p2 cc",
        "d db 2c3d7h", "p2 cc", "p3 cc", "d db Kc", "p2 cc", "p3 cc", "d db Qd", "p2 cc", "p3 cc"]
    finishing_stacks = {final}
    """
    result = replay(read_phh(text))
    assert (result.outcome, result.rule_id) == (outcome, rule_id)


def test_a_record_that_breaks_off_is_a_mismatch() -> None:
    result = replay(hand("p3 f, p1 cc"))
    assert (result.outcome, "the record ends" in result.text) == ("mismatch", True)


def test_a_code_that_nobody_knows_is_unsupported_and_never_matched() -> None:
    result = replay(msgspec.structs.replace(hand("p3 f"), variant="N8S"))
    assert (result.outcome, result.text) == ("unsupported", "N8S")
    with pytest.raises(InputError, match="N8S"):
        play(msgspec.structs.replace(hand("p3 f"), variant="N8S"))


def test_every_code_of_the_format_is_a_game_of_the_catalog() -> None:
    assert set(VARIANTS) == set(HANDS)
    assert {variant.game_id for variant in VARIANTS.values()} <= set(catalog.games())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "variant",
        "variant = 3",
        HAND.format(actions='"p3 x"', final="[1, 2, 3]"),
        HAND.format(actions='"p4 f"', final="[1, 2, 3]"),
        HAND.format(actions='"p0 f"', final="[1, 2, 3]"),
        HAND.format(actions='"p3 cbr -5"', final="[1, 2, 3]"),
        HAND.format(actions='"p3 cbr 1e5"', final="[1, 2, 3]"),
        HAND.format(actions='"p3 cbr nan"', final="[1, 2, 3]"),
        HAND.format(actions="7", final="[1, 2, 3]"),
        HAND.format(actions='"d db Xx"', final="[1, 2, 3]"),
        HAND.format(actions='"d db AsK"', final="[1, 2, 3]"),
        HAND.format(actions='"p3 f"', final="[1, 2]"),
        HAND.format(actions='"p3 f"', final="[1, 2, -3]"),
        HAND.format(actions='"p3 f"', final="[1, 2, 1e400]"),
        HAND.format(actions='"p3 f"', final="[1, 2, 1e-400]"),
        HAND.format(actions='"p3 f"', final="[1, 2, inf]"),
        HAND.format(actions='"p3 f"', final="[1, 2, true]"),
        HAND.format(actions='"p3 f"', final='"none"'),
        "a = " + "[" * 5000,
    ],
)
def test_what_is_no_hand_is_refused_in_words(text: str) -> None:
    with pytest.raises(InputError):
        read_phh(text)


def test_a_card_twice_is_refused() -> None:
    with pytest.raises(InputError, match="twice"):
        replay(read_phh(HAND.format(actions='"p3 f"', final="[1, 2, 3]").replace("KsKh", "AsKh")))
