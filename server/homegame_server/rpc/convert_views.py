"""From the engine's views to the contract's: tables, nights and sheets. Nothing is decided or hidden here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from homegame.v1 import actions_pb2, events_pb2, hands_pb2, nights_pb2, sheets_pb2, views_pb2
from homegame_engine.deal_proof import PROOF_VERSION
from homegame_engine.night.resets import out_at_hand
from homegame_server.rpc import convert, convert_catalog

if TYPE_CHECKING:
    from collections.abc import Iterable

    from homegame.v1 import catalog_pb2
    from homegame_engine.deal_proof import Opening
    from homegame_engine.night import Night, SheetRow
    from homegame_engine.night.table_view import SeatView, TableView
    from homegame_server.runtime.deal_index import DealSpan

_PHASES: Final = {
    "POSTED": nights_pb2.NIGHT_PHASE_POSTED,
    "PLAYING": nights_pb2.NIGHT_PHASE_PLAYING,
    "FINISHED": nights_pb2.NIGHT_PHASE_FINISHED,
    "PLAYOFF": nights_pb2.NIGHT_PHASE_PLAYOFF,
    "CLOSED": nights_pb2.NIGHT_PHASE_CLOSED,
}
_HAND_PHASES: Final = {
    "NONE": views_pb2.HAND_PHASE_UNSPECIFIED,
    "BETTING": views_pb2.HAND_PHASE_BETTING,
    "CHOOSING": views_pb2.HAND_PHASE_CHOOSING,
    "SHOWDOWN": views_pb2.HAND_PHASE_SHOWDOWN,
    "OVER": views_pb2.HAND_PHASE_OVER,
}
_STATUSES: Final = {
    "EMPTY": views_pb2.SEAT_STATUS_EMPTY,
    "SEATED": views_pb2.SEAT_STATUS_SEATED,
    "SITTING_OUT": views_pb2.SEAT_STATUS_SITTING_OUT,
    "BUSTED": views_pb2.SEAT_STATUS_BUSTED,
}
_SEAT_HANDS: Final = {
    "NONE": views_pb2.SEAT_HAND_UNSPECIFIED,
    "LIVE": views_pb2.SEAT_HAND_LIVE,
    "FOLDED": views_pb2.SEAT_HAND_FOLDED,
    "SHOWN": views_pb2.SEAT_HAND_SHOWN,
    "MUCKED": views_pb2.SEAT_HAND_MUCKED,
}


# --- A table --------------------------------------------------------------------------------------------------------------


def table(
    view: TableView, night: Night, *, table_id: str, viewer_id: str, last_number: int, server_time_ms: int
) -> views_pb2.TableView:
    """A table as its viewer may see it."""
    return views_pb2.TableView(
        night_id=night.created.night_id,
        table_id=table_id,
        night_name=night.created.name,
        phase=_PHASES[view.phase],
        posting=posting(night),
        server_time_ms=server_time_ms,
        last_number=last_number,
        action_number=view.action_number,
        viewer_participant_id=viewer_id,
        viewer_seat=view.viewer_seat,
        hand_number=view.hand_number,
        game_id=view.game_id,
        hand_phase=_HAND_PHASES[view.hand_phase],
        completed_orbits=view.completed_orbits,
        button=view.button,
        small_blind_seat=view.small_blind_seat,
        big_blind_seat=view.big_blind_seat,
        level=view.level,
        street=view.street,
        street_name=view.street_name,
        board=convert_catalog.cards(view.board),
        layers=convert.layers(view.layers),
        pot_chips=view.pot_chips,
        seats=[_seat(seat) for seat in view.seats],
        may_act=view.may_act,
        legal=None if view.legal is None else convert.legal(view.legal),
        deadline_at_ms=view.deadline_at_ms,
        standings=convert.placements(view.standings),
        finish_reason=convert.FINISH_REASONS[view.finished_by],
        resets_agreed=view.resets_agreed,
        carry_chips=view.carry_chips,
        caller_seat=view.caller_seat,
        called=None if view.called is None else events_pb2.GameCalled(**convert.game_called(view.called)),
        sitting_out=view.sitting_out,
        leg_seat=view.leg_seat,
        killer_seat=view.killer_seat,
        stakes=_stakes(view, night),
    )


def _stakes(view: TableView, night: Night) -> catalog_pb2.Level | None:
    if view.rules is None:
        return None
    posted = night.created.format.levels[view.level]
    return convert_catalog.stakes(view.rules, from_hand=view.hand_number, stake_chips=posted.stake)


def _seat(seen: SeatView) -> views_pb2.SeatView:
    return views_pb2.SeatView(
        seat=seen.seat,
        participant_id=seen.participant_id,
        display_name=seen.name,
        status=_STATUSES[seen.status],
        acknowledged=seen.acknowledged,
        stack_chips=seen.stack_chips,
        hand=_SEAT_HANDS[seen.hand],
        all_in=seen.all_in,
        street_chips=seen.street_chips,
        committed_chips=seen.committed_chips,
        cards=convert_catalog.cards(seen.cards),
        rank_text=seen.rank_text,
        time_bank_tokens=seen.time_bank_tokens,
        agrees_to_resets=seen.agrees_to_resets,
        has_reset=seen.has_reset,
        up_positions=seen.up_positions,
        declared=convert.HALVES.get(seen.declared, actions_pb2.HALF_UNSPECIFIED),
        drawn_count=seen.drawn_count,
        wild_positions=seen.wild_positions,
    )


# --- A night --------------------------------------------------------------------------------------------------------------


def night(of: Night, *, table_id: str, last_number: int) -> nights_pb2.Night:
    """A night: its posting, its people and its table."""
    seated = of.seated
    seats = [
        nights_pb2.TableSeat(seat=seat, participant_id=seated[seat].participant_id if seat in seated else "")
        for seat in range(of.created.n_seats)
    ]
    return nights_pb2.Night(
        night_id=of.created.night_id,
        name=of.created.name,
        phase=_PHASES[of.phase],
        posting=posting(of),
        host_participant_id=of.created.host_id,
        participants=[
            nights_pb2.Participant(
                participant_id=person.participant_id, display_name=person.name, acknowledged=person.acknowledged
            )
            for person in of.people.values()
        ],
        tables=[nights_pb2.Table(table_id=table_id, seats=seats, last_number=last_number)],
        created_at_ms=of.created_at_ms,
        opened_at_ms=of.opened_at_ms,
    )


def posting(of: Night) -> nights_pb2.Posting:
    """What was posted (GEN-05, GEN-06)."""
    played, house = of.created.format, of.created.house
    rules = convert_catalog.all_level_rules(played, house)
    calls = played.procedures.dealer_calls is not None
    return nights_pb2.Posting(
        format_id=played.id,
        format_version=played.version,
        format_name=played.name,
        house_id=house.id,
        house_name=house.name,
        blocks=[convert_catalog.block(block) for block in played.blocks],
        start_chips=played.start.chips,
        unit_chips=house.unit_chips,
        min_players=played.players.min,
        max_players=played.players.max,
        structure=convert_catalog.STRUCTURES[played.betting.structure],
        raise_cap=convert_catalog.raise_cap(rules[0]),
        levels=convert_catalog.levels(played, rules),
        cutoff_at_ms=of.cutoff_at_ms,
        decision_window_ms=of.created.decision_ms,
        hand_pause_ms=of.created.hand_pause_ms,
        scoring=played.scoring.by,
        tie_rule=played.scoring.ties,
        cut_window_ms=of.created.cut_ms,
        time_bank_ms=of.created.time_bank_ms,
        time_bank_tokens=of.created.time_bank_tokens,
        offers_reset=played.offers_reset,
        dealer_calls=calls,
        call_window_ms=of.created.call_ms if calls else 0,
        sit_out_window_ms=of.created.sit_out_ms if calls else 0,
        kill=convert_catalog.KILLS[rules[0].kill],
    )


def scoresheet(of: Night, *, table_id: str) -> sheets_pb2.Scoresheet:
    """The sheet; it is visible to all (PROC-SHEET-01)."""
    session = of.scored_session
    finished = of.finished
    seated = of.seated
    roster = [] if session is None else [seat for seat in sorted(seated) if session.roster_mask >> seat & 1]
    stacks = () if session is None else session.stacks
    return sheets_pb2.Scoresheet(
        night_id=of.created.night_id,
        table_id=table_id,
        format_id=of.created.format.id,
        rows=[_sheet_row(of, row, roster) for row in of.rows],
        columns=[
            sheets_pb2.SheetColumns(
                seat=seat,
                participant_id=seated[seat].participant_id,
                display_name=seated[seat].name,
                stack_points=stacks[seat],
                resets=int(seated[seat].has_reset),
                out_at_hand=out_at_hand(of, seat),
            )
            for seat in roster
        ],
        standings=convert.placements(of.standings()),
        total_chips=0 if session is None else session.issued_chips,
        completed_orbits=0 if session is None else session.orbits_completed,
        incomplete_positions=() if finished is None else finished.incomplete_positions,
        finish_reason=convert.FINISH_REASONS["" if finished is None else finished.by],
        carry_chips=0 if session is None else session.carry_chips,
    )


def _sheet_row(of: Night, row: SheetRow, roster: list[int]) -> sheets_pb2.SheetRow:
    seated = of.seated
    # PROC-SHEET-03: a row is locked once the next hand has started, or no hand will.
    last_is_locked = of.phase != "PLAYING" or (of.session is not None and of.session.hand_is_live)
    return sheets_pb2.SheetRow(
        hand_number=row.hand_number,
        button=row.button,
        started_at_ms=row.started_at_ms,
        ended_at_ms=row.ended_at_ms,
        entries=[
            sheets_pb2.SheetEntry(
                seat=seat,
                participant_id=seated[seat].participant_id,
                start_chips=row.start_chips[seat],
                end_chips=row.end_chips[seat],
                net_chips=row.end_chips[seat] - row.start_chips[seat],
            )
            for seat in roster
        ],
        locked=row.hand_number < len(of.rows) or last_is_locked,
        is_playoff=row.is_playoff,
        carry_chips=row.carry_chips,
        game_id=row.game_id or of.created.game.id,
    )


def deal_proof(deal: DealSpan, openings: Iterable[Opening]) -> hands_pb2.DealProof:
    """What is opened of a deal to one viewer (GEN-08)."""
    cut = deal.cut
    return hands_pb2.DealProof(
        version=PROOF_VERSION,
        hand_number=deal.sealed.hand_number,
        attempt=deal.sealed.attempt,
        root=deal.sealed.root,
        root_number=deal.root_number,
        cut_position=None if cut is None else cut.position,
        cut_number=deal.cut_number,
        by_clock=cut is not None and cut.by_clock,
        n_cards=deal.sealed.n_cards,
        openings=[
            hands_pb2.CardOpening(
                position=opening.position, card=convert_catalog.card(opening.card), salt=opening.salt, path=opening.path
            )
            for opening in openings
        ],
    )
