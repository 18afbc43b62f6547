"""The deals of a stored night in the eyes of each seat and of a spectator, checked as a client checks them."""

from collections.abc import Iterator
from typing import NamedTuple

from homegame.v1.hands_pb2 import DealProof
from homegame_client.deal_log import DealKey, DealLog
from homegame_engine.deal_proof import DealContext
from homegame_engine.errors import HomegameError
from homegame_engine.events import SeatTaken
from homegame_engine.night import inputs as inp
from homegame_server.rpc import convert_views
from homegame_server.rpc.convert import ENCODER, table_event
from homegame_server.runtime.audit import Audit, StoredStep
from homegame_server.runtime.deal_index import DealSpan
from homegame_server.runtime.deal_proof import MerkleSealer
from homegame_server.runtime.publisher import TableLog


class DealChecked(NamedTuple):
    """One deal, by everybody who could see cards of it."""

    key: DealKey
    faults: list[str]
    cards_checked: int
    """Over all viewers: a board card counts once for each."""


def check_deals(audit: Audit) -> Iterator[DealChecked]:
    """Check every deal that is over."""
    if not audit.steps:
        return
    log = TableLog(ENCODER, lambda: 0, frame_max=1, lag_max=1)
    for step in audit.steps:
        log.append(step.seq, step.at_ms, step.happened)
    viewers = _viewers(log, audit)
    for span in log.deals.over():
        if span.cut is None:
            continue  # The session ended before the cut: no card was dealt.
        key = DealKey(span.sealed.hand_number, span.sealed.attempt)
        faults: list[str] = []
        cards_checked = 0
        for seat, kept in viewers.items():
            who = "a spectator" if seat is None else f"seat {seat + 1}"
            try:
                verdict = kept.check(key, _proof(log, audit, span, seat))
            except HomegameError as error:
                faults.append(f"hand {key.hand_number}, as {who} saw it: the sealed deck cannot be opened: {error}")
                continue
            faults += [f"hand {key.hand_number}, as {who} saw it: {finding.message}" for finding in verdict.findings]
            cards_checked += verdict.cards_checked
        yield DealChecked(key, faults, cards_checked)


def _viewers(log: TableLog, audit: Audit) -> dict[int | None, DealLog]:
    """What each seat and a spectator would have kept."""
    taken = {event.seat for step in audit.steps for event in step.happened if isinstance(event, SeatTaken)}
    viewers: dict[int | None, DealLog] = {}
    for seat in (None, *sorted(taken)):
        kept = viewers[seat] = DealLog(audit.night_id, audit.steps[0].table_id)
        for numbered in log.slice(1, log.last_number, seat):
            kept.take(table_event(numbered))
    return viewers


def _proof(log: TableLog, audit: Audit, span: DealSpan, seat: int | None) -> DealProof:
    """What the server would open to a viewer."""
    step: StoredStep = audit.steps[span.row_seq - 1]
    assert isinstance(step.given, inp.SealDeck)  # noqa: S101 - the row that sealed the deck
    context = DealContext(
        night_id=audit.night_id,
        table_id=step.table_id,
        hand_number=span.sealed.hand_number,
        attempt=span.sealed.attempt,
        n_cards=span.sealed.n_cards,
    )
    seen = [numbered.event for numbered in log.slice(span.root_number, span.last_number, seat)]
    openings = MerkleSealer().open_seen(context, step.given.deck_order, step.given.key, seen)
    return convert_views.deal_proof(span, openings)
