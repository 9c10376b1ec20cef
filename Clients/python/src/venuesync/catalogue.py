"""All venues that a key may read, in one file and at one catalogue position."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Set, Tuple

from .collection import repair
from .connection import ServerConnection, query
from .errors import Contradiction, HistoryLost, Malformed, StoreError, WrongDigest
from .feature import Feature
from .report import SyncReport
from .retry import RetryPolicy
from .rules import PageRules
from .selection import EVERYTHING, Selection
from .store import Path, Reader, ReplicaStore, VenueState
from .transaction import ReplicaTransaction, write_transaction
from .transport import Transport, default_transport
from .wire import Page, boolean, cursor_of, integer, member, venue_page


@dataclass(frozen=True)
class _CataloguePage:
    start: Optional[int]
    to: int
    is_complete: bool
    cursor: str
    gone: List[str]
    venues: List[Page]


@dataclass
class _VenueUpdate:
    """The update of one venue, collected from all pages."""

    rules: PageRules
    transaction: ReplicaTransaction
    report: SyncReport
    last: Page


class CatalogueReplica:
    """All levels of every venue that the key may read; `GET /sync`.

        catalogue = CatalogueReplica("venues.sqlite", "https://maps.example.com", key="vsk_…")
        for report in catalogue.sync():
            print(report.venue, report.added, report.changed, report.removed)
    """

    def __init__(
        self, path: Path, server: str, key: str, *, transport: Optional[Transport] = None,
        policy: Optional[RetryPolicy] = None, page_limit: int = 50_000,
    ) -> None:
        self.server = ServerConnection(server, key, default_transport(transport), policy or RetryPolicy())
        self.store = ReplicaStore(path)
        self._page_limit = page_limit
        self._lock = threading.Lock()
        with self.store.read() as reader:
            if not reader.is_catalogue() and reader.venues():
                self.store.close()
                raise StoreError("the file is the replica of one venue")

    def venues(self) -> List[str]:
        with self.store.read() as reader:
            return reader.venues()

    def features(self, venue: str) -> List[Feature]:
        with self.store.read() as reader:
            state = reader.state(venue)
            return [] if state is None else list(reader.features(state))

    def sync(self, wait: Optional[int] = None) -> List[SyncReport]:
        """Brings all venues up to date and returns a report for each that changed. Venues that are no longer readable are deleted.

        `wait`: seconds for which the server may delay its response until something changes.
        """
        with self._lock:
            with self.store.read() as reader:
                position, cursor = reader.catalogue()
            try:
                return self._pull(position, cursor, wait)
            except HistoryLost:
                pass
            try:
                return self._pull(None, None, None)
            except HistoryLost:
                raise Contradiction("the history was lost twice") from None

    def close(self) -> None:
        with self._lock:
            self.store.close()

    def __enter__(self) -> CatalogueReplica:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _page(self, cursor: Optional[str], wait: Optional[int], attempts: int = 1) -> _CataloguePage:
        parameters: List[Tuple[str, str]] = [] if cursor is None else [("since", cursor)]
        parameters.append(("limit", str(self._page_limit)))
        if wait is not None:
            parameters.append(("wait", str(wait)))
        path = f"/sync?{query(parameters)}"
        return self.server.attempting(attempts, lambda: _parse(*self.server.document(path)))

    def _pull(self, position: Optional[int], cursor: Optional[str], wait: Optional[int]) -> List[SyncReport]:
        page = first = self._page(cursor, wait)
        if first.start != position or first.to < (position or 0):
            if position is None:
                raise Contradiction("changes, although everything was requested")
            # No digest covers the position. If the stored one is wrong, no change set can continue it.
            raise HistoryLost(None)
        if first.is_complete and first.cursor == cursor and not first.venues and not first.gone:
            return []
        seen = {cursor}
        updates: Dict[str, _VenueUpdate] = {}
        gone: Set[str] = set()
        with write_transaction(self.store) as connection:
            if cursor is None:
                connection.execute("DELETE FROM catalogue")
                known = {venue for venue, in connection.execute("SELECT key FROM venue")}
            while True:
                gone.update(page.gone)
                for part in page.venues:
                    if part.frame.venue not in gone:
                        self._apply(part, updates, connection)
                if page.is_complete:
                    break
                if page.cursor in seen:
                    raise Contradiction("a repeated page")
                seen.add(page.cursor)
                page = self._page(page.cursor, None, self.server.policy.attempts)
                if (page.start, page.to) != (first.start, first.to):
                    raise Contradiction("pages of different change sets")
            if cursor is None:
                gone |= known - updates.keys()
            for venue in gone:
                updates.pop(venue, None)
                self._delete_venue(venue, connection)
            for update in updates.values():
                self._finish(update)
            connection.execute("INSERT OR REPLACE INTO catalogue VALUES (1, ?, ?)", [page.to, page.cursor])
        return [update.report for _, update in sorted(updates.items())]

    def _apply(self, page: Page, updates: Dict[str, _VenueUpdate], connection: sqlite3.Connection) -> None:
        venue = page.frame.venue
        update = updates.get(venue)
        if update is None:
            connection.execute("INSERT OR IGNORE INTO venue (key) VALUES (?)", [venue])
            state = self._state(venue, connection)
            # `from` is null if the venue is new to the client, was created again, or the client's revision was pruned.
            is_whole = page.frame.from_revision is None
            transaction = ReplicaTransaction(connection, state)
            if is_whole:
                transaction.clear_all()
            update = updates[venue] = _VenueUpdate(
                PageRules(venue, None if is_whole else state.revision, None), transaction,
                SyncReport(venue, state.revision, page.frame.to, requests=1), page)
        elif update.last.is_complete:
            raise Contradiction("a duplicate venue")
        update.rules.check(page)
        update.transaction.apply(page.blocks)
        update.last = page

    @staticmethod
    def _state(venue: str, connection: sqlite3.Connection) -> VenueState:
        state = Reader(connection).state(venue)
        assert state is not None
        return state

    def _finish(self, update: _VenueUpdate) -> None:
        if not update.last.is_complete:
            raise Malformed("an incomplete venue")
        frame = update.last.frame
        update.report.repaired = repair(self.server, frame.venue, frame.to, update.transaction)
        for level in update.transaction.mismatches():
            raise WrongDigest(level)
        update.transaction.finish(update.report, None, frame.digest, frame.about, Selection.of(EVERYTHING))

    @staticmethod
    def _delete_venue(venue: str, connection: sqlite3.Connection) -> None:
        numbers = connection.execute("SELECT number FROM venue WHERE key = ?", [venue]).fetchall()
        for table, column in (("feature", "venue"), ("level", "venue"), ("venue", "number")):
            connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", numbers)


def _parse(document: Any, bodies: List[List[bytes]]) -> _CataloguePage:
    if integer(document, "protocol") != 1:
        raise Malformed("an unknown protocol version")
    venues = [venue_page(venue, bodies) for venue in member(document, "venues", list)]
    gone = member(document, "gone", list)
    if bodies or not all(isinstance(venue, str) for venue in gone):
        raise Malformed("not a change set over all venues")
    start = document.get("from")
    return _CataloguePage(
        None if start is None else integer(document, "from"), integer(document, "to"), boolean(document, "complete"),
        cursor_of(document), gone, venues)
