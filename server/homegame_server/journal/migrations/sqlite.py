"""The SQLite schema as a list of steps. A released step is never edited: add one after it.

Step n takes a database from schema n - 1 to schema n. Each runs in a transaction of its own, in
which the schema number is written too.
"""

from __future__ import annotations

from typing import Final

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    # 1: the journal. A table with a rowid, because rows of many nights then land side by side and
    # a group commit dirties few pages; clustered by night it wrote half as many rows a second.
    (
        """
        CREATE TABLE journal_meta (
            name  TEXT    NOT NULL PRIMARY KEY,
            value INTEGER NOT NULL
        )
        """,
        """
        CREATE TABLE journal_rows (
            night_id      TEXT    NOT NULL CHECK (night_id <> ''),
            seq           INTEGER NOT NULL CHECK (seq >= 1),
            at_ms         INTEGER NOT NULL CHECK (at_ms >= 0),
            input         BLOB    NOT NULL,
            events        BLOB    NOT NULL,
            state_hash    BLOB    NOT NULL CHECK (length(state_hash) = 32),
            rules_version TEXT    NOT NULL,
            state_version INTEGER NOT NULL,
            request_id    TEXT,
            caller        TEXT,
            body_digest   BLOB CHECK ((request_id IS NULL) = (body_digest IS NULL)),
            reply         BLOB,
            tables        TEXT    NOT NULL,
            PRIMARY KEY (night_id, seq)
        )
        """,
        """
        CREATE UNIQUE INDEX journal_rows_by_request
            ON journal_rows (night_id, request_id) WHERE request_id IS NOT NULL
        """,
    ),
)

SCHEMA_NUMBER: Final = len(MIGRATIONS)
"""The schema that this program reads and writes."""
