"""Applies a change set atomically."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from typing import Collection, Dict, Iterable, Iterator, List, Optional

from .errors import Untrusted
from .report import Change, LevelCount, SyncReport
from .schema import explain
from .selection import Selection
from .store import Reader, ReplicaStore, VenueState, level_digest
from .trust import SignedHead
from .wire import About, Block, identify

#: The maximum number of changes that a report lists; all are counted.
MAX_LISTED_CHANGES = 10_000


class StateChanged(Exception):
    """Another writer has changed the file since the state was read."""


@contextlib.contextmanager
def write_transaction(store: ReplicaStore) -> Iterator[sqlite3.Connection]:
    """Commits at the end, and rolls back on any exception."""
    connection = store.writer
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute(
                "CREATE TEMP TABLE IF NOT EXISTS former (venue INTEGER, id TEXT, level TEXT, type TEXT, body BLOB,"
                " PRIMARY KEY (venue, id)) WITHOUT ROWID")
            connection.execute("DELETE FROM former")
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    except sqlite3.Error as error:
        raise explain(error) from error


class ReplicaTransaction:
    """Changes one venue in a transaction. The table `former` has the previous versions of its features until the end."""

    def __init__(self, connection: sqlite3.Connection, state: VenueState) -> None:
        """Raises `StateChanged` if the file is no longer in that state."""
        self._connection = connection
        self._state = state
        current = Reader(connection).state(state.key)
        if current is None or current.commits != state.commits:
            raise StateChanged
        self._number = state.commits + 1
        self._before = Reader(connection).digests(state)
        self._expected: Dict[Optional[str], Optional[str]] = {}
        held, = connection.execute("SELECT EXISTS (SELECT 1 FROM feature WHERE venue = ?)", [state.number]).fetchone()
        # True if there are no features yet, so that `put` needs no lookups.
        self._is_fresh = not held

    def apply(self, blocks: Iterable[Block]) -> None:
        """Applies the blocks of one page: the first three of the five steps."""
        blocks = list(blocks)
        for block in blocks:
            if block.kind != "changes" and not block.is_continued:
                self.clear(block.level)
        for block in blocks:
            self.put(block.level, block.bodies)
        for block in blocks:
            for removal in block.removed:
                self._remove(block.level, removal.id)
            if block.kind == "gone" or block.digest is not None:
                self.expect(block.level, block.digest)

    def put(self, level: Optional[str], bodies: Iterable[bytes]) -> None:
        """Puts features under a level by their ids, and replaces their previous versions on any level."""
        rows = []
        for body in bodies:
            id, type = identify(body)
            if not self._is_fresh:
                held = self._connection.execute(
                    "SELECT level, body FROM feature WHERE venue = ? AND id = ?", [self._state.number, id]).fetchone()
                if held == (level or "", body):
                    continue
                if held is not None:
                    self._retire(id)
                    if held[0] != (level or ""):
                        self._expect_as_before(held[0] or None)
            rows.append((self._state.number, level or "", id, self._number, type, body))
        self._connection.executemany("INSERT OR REPLACE INTO feature VALUES (?, ?, ?, ?, ?, ?)", rows)

    def _remove(self, level: Optional[str], id: str) -> None:
        """Deletes a feature if it is still on this level; it may have moved."""
        held = self._connection.execute(
            "SELECT level FROM feature WHERE venue = ? AND id = ?", [self._state.number, id]).fetchone()
        if held == (level or "",):
            self._retire(id)
            self._connection.execute("DELETE FROM feature WHERE venue = ? AND id = ?", [self._state.number, id])

    def clear(self, level: Optional[str]) -> None:
        values = [self._state.number, level or ""]
        self._connection.execute(
            "INSERT OR IGNORE INTO former SELECT venue, id, level, type, body FROM feature"
            " WHERE venue = ? AND level = ? AND since < ?", [*values, self._number])
        self._connection.execute("DELETE FROM feature WHERE venue = ? AND level = ?", values)
        self._connection.execute("DELETE FROM level WHERE venue = ? AND level = ?", values)

    def clear_all(self, but: Collection[Optional[str]] = ()) -> None:
        for level in self._before:
            if level not in but:
                self.clear(level)
                self.expect(level, None)

    def expect(self, level: Optional[str], digest: Optional[str]) -> None:
        """Sets the digest that the level must have at the end, or its beginning; None if the level is not held then."""
        self._expected[level] = digest

    def _expect_as_before(self, level: Optional[str]) -> None:
        """A level that loses a feature without being mentioned must keep its digest. So it will differ, and be fetched again."""
        if level not in self._expected and level in self._before:
            self._expected[level] = self._before[level]

    def _retire(self, id: str) -> None:
        self._connection.execute(
            "INSERT OR IGNORE INTO former SELECT venue, id, level, type, body FROM feature"
            " WHERE venue = ? AND id = ? AND since < ?", [self._state.number, id, self._number])

    def mismatches(self) -> List[Optional[str]]:
        """The levels whose stored features do not have the expected digest. The others then expect the computed one."""
        wrong = []
        for level, expected in self._expected.items():
            if expected is None:
                continue
            digest = level_digest(self._connection, self._state.number, level)
            if digest.startswith(expected):
                self._expected[level] = digest
            else:
                wrong.append(level)
        return sorted(wrong, key=lambda level: level or "")

    def finish(
        self, report: SyncReport, cursor: Optional[str], digest: Optional[str], about: Optional[About],
        selection: Selection, head: Optional[SignedHead] = None,
    ) -> None:
        """Stores the new state of the venue and completes the report. `about`: None keeps the previous value.

        `head`: what the venue has to be; raises `Untrusted` if it is not.
        """
        number = self._state.number
        for level, expected in self._expected.items():
            if expected is not None:
                self._connection.execute("INSERT OR REPLACE INTO level VALUES (?, ?, ?)", [number, level or "", expected])
        reader = Reader(self._connection)
        if head is not None:
            if report.to_revision != head.revision:
                raise Untrusted(f"the server sends revision {report.to_revision}, which is not the signed one")
            head.check_held(reader.digests(self._state), selection, reader.ordinals(self._state))
            self._connection.execute("INSERT OR REPLACE INTO signed_head VALUES (?, ?)", [number, head.document.decode()])
        else:
            self._connection.execute("DELETE FROM signed_head WHERE venue = ?", [number])
        about = about or self._state.about
        self._connection.execute(
            "UPDATE venue SET commits = ?, selection = ?, cursor = ?, revision = ?, digest = ?, language = ?, time_zone = ?,"
            " country = ?, synced_at = ? WHERE number = ?",
            [self._number, selection.stored(), cursor, report.to_revision, digest, about.language, about.time_zone,
             about.country, time.time(), number])
        self._report(report)

    def _report(self, report: SyncReport) -> None:
        report.has_committed = True
        after = Reader(self._connection).digests(self._state)
        added, dropped = after.keys() - self._before.keys(), self._before.keys() - after.keys()
        for levels, table, counts in ((added, "feature", report.levels_added), (dropped, "former", report.levels_dropped)):
            for level in sorted(levels, key=lambda level: level or ""):
                count, = self._connection.execute(
                    f"SELECT count(*) FROM {table} WHERE venue = ? AND level = ?", [self._state.number, level or ""]).fetchone()
                counts.append(LevelCount(level, count))
        if self._is_fresh:
            return
        for id, type, level, body, from_level, before in self._connection.execute(
                "SELECT feature.id, feature.type, feature.level, feature.body, former.level, former.body"
                " FROM feature LEFT JOIN former ON former.venue = feature.venue AND former.id = feature.id"
                " WHERE feature.venue = ? AND feature.since = ?", [self._state.number, self._number]):
            if before is None:
                if (level or None) not in added:
                    report.added += 1
                    self._list(report, Change("added", id, type, level or None, level or None, None, body))
            elif (level, body) != (from_level, before):
                report.changed += 1
                self._list(report, Change("changed", id, type, level or None, from_level or None, before, body))
        for id, type, level, before in self._connection.execute(
                "SELECT id, type, level, body FROM former WHERE venue = ? AND NOT EXISTS"
                " (SELECT 1 FROM feature WHERE feature.venue = former.venue AND feature.id = former.id)", [self._state.number]):
            if (level or None) not in dropped:
                report.removed += 1
                self._list(report, Change("removed", id, type, level or None, level or None, before, None))

    @staticmethod
    def _list(report: SyncReport, change: Change) -> None:
        if len(report.changes) < MAX_LISTED_CHANGES:
            report.changes.append(change)
