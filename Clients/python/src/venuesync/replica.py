"""One venue on this machine: a verified copy of chosen levels, kept up to date."""

from __future__ import annotations

import re
import threading
from typing import Callable, Iterable, Iterator, List, Optional, Tuple

from .collection import fetch_level, repair
from .draft import Draft, Moved, transaction
from .errors import Busy, Contradiction, HistoryLost, StoreError, SyncError, WrongDigest
from .exchange import Exchange, query
from .feature import Feature, Level
from .follow import FollowEvent, follow
from .report import SyncReport
from .retry import RetryPolicy
from .rules import PageRules
from .search import SearchIndex, SearchResult
from .selection import EVERYTHING, Levels, Selection
from .store import Path, ReplicaStore, VenueState
from .transport import Transport, default_transport
from .wire import Page, Restart, page, restart

_KEY = re.compile(r"(?=.{1,64}$)[a-z0-9-]+(\.[a-z0-9-]+)*")
#: How often to begin again when another process wrote to the file meanwhile.
_BEGINNINGS = 5
#: The server ends a page at so many features and removals, or at 8 MiB.
_PAGE_LIMIT = 50_000


class VenueReplica:
    """A venue in a SQLite file, proved by its digests.

        replica = VenueReplica("mall.sqlite", "https://maps.example.com", "mall", key="vsk_…")
        units = replica.features(level, types=["unit"])     # what is held, with or without a network
        replica.sync()                                      # then what is new

    A change set is applied in one transaction together with its cursor: killed at whatever moment, the file is at one revision
    or at the next. Calls may come from any thread; those that write go one after the other.
    """

    def __init__(
        self, path: Path, server: str, venue: str, key: Optional[str] = None, *,
        transport: Optional[Transport] = None, policy: Optional[RetryPolicy] = None, page_limit: int = _PAGE_LIMIT,
    ) -> None:
        """Opens the file, or makes it. Nothing is asked of the server yet.

        Raises `ValueError` for what is no address or no key of a venue, and `StoreError` for a file of something else.
        """
        if not _KEY.fullmatch(venue):
            raise ValueError(f"“{venue}” is no key of a venue")
        self.venue = venue
        self.exchange = Exchange(server, key, default_transport(transport), policy or RetryPolicy())
        self.store = ReplicaStore(path)
        try:
            self._check_owner()
            self.store.add_venue(venue)
        except BaseException:
            self.store.close()
            raise
        self._page_limit = page_limit
        self._lock = threading.Lock()
        self._index = SearchIndex()

    def _check_owner(self) -> None:
        with self.store.read() as reader:
            others = [held for held in reader.venues() if held != self.venue]
        if others:
            raise StoreError(f"the file holds the venue {others[0]}")

    # Reading what is held. None of this asks the server.

    @property
    def state(self) -> VenueState:
        return self.store.state(self.venue)

    def levels(self) -> List[Level]:
        """The venue-wide part, then every level of the venue from the lowest up, whether it is held or not."""
        with self.store.read() as reader:
            return reader.levels(_known(reader.state(self.venue)))

    def features(self, *levels: Optional[str], types: Optional[Iterable[str]] = None) -> List[Feature]:
        """Features held under these levels (None: the venue-wide part), or all that are held."""
        with self.store.read() as reader:
            return list(reader.features(_known(reader.state(self.venue)), levels or None, types))

    def feature(self, id: str) -> Optional[Feature]:
        with self.store.read() as reader:
            return reader.feature(_known(reader.state(self.venue)), id)

    def search(
        self, text: str, *, types: Optional[Iterable[str]] = None, level: Optional[str] = None, limit: int = 50
    ) -> List[SearchResult]:
        """Features by their names in any language, and by their categories; the best first. Without a text, all that have one."""
        with self.store.read() as reader:
            state = _known(reader.state(self.venue))
            self._index.refresh(state.commits, lambda: reader.features(state))
            found = [
                (reader.feature(state, id), text, match)
                for id, text, match in self._index.search(text, types=types, level=level, limit=limit)]
        return [SearchResult(feature, text, match) for feature, text, match in found if feature is not None]

    # Bringing it up to date.

    def sync(self, levels: Optional[Levels] = None) -> SyncReport:
        """Brings the replica up to date with the newest revision.

        `levels`: what is wanted from now on, in place of what was wanted before; None keeps that. Where nothing was chosen yet, it
        is everything. Raises `SyncError`; then the replica is as it was.
        """
        chosen = None if levels is None else Selection.of(levels)
        return self._pull(lambda state: chosen or state.selection or Selection.of(EVERYTHING))

    def add(self, *levels: str) -> SyncReport:
        """Wants more levels (ids, `ordinal:1`, `venue`), and brings the replica up to date."""
        return self._pull(
            lambda state: Selection.of(levels) if state.selection is None else state.selection.adding(levels))

    def drop(self, *levels: str) -> SyncReport:
        """Wants levels no longer, brings the replica up to date, and gives their room back."""
        held = [(level.id, level.ordinal) for level in self.levels() if level.is_held and level.id is not None]
        return self._pull(lambda state: (state.selection or Selection.of(EVERYTHING)).dropping(levels, held))

    def follow(self, stop: Optional[threading.Event] = None) -> Iterator[FollowEvent]:
        """Keeps the replica up to date, and yields what happens; see `venuesync.follow`."""
        return follow(self, stop)

    def close(self) -> None:
        with self._lock:
            self.store.close()

    def __enter__(self) -> VenueReplica:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _pull(self, wish: Callable[[VenueState], Selection]) -> SyncReport:
        with self._lock:
            for _ in range(_BEGINNINGS):
                try:
                    return self._pull_once(wish)
                except Moved:
                    continue
                except HistoryLost:
                    raise Contradiction("the history was lost twice") from None
            raise Busy("other processes keep writing to the file")

    def _pull_once(self, wish: Callable[[VenueState], Selection]) -> SyncReport:
        state = self.state
        wanted = wish(state)
        try:
            return self._apply(self._page(state.cursor, wanted), state, wanted)
        except HistoryLost as lost:
            report = self._start_over(state, wanted, restart(lost.problem))
        # A 410 says less of its revision than a change set, and time has gone by. The replica is whole already, so what
        # cannot be had of that now can be had with the next synchronization.
        try:
            state = self.state
            report.merge(self._apply(self._page(state.cursor, wanted), state, wanted))
        except (SyncError, HistoryLost, Moved):
            pass
        return report

    def apply_news(self, first: Page, state: VenueState, wanted: Selection) -> SyncReport:
        """Applies a change set whose first page was waited for; see `follow`."""
        with self._lock:
            return self._apply(first, state, wanted)

    def wait_for_news(self, cursor: Optional[str], wanted: Selection, wait: int) -> Page:
        return self._page(cursor, wanted, wait=wait)

    def _page(
        self, cursor: Optional[str], wanted: Selection, wait: Optional[int] = None, attempts: int = 1
    ) -> Page:
        parameters: List[Tuple[str, str]] = [] if cursor is None else [("since", cursor)]
        parameters += wanted.parameters + [("limit", str(self._page_limit))]
        if wait is not None:
            parameters.append(("wait", str(wait)))
        path = f"/venues/{self.venue}/sync?{query(parameters)}"
        return self.exchange.attempting(attempts, lambda: page(*self.exchange.document(path)))

    def _apply(self, first: Page, state: VenueState, wanted: Selection, from_nothing: bool = False) -> SyncReport:
        rules = PageRules(
            self.venue, None if from_nothing else state.revision, None if from_nothing else state.cursor)
        rules.check(first)
        frame = first.frame
        report = SyncReport(self.venue, state.revision, frame.to, requests=1)
        if (first.is_complete and not first.blocks and (first.cursor, wanted) == (state.cursor, state.selection)
                and (frame.digest, frame.about) == (state.digest, state.about)):
            self.store.touch(self.venue)
            return report
        current = first
        with transaction(self.store) as connection:
            draft = Draft(connection, state)
            if from_nothing:
                draft.forget_all()
            draft.apply(current.blocks)
            while not current.is_complete:
                # Asked for more than once if need be: what was read already would be lost.
                current = self._page(current.cursor, wanted, attempts=self.exchange.policy.attempts)
                rules.check(current)
                report.requests += 1
                draft.apply(current.blocks)
            report.repaired = repair(self.exchange, self.venue, frame.to, draft)
            report.requests += len(report.repaired)
            _prove(draft)
            draft.finish(report, current.cursor, frame.digest, frame.about, wanted)
        if report.levels_dropped:
            self.store.reclaim()
        return report

    def _start_over(self, state: VenueState, wanted: Selection, found: Optional[Restart]) -> SyncReport:
        """The server has lost the history that the replica comes from. Levels that are still right are kept."""
        if found is None:
            report = self._apply(self._page(None, wanted), state, wanted, from_nothing=True)
            report.has_started_over = True
            return report
        entries = {entry.level: entry for entry in found.levels}
        if len(entries) != len(found.levels):
            raise Contradiction("a level twice")
        report = SyncReport(self.venue, state.revision, found.to, requests=1, has_started_over=True)
        with transaction(self.store) as connection:
            draft = Draft(connection, state)
            draft.forget_all(but=entries.keys())
            for entry in found.levels:
                draft.expect(entry.level, entry.digest)
            for level in draft.mismatches():
                fetch_level(self.exchange, entries[level].href, level, draft)
                report.requests += 1
            _prove(draft)
            draft.finish(report, found.cursor, None, None, wanted)
        return report


def _prove(draft: Draft) -> None:
    for level in draft.mismatches():
        raise WrongDigest(level)


def _known(state: Optional[VenueState]) -> VenueState:
    if state is None:
        raise StoreError("the file does not hold the venue any more")
    return state
