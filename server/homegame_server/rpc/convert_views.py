"""From the engine's views to the contract's: tables, nights, sheets and the catalog. Nothing is decided or hidden here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from homegame.v1 import cards_pb2, catalog_pb2, hands_pb2, nights_pb2, sheets_pb2, views_pb2
from homegame_engine.cards import format_card, full_deck
from homegame_engine.deal_proof import PROOF_VERSION
from homegame_engine.night.resets import out_at_hand
from homegame_engine.specs import BettingStreet, DealBoard, DealDown
from homegame_server.rpc import convert

if TYPE_CHECKING:
    from collections.abc import Iterable

    from homegame_engine.deal_proof import Opening
    from homegame_engine.evaluator.rank_card import RankCard
    from homegame_engine.night import Night, SheetRow
    from homegame_engine.night.table_view import SeatView, TableView
    from homegame_engine.specs import BlockSpec, FormatSpec, GameSpec, HandRules, HouseSpec
    from homegame_server.runtime.deal_index import DealSpan

_STRUCTURES: Final = {
    "FIXED_LIMIT": catalog_pb2.BETTING_STRUCTURE_FIXED_LIMIT,
    "LIMIT": catalog_pb2.BETTING_STRUCTURE_LIMIT,
    "NO_LIMIT": catalog_pb2.BETTING_STRUCTURE_NO_LIMIT,
    "POT_LIMIT": catalog_pb2.BETTING_STRUCTURE_POT_LIMIT,
    "SPREAD_LIMIT": catalog_pb2.BETTING_STRUCTURE_SPREAD_LIMIT,
}
_BLOCK_ENDS: Final = {"CUTOFF": catalog_pb2.BLOCK_END_CUTOFF, "ORBIT": catalog_pb2.BLOCK_END_ORBIT}
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
_RANKS: Final = 13
_SUITS: Final = 4
_MS_PER_SECOND: Final = 1000


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
        board=convert.cards(view.board),
        layers=convert.layers(view.layers),
        pot_chips=view.pot_chips,
        seats=[_seat(seat) for seat in view.seats],
        may_act=view.may_act,
        legal=None if view.legal is None else convert.legal(view.legal),
        deadline_at_ms=view.deadline_at_ms,
        standings=convert.placements(view.standings),
        finish_reason=convert.FINISH_REASONS[view.finished_by],
        resets_agreed=view.resets_agreed,
    )


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
        cards=convert.cards(seen.cards),
        rank_text=seen.rank_text,
        time_bank_tokens=seen.time_bank_tokens,
        agrees_to_resets=seen.agrees_to_resets,
        has_reset=seen.has_reset,
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
    rules = level_rules(played, house)
    return nights_pb2.Posting(
        format_id=played.id,
        format_version=played.version,
        format_name=played.name,
        house_id=house.id,
        house_name=house.name,
        blocks=[_block(block) for block in played.blocks],
        start_chips=played.start.chips,
        unit_chips=house.unit_chips,
        min_players=played.players.min,
        max_players=played.players.max,
        structure=_STRUCTURES[played.betting.structure],
        raise_cap=_raise_cap(rules[0]),
        levels=_levels(played, rules),
        cutoff_at_ms=of.cutoff_at_ms,
        decision_window_ms=of.created.decision_ms,
        hand_pause_ms=of.created.hand_pause_ms,
        scoring=played.scoring.by,
        tie_rule=played.scoring.ties,
        cut_window_ms=of.created.cut_ms,
        time_bank_ms=of.created.time_bank_ms,
        time_bank_tokens=of.created.time_bank_tokens,
        offers_reset=played.offers_reset,
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
        openings=[
            hands_pb2.CardOpening(
                position=opening.position, card=convert.card(opening.card), salt=opening.salt, path=opening.path
            )
            for opening in openings
        ],
    )


# --- The catalog ----------------------------------------------------------------------------------------------------------


def level_rules(played: FormatSpec, house: HouseSpec) -> list[HandRules]:
    """The rules of a hand at each level."""
    return [
        house.hand_rules(
            small_blind_chips=level.small_blind,
            big_blind_chips=level.big_blind,
            structure=played.betting.structure,
        )
        for level in played.levels
    ]


def _levels(played: FormatSpec, rules: list[HandRules]) -> list[catalog_pb2.Level]:
    is_limit = played.betting.structure in ("FIXED_LIMIT", "LIMIT")
    return [
        catalog_pb2.Level(
            from_hand=level.from_hand,
            small_blind_chips=level.small_blind,
            big_blind_chips=level.big_blind,
            small_bet_chips=rule.small_bet_chips if is_limit else 0,
            big_bet_chips=rule.big_bet_chips if is_limit else 0,
        )
        for level, rule in zip(played.levels, rules, strict=True)
    ]


def _raise_cap(rules: HandRules) -> int | None:
    return None if rules.raise_cap < 0 else rules.raise_cap


def _block(block: BlockSpec) -> catalog_pb2.Block:
    return catalog_pb2.Block(game_id=block.game, until=_BLOCK_ENDS[block.until])


def format_spec(played: FormatSpec, house: HouseSpec) -> catalog_pb2.Format:
    """A format in its own house."""
    rules = level_rules(played, house)
    return catalog_pb2.Format(
        format_id=played.id,
        aliases=played.aliases,
        name=played.name,
        version=played.version,
        summary=played.summary,
        base_format_id=played.base or "",
        house_id=played.house,
        start_chips=played.start.chips,
        unit_chips=house.unit_chips,
        min_players=played.players.min,
        max_players=played.players.max,
        structure=_STRUCTURES[played.betting.structure],
        raise_cap=_raise_cap(rules[0]),
        levels=_levels(played, rules),
        blocks=[_block(block) for block in played.blocks],
        cutoff_minutes=played.cutoff.minutes,
        decision_window_ms=played.clock.decision_seconds * _MS_PER_SECOND,
        scoring=played.scoring.by,
        tie_rule=played.scoring.ties,
        rule_ids=played.rules,
    )


def game_spec(game: GameSpec) -> catalog_pb2.Game:
    """A game with its streets."""
    streets: list[catalog_pb2.Street] = []
    down = board = 0
    for step in game.steps:
        if isinstance(step, DealDown):
            down += step.count
        elif isinstance(step, DealBoard):
            board += step.count
        elif isinstance(step, BettingStreet):
            streets.append(catalog_pb2.Street(name=step.street, down_cards=down, board_cards=board))
            down = board = 0
    return catalog_pb2.Game(
        game_id=game.id,
        name=game.name,
        version=game.version,
        summary=game.summary,
        min_players=game.players.min,
        max_players=game.players.max,
        streets=streets,
        ranking=game.showdown.ranking,
        own_cards_min=game.showdown.hole_cards_min,
        own_cards_max=game.showdown.hole_cards_max,
        rule_ids=game.rules,
    )


def rank_card(of: RankCard, game_id: str) -> catalog_pb2.RankCard:
    """The rank card of a game (RANK-HI-07)."""
    return catalog_pb2.RankCard(
        game_id=game_id,
        categories=[
            catalog_pb2.RankCategory(
                position=position, name=kind.name, comparison=kind.comparison, example=convert.cards(kind.example)
            )
            for position, kind in enumerate(of.categories, start=1)
        ],
        notes=of.notes,
        deck=[_face(code) for code in full_deck()],
    )


def _face(code: int) -> cards_pb2.CardFace:
    rank, suit = divmod(code, _SUITS)
    return cards_pb2.CardFace(
        card=convert.card(code),
        rank=cards_pb2.Rank.ValueType(rank % _RANKS + 1),
        suit=cards_pb2.Suit.ValueType(suit + 1),
        text=format_card(code),
    )
