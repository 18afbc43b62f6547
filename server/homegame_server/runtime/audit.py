"""Checking a stored night: every row leads to its stored events and state, and every deal to the root that was published.

The same fold as a night's task makes when it reads its journal, but it judges instead of serving: it also holds the events of
each row against what the engine makes of the input today, and each sealed deck against its commitment (GEN-08).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from homegame_engine import events as ev
from homegame_engine.deal_proof import DealContext, commit, commit_mixes
from homegame_engine.errors import HomegameError
from homegame_engine.night import Night
from homegame_engine.night import inputs as inp
from homegame_server.runtime.codec import UnreadableRow, as_said_by, decode_events, decode_input, schema_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homegame_engine.events import AnyEvent
    from homegame_engine.night.inputs import AnyInput
    from homegame_server.journal.base import Journal, JournalRow


class StoredStep(NamedTuple):
    """A row that could be read: its number, its moment and what it holds. Complete, so secret."""

    seq: int
    at_ms: int
    table_id: str
    given: AnyInput
    happened: tuple[AnyEvent, ...]


class Audit(NamedTuple):
    """What the check of one night found."""

    night_id: str
    steps: Sequence[StoredStep]
    n_sealed: int
    """Decks that were sealed."""
    faults: Sequence[str]
    """In sentences that name no card; empty when the night holds."""


async def audit_night(journal: Journal, night_id: str) -> Audit:
    """Fold a stored night anew and hold every row against what is stored.

    Raises:
        JournalError: the journal cannot be read.
    """
    check = _Check(night_id)
    async for row in journal.replay(night_id):
        if not check.take(row):
            break
    return Audit(night_id, check.steps, check.n_sealed, check.faults)


def _facts(happened: Sequence[AnyEvent]) -> list[AnyEvent]:
    """Events without the words for people in them, which a later program may put better."""
    return [
        msgspec.structs.replace(event, rank_text="") if isinstance(event, ev.HandShown) else event for event in happened
    ]


class _Check:
    def __init__(self, night_id: str) -> None:
        self.steps: list[StoredStep] = []
        self.faults: list[str] = []
        self.n_sealed = 0
        self._night_id = night_id
        self._night: Night | None = None
        self._keys: set[bytes] = set()
        self._roots: set[bytes] = set()

    def take(self, row: JournalRow) -> bool:
        """Check a row; False when nothing after it could be judged."""
        if row.seq != len(self.steps) + 1:
            self.faults.append(f"row {len(self.steps) + 1} is missing")
            return False
        try:
            given, stored = decode_input(row.input), decode_events(row.events)
        except UnreadableRow as error:
            self.faults.append(f"row {row.seq} cannot be read: {error}")
            return False
        (span,) = row.tables
        if isinstance(given, inp.SealDeck):
            self._check_seal(row.seq, span.table_id, given, stored)
        try:
            happened = self._apply(given, row.at_ms)
        except Exception as error:  # noqa: BLE001 - a refusal or a bug: either way the row does not rebuild
            what = error if isinstance(error, HomegameError) else type(error).__name__
            self.faults.append(f"row {row.seq}: the stored input is refused: {what}")
            return False
        agrees = _facts(as_said_by(schema_of(row.events), happened)) == _facts(stored)
        if not agrees:
            self.faults.append(f"row {row.seq}: the input leads to other events than are stored")
        if self._night is None or self._night.state_hash() != row.state_hash:
            self.faults.append(f"row {row.seq}: the state after it is not the stored one")
            return False
        # Where both agree the engine's say more of an old row: the steps of its deal.
        told = happened if agrees else stored
        self.steps.append(StoredStep(row.seq, row.at_ms, span.table_id, given, told))
        return True

    def _apply(self, given: AnyInput, at_ms: int) -> tuple[AnyEvent, ...]:
        if self._night is not None:
            return self._night.apply(given, at_ms)
        if not isinstance(given, inp.CreateNight):
            raise UnreadableRow("a night begins with its creation")
        self._night, happened = Night.create(given, at_ms)
        return happened

    def _check_seal(self, seq: int, table_id: str, given: inp.SealDeck, stored: tuple[AnyEvent, ...]) -> None:
        """Hold that the published root commits to this deck for this deal, under a key of its own."""
        self.n_sealed += 1
        published = [event for event in stored if isinstance(event, ev.DeckSealed)]
        if len(published) != 1 or published[0].root != given.root:
            self.faults.append(f"row {seq}: the root of the deal was not published")
            return
        context = DealContext(
            night_id=self._night_id,
            table_id=table_id,
            hand_number=published[0].hand_number,
            attempt=published[0].attempt,
            n_cards=published[0].n_cards,
        )
        try:
            root = commit(context, given.deck_order, given.key).root
            mix_root = commit_mixes(context, given.mix_orders, given.key)
        except HomegameError as error:
            self.faults.append(f"row {seq}: the deck cannot be sealed: {error}")
            return
        if root != given.root:
            self.faults.append(f"row {seq}: the root does not commit to the deck that was dealt")
        if not mix_root == given.mix_root == published[0].mix_root:
            self.faults.append(f"row {seq}: the orders of reshuffles are not those that were committed to")
        if given.key in self._keys or given.root in self._roots:
            self.faults.append(f"row {seq}: the key or the root served another deal before")
        self._keys.add(given.key)
        self._roots.add(given.root)
