"""`homegame verify PATH…`: hold a journal or a hand's deal proof against what was published before the cut."""

import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from homegame_cli.named_path import named_path
from homegame_client.deal_log import UnreadableDealError, check_file
from homegame_client.proof import CANNOT_SHOW
from homegame_engine.errors import InputError

if TYPE_CHECKING:
    from homegame_server.runtime.audit import Audit

app = typer.Typer(add_completion=False)


@dataclass(frozen=True)
class Checked:
    """What was checked, in a line, and what is wrong with it."""

    line: str
    faults: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


@app.command()
def verify(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH [NIGHT]",
            help="A data folder, with a night's id for one of its nights; or files written by `homegame night --save`.",
        ),
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Check a journal, or the proof of a deal.

    Of a journal every row is played again and compared, and every deal is checked with the eyes of each seat and of a spectator.
    Stop the server first. Of a deal's file every card that its viewer saw is held against the root that came before the cut.

    Exit status: 0 when everything holds, 1 when something does not, 3 when there is nothing to check.
    """
    first = named_path(paths[0])
    checked = _check_journal(first, paths[1:]) if first.is_dir() else [_check_deal(named_path(path)) for path in paths]
    bad = [one for one in checked if not one.holds]
    if as_json:
        print(json.dumps({"holds": not bad, "checked": [_as_json(one) for one in checked]}))
    else:
        for one in checked:
            print(one.line)
            for fault in one.faults:
                print(f"  DOES NOT HOLD: {fault}")
        print(f"verify: {len(checked)} checked, {len(checked) - len(bad)} hold, {len(bad)} do not")
        print("This does not show " + ";\n  nor ".join(CANNOT_SHOW) + ".")
    if bad:
        raise typer.Exit(1)


def _as_json(one: Checked) -> dict[str, Any]:
    return {**one.facts, "holds": one.holds, "faults": one.faults}


def _check_deal(file: Path) -> Checked:
    try:
        deal, verdict = check_file(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: no deal in it: it is no text in UTF-8") from None
    except UnreadableDealError as error:
        raise InputError(f"{file}: {error}") from None
    again = f", deal {deal.attempt}" if deal.attempt > 1 else ""
    return Checked(
        f"{file}: hand {deal.hand_number}{again}: {verdict.sentence}",
        [finding.message for finding in verdict.findings],
        {
            "file": str(file),
            "night_id": deal.night_id,
            "table_id": deal.table_id,
            "hand_number": deal.hand_number,
            "attempt": deal.attempt,
            "cards_checked": verdict.cards_checked,
        },
    )


def _check_journal(data: Path, night_ids: list[str]) -> list[Checked]:
    from homegame_server.journal.sqlite_file import DATABASE_NAME, DIRECTORY_NAME

    if not (data / DIRECTORY_NAME / DATABASE_NAME).exists():  # Opening it would make one.
        raise InputError(f"{data}: there is no journal in this folder")
    checked = asyncio.run(_audit(data, night_ids))
    if not checked:
        raise InputError(f"{data}: there is no night in this journal")
    return checked


async def _audit(data: Path, night_ids: list[str]) -> list[Checked]:
    from homegame_server.journal.base import JournalError
    from homegame_server.journal.sqlite import SqliteJournal
    from homegame_server.runtime.audit import audit_night

    try:
        journal = await SqliteJournal.open(data)
    except JournalError as error:
        raise InputError(str(error)) from None
    try:
        known = [head.night_id for head in await journal.list_nights()]
        for night_id in night_ids:
            if night_id not in known:
                raise InputError(f"{data}: there is no night {night_id!r} in this journal")
        return [_judge(await audit_night(journal, night_id)) for night_id in night_ids or known]
    except JournalError as error:
        print(f"homegame verify: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    finally:
        await journal.close()


def _judge(audit: "Audit") -> Checked:
    """The night's rows, and its deals with the client's own check."""
    from homegame_cli.journal_deals import check_deals

    faults = list(audit.faults)
    n_deals = n_cards = 0
    for deal in check_deals(audit):
        n_deals += 1
        n_cards += deal.cards_checked
        faults += deal.faults
    return Checked(
        f"night {audit.night_id}: {len(audit.steps)} rows, {audit.n_sealed} sealed decks, {n_deals} deals, {n_cards} cards seen",
        faults,
        {
            "night_id": audit.night_id,
            "rows": len(audit.steps),
            "sealed": audit.n_sealed,
            "deals": n_deals,
            "cards_checked": n_cards,
        },
    )
