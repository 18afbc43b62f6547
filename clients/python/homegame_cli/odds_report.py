"""What `homegame odds` found, as text and as JSON. Computes nothing but percentages and intervals."""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from homegame_engine.cards import RANKS, format_cards
from homegame_engine.frequencies import BoardFrequencyResult, HandFrequencyResult, KindCount
from homegame_engine.odds import OddsResult, PlayerOdds
from homegame_engine.specs import DiscardCards, DrawCards, GameSpec, HandRules, PassCards

_ERRORS_95: Final = 1.96  # Standard errors that hold 95 in 100 results.


class Table(NamedTuple):
    """What is played, and what lies there."""

    game: GameSpec
    house_id: str
    rules: HandRules
    board: tuple[int, ...]
    dead: tuple[int, ...]


class EquityReport(NamedTuple):
    """Who wins how often. `n_possible` is the number of deals, None where nobody counted it."""

    table: Table
    hands: tuple[str, ...]
    result: OddsResult
    n_possible: int | None
    seed: int


class FrequencyReport(NamedTuple):
    """How often each hand, and each board, comes."""

    table: Table
    hands: tuple[str, ...]
    results: tuple[HandFrequencyResult, ...]
    boards: BoardFrequencyResult | None
    seed: int


# --- Who wins ---------------------------------------------------------------------------------------------------------


def equity_lines(report: EquityReport) -> list[str]:
    """The report as text."""
    result, has_low = report.result, report.table.game.showdown.low is not None
    head = ["hand", "share", *([] if result.is_exact else ["+-"]), *(["high", "low"] if has_low else [])]
    head += ["scoop" if has_low else "win", "part" if has_low else "tie", "nothing" if has_low else "loss"]
    rows = [head]
    for hand, player in zip(report.hands, result.players, strict=True):
        row = [hand, _percent(player.share, 4)]
        if not result.is_exact:
            row.append(_percent(_ERRORS_95 * player.standard_error, 4))
        if has_low:
            row += [_percent(player.high_share, 4), _percent(player.low_share, 4)]
        counts = (player.n_wins, player.n_ties, player.n_losses)
        rows.append([*row, *(f"{count} ({_percent(Fraction(count, result.n_deals))})" for count in counts)])
    return [
        *_head(report.table),
        _method(result, report.n_possible, report.seed),
        "",
        *_columns(rows, words=(0,)),
        *_equity_notes(report),
    ]


def equity_object(report: EquityReport) -> dict[str, object]:
    """The report for programs: counts are of deals, shares of one pot."""
    result = report.result
    return {
        **_table_object(report.table),
        **_method_object(is_exact=result.is_exact, n_deals=result.n_deals, seed=report.seed),
        "possible": report.n_possible,
        "players": [
            _player_object(hand, player, result) for hand, player in zip(report.hands, result.players, strict=True)
        ],
        "sharing": {str(n): count for n, count in enumerate(result.n_sharing, start=1)},
        "without_low": result.n_without_low if report.table.game.showdown.low is not None else None,
        "unawarded": result.n_unawarded,
        "notes": _notes(report.table),
    }


def _player_object(hand: str, player: PlayerOdds, result: OddsResult) -> dict[str, object]:
    share: dict[str, object] = {"value": float(player.share)}
    if result.is_exact:
        share["fraction"] = str(player.share)
    else:
        margin = _ERRORS_95 * player.standard_error
        share |= {
            "standard_error": player.standard_error,
            "interval_95": [max(0.0, float(player.share) - margin), min(1.0, float(player.share) + margin)],
        }
    return {
        "hand": hand,
        "win": player.n_wins,
        "tie": player.n_ties,
        "loss": player.n_losses,
        "share": share,
        "high_share": float(player.high_share),
        "low_share": float(player.low_share),
    }


def _equity_notes(report: EquityReport) -> list[str]:
    result = report.result
    notes = _notes(report.table)
    if result.n_without_low:
        notes.append(f"No low is good enough in {_of(result.n_without_low, result.n_deals)}: high takes all.")
    if result.n_unawarded:
        notes.append(f"Nobody has the hand that it takes in {_of(result.n_unawarded, result.n_deals)}: the pot stays.")
    if not result.is_exact:
        notes.append("+- is what the share may be off by, 95 times in 100.")
    return ["", *notes] if notes else []


# --- Which hands come -------------------------------------------------------------------------------------------------


def frequency_lines(report: FrequencyReport) -> list[str]:
    """The report as text."""
    lines = _head(report.table)
    game = report.table.game
    for hand, result in zip(report.hands, report.results, strict=True):
        lines += ["", f"{hand}; {_method(result, None, report.seed)}"]
        lines += ["", *_kind_lines("high hands" if game.showdown.low else "hands", result.high_kinds, result)]
        if game.showdown.low:
            lines += ["", *_kind_lines("low hands", result.low_kinds, result)]
    if report.boards:
        lines += ["", *_board_lines(report.boards)]
    notes = _notes(report.table)
    return [*lines, "", *notes] if notes else lines


