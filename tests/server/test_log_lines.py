"""Log lines are written together once a turn of the event loop, and at once where waiting could lose them."""

from __future__ import annotations

import asyncio
import logging

from homegame_server.observe.logging import BatchHandler, TextLines


class Written:
    """A stream that remembers each write."""

    def __init__(self) -> None:
        self.writes: list[str] = []

    def write(self, text: str) -> int:
        self.writes.append(text)
        return len(text)

    def flush(self) -> None:
        """Nothing waits here."""


def handler_on(stream: Written) -> BatchHandler:
    handler = BatchHandler(stream)  # type: ignore[arg-type] # all that is used of a stream
    handler.setFormatter(logging.Formatter("%(message)s"))
    return handler


def record(text: str, level: int = logging.INFO) -> logging.LogRecord:
    return logging.LogRecord("homegame.request", level, "", 0, text, (), None)


async def test_lines_of_one_turn_of_the_loop_are_written_together() -> None:
    stream = Written()
    handler = handler_on(stream)
    handler.handle(record("one"))
    handler.handle(record("two"))
    assert stream.writes == []
    await asyncio.sleep(0)
    handler.handle(record("three"))
    await asyncio.sleep(0)
    assert stream.writes == ["one\ntwo\n", "three\n"]


async def test_a_warning_is_written_at_once_with_what_came_before_it() -> None:
    stream = Written()
    handler = handler_on(stream)
    handler.handle(record("one"))
    handler.handle(record("alarm", logging.WARNING))
    assert stream.writes == ["one\nalarm\n"]
    await asyncio.sleep(0)
    assert len(stream.writes) == 1


def test_outside_of_an_event_loop_a_line_is_written_at_once() -> None:
    stream = Written()
    handler_on(stream).handle(record("one"))
    assert stream.writes == ["one\n"]


def test_a_line_begins_with_its_moment_in_milliseconds() -> None:
    line = record("request")
    line.created = 1_700_000_000.0425
    line.code = "OK"
    assert TextLines().format(line) == "2023-11-14T22:13:20.042+00:00 INFO     request code=OK"
