"""Hands that the engine writes as PHH, read and played by pokerkit: an independent reader of the format."""

from __future__ import annotations

from pathlib import Path

import pytest
from pokerkit import HandHistory

from homegame_engine.notation.phh import VARIANTS, PhhHand, read_phh
from homegame_engine.notation.phh_writing import write_phh
from homegame_engine.notation.replay import play

FOLDER = Path(__file__).resolve().parents[2] / "vectors" / "phh"
N_HANDS_MAX = 12  # Of each variant; there are hundreds of hold'em hands.


@pytest.fixture(scope="module")
def records() -> list[PhhHand]:
    return [read_phh(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.rglob("*.phh"))]


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_pokerkit_reads_what_is_written_and_comes_to_the_same_stacks(variant: str, records: list[PhhHand]) -> None:
    of_variant = [record for record in records if record.variant == variant][:N_HANDS_MAX]
    assert of_variant
    for record in of_variant:
        played = play(record)
        text = write_phh(played.hand, played.rules, played.events, game=played.game)
        *_, last = HandHistory.loads(text)
        assert tuple(last.stacks) == played.hand.stacks