def frequency_object(report: FrequencyReport) -> dict[str, object]:
    """The report for programs: counts are of deals, or of boards."""
    has_low = report.table.game.showdown.low is not None
    return {
        **_table_object(report.table),
        "hands": [
            {
                "hand": hand,
                **_method_object(is_exact=result.is_exact, n_deals=result.n_deals, seed=report.seed),
                "high": _kinds_object(result.high_kinds, result.n_deals, len(result.high)),
                "low": _kinds_object(result.low_kinds, result.n_deals, len(result.low)) if has_low else None,
            }
            for hand, result in zip(report.hands, report.results, strict=True)
        ],
        "boards": _boards_object(report.boards) if report.boards else None,
        "notes": _notes(report.table),
    }


def _kind_lines(title: str, kinds: Sequence[KindCount], result: HandFrequencyResult) -> list[str]:
    rows = [[title, "deals", "share", "the best that came"]]
    rows += [
        [
            kind.category.replace("_", " "),
            str(kind.n_deals),
            _percent(Fraction(kind.n_deals, result.n_deals), 4),
            f"{kind.best_text} ({kind.best.n_deals})",
        ]
        for kind in kinds
    ]
    n_none = result.n_deals - sum(kind.n_deals for kind in kinds)
    if n_none:
        rows.append(["none", str(n_none), _percent(Fraction(n_none, result.n_deals), 4), ""])
    return _columns(rows, words=(0, len(rows[0]) - 1))


def _kinds_object(kinds: Sequence[KindCount], n_deals: int, n_ranks: int) -> dict[str, object]:
    n_made = sum(kind.n_deals for kind in kinds)
    return {
        "categories": {kind.category: kind.n_deals for kind in kinds},
        "made": n_made,
        "none": n_deals - n_made,
        "distinct": n_ranks,
        "best": {"text": kinds[0].best_text, "deals": kinds[0].best.n_deals} if kinds else None,
    }


def _board_lines(boards: BoardFrequencyResult) -> list[str]:
    lines = [f"boards: {boards.n_boards}"]
    if boards.n_low_possible is not None:
        lines.append(f"  a low is possible on {_of(boards.n_low_possible, boards.n_boards, 'boards')}")
    ranks_by_part: dict[Fraction, list[str]] = {}
    for rank, count in zip(RANKS, boards.n_with_rank, strict=True):
        ranks_by_part.setdefault(Fraction(count, boards.n_boards), []).append(rank)
    for part, ranks in ranks_by_part.items():
        lines.append(f"  at least one {' or '.join(_runs(ranks))}, each: {_percent(part, 4)} ({part})")
    return lines


def _boards_object(boards: BoardFrequencyResult) -> dict[str, object]:
    return {
        "boards": boards.n_boards,
        "low_possible": boards.n_low_possible,
        "with_rank": dict(zip(RANKS, boards.n_with_rank, strict=True)),
    }


def _runs(ranks: Sequence[str]) -> list[str]:
    """Ranks as they are said: `2 to A`, `K`."""
    runs: list[str] = []
    for rank in ranks:
        if runs and RANKS.index(runs[-1][-1]) + 1 == RANKS.index(rank):
            runs[-1] = f"{runs[-1][0]} to {rank}"
        else:
            runs.append(rank)
    return runs


# --- Both -------------------------------------------------------------------------------------------------------------


def json_text(report: dict[str, object]) -> str:
    """One JSON object."""
    return json.dumps(report, indent=2)


def _head(table: Table) -> list[str]:
    lines = [f"{table.game.id}: {table.game.name}"]
    if table.board:
        lines.append(f"board {format_cards(table.board)}")
    if table.dead:
        lines.append(f"dead {format_cards(table.dead)}")
    return lines


def _table_object(table: Table) -> dict[str, object]:
    return {
        "game": table.game.id,
        "house": table.house_id,
        "board": format_cards(table.board),
        "dead": format_cards(table.dead),
    }


def _method(result: OddsResult | HandFrequencyResult, n_possible: int | None, seed: int) -> str:
    if result.is_exact:
        return f"every deal is counted: {result.n_deals}"
    possible = f" of {n_possible} deals" if n_possible else " deals"
    return f"{result.n_deals}{possible} are sampled, seed {seed}"


def _method_object(*, is_exact: bool, n_deals: int, seed: int) -> dict[str, object]:
    if is_exact:
        return {"method": "exact", "deals": n_deals}
    return {"method": "sampled", "deals": n_deals, "seed": seed}


def _notes(table: Table) -> list[str]:
    """What is taken for granted, in sentences."""
    game, notes = table.game, []
    if "HOUSE_LOW" in (game.showdown.ranking, game.showdown.low):
        low = table.rules.low_ranking.lower().replace("_", " ")
        notes.append(f"The low is {low}, as {table.house_id} plays it.")
    if game.showdown.award == "HIGH_LOW_DECLARE":
        notes.append("Cards speak: everybody is taken to have declared for what the cards win.")
    if any(isinstance(step, DrawCards | PassCards) for step in game.steps):
        notes.append("Hands as they stand: nobody changes cards any more.")
    if any(isinstance(step, DiscardCards) for step in game.steps):
        n_kept = game.hole_card_count - game.discard_count
        notes.append(f"Hands after the discard: {n_kept} private cards; those put away can be named as dead.")
    return notes


def _of(count: int, total: int, what: str = "deals") -> str:
    return f"{count} {what} ({_percent(Fraction(count, total))})"


def _percent(part: Fraction | float, digits: int = 2) -> str:
    return f"{float(100 * part):.{digits}f} %"


def _columns(rows: list[list[str]], *, words: tuple[int, ...]) -> list[str]:
    """Rows under one another, the columns of words to the left, those of numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i in words else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
