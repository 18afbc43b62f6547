"""The demo checks its own deals: roots are kept as they come, proofs fetched after the night, each deal judged (GEN-08)."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from homegame_client import Client, TableRef
from homegame_client.deal_log import DealKey, DealLog

_FILE_MODE: Final = 0o600


@dataclass(frozen=True)
class ProofsChecked:
    """The deals of the night, checked by one player and a spectator (GEN-08)."""

    n_deals: int
    n_hold: int
    faults: tuple[str, ...]


async def keep_deals(viewer: Client, table: TableRef, kept: DealLog) -> None:
    """Listen from the first event to the last: a root counts for as much as somebody who kept it."""
    async for event in viewer.tables.watch(table):
        kept.take(event)


async def check_deals(table: TableRef, eyes: Mapping[str, tuple[Client, DealLog]], save: Path | None) -> ProofsChecked:
    """Fetch the proof of every deal for each pair of eyes and check it against what they kept."""
    keys = {key for _, kept in eyes.values() for key in kept.over}
    faults: dict[DealKey, list[str]] = {key: [] for key in sorted(keys)}
    for name, (client, kept) in eyes.items():
        for key, found in faults.items():
            if key not in kept.over:
                found.append(f"hand {key.hand_number}: {name} did not hear of its deal")
                continue
            proof = await client.hands.deal_proof(table, hand_number=key.hand_number, attempt=key.attempt)
            verdict = kept.check(key, proof)
            found += [f"hand {key.hand_number}, as {name} saw it: {finding.message}" for finding in verdict.findings]
            if save is not None:
                file = save / f"hand-{key.hand_number}.{key.attempt}-{name.rpartition(' ')[2].lower()}.json"
                _write(file, kept.file_text(key, proof))
    n_hold = sum(not found for found in faults.values())
    return ProofsChecked(len(faults), n_hold, tuple(fault for found in faults.values() for fault in found))


def _write(file: Path, text: str) -> None:
    """Write a deal for its owner alone: it holds the cards that a player folded (GEN-08)."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE_MODE), "w", encoding="utf-8") as out:
        out.write(text)
