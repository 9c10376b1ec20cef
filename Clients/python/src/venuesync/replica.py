"""A verified local copy of one venue or of some of its levels."""

from __future__ import annotations

import contextlib
import re
import threading
from typing import Any, Callable, Iterable, Iterator, List, Optional, Tuple, Union

from . import delta
from .collection import fetch_level, repair
from .connection import ServerConnection, query
from .errors import Busy, Contradiction, HistoryLost, Malformed, StoreError, SyncError, Untrusted, WrongDigest
from .feature import Feature, Level
from .follow import FollowEvent, follow
from .report import SyncReport
from .retry import RetryPolicy
from .rules import PageRules
from .search import SearchIndex, SearchResult
from .selection import EVERYTHING, Levels, Selection
from .store import Path, ReplicaStore, VenueState
from .transaction import ReplicaTransaction, StateChanged, write_transaction
from .transport import Transport, default_transport
from .trust import MAX_DOCUMENT_BYTES, DownloadLimit, SignedHead, TrustedKeys, collection_limit
from .wire import Page, Restart, page, restart

_KEY = re.compile(r"(?=.{1,64}$)[a-z0-9-]+(\.[a-z0-9-]+)*")
#: How often a synchronization is started again because another process has written to the file.
_MAX_ATTEMPTS = 5
#: The server ends a page at this number of features and removals, or at 8 MiB.
_PAGE_LIMIT = 50_000


class VenueReplica:
    """A venue in a SQLite file, verified by digests.

        replica = VenueReplica("mall.sqlite", "https://maps.example.com", "mall", key="vsk_…")
        units = replica.features(level, types=["unit"])     # from the file, with or without a network
        replica.sync()                                      # then the changes

    A change set is applied in one transaction together with its cursor: if the process is killed, the file has one revision or
    the next. All methods may be called from any thread; writers wait for each other.
    """

    def __init__(
        self, path: Path, server: str, venue: str, key: Optional[str] = None, *,
        transport: Optional[Transport] = None, policy: Optional[RetryPolicy] = None, page_limit: int = _PAGE_LIMIT,
        trust: Optional[Iterable[str]] = None,
    ) -> None:
        """Opens or creates the file. Sends no requests.

        `trust`: the public keys of the operator. Then a revision is applied only if one of them has signed it, if the statement about
        it has not expired, and if it is not older than what is held. None: revisions need no signature.

        The file is verified, which reads all of it. Damaged levels are not read, and the next synchronization fetches them.

        Raises `ValueError` for an invalid address, venue key or public key, and `StoreError` for a file that is not a replica of this venue.
        """
        if not _KEY.fullmatch(venue):
            raise ValueError(f"“{venue}” is not a venue key")
        self.venue = venue
        self.server = ServerConnection(server, key, default_transport(transport), policy or RetryPolicy())
        self._keys = None if trust is None else TrustedKeys(trust)
        self._head: Optional[SignedHead] = None
        self.store = ReplicaStore(path)
        try:
            self._check_owner()
            self.store.add_venue(venue)
            opened = self.state
        except BaseException:
            self.store.close()
            raise
        self._page_limit = page_limit
        self._lock = threading.Lock()
        self._index = SearchIndex()
        # What `external_changes` compares the file with: the commits of this replica, those of other writers that were reported, and
        # the last revision that was stored or reported.
        self._own_commits = 0
        self._external_commits = opened.commits
        self._known_revision = opened.revision
        #: How many calls have brought the replica up to date. `follow` ends its pauses after one of another thread.
        self.successes = 0

    def _check_owner(self) -> None:
        with self.store.read() as reader:
            others = [held for held in reader.venues() if held != self.venue]
        if others:
            raise StoreError(f"the file holds the venue {others[0]}")

    # Reading. These methods send no requests.

    @property
    def damaged_levels(self) -> List[Optional[str]]:
        """The damaged levels that were deleted when the file was opened (None: the venue-wide part)."""
        return [level for _, level in self.store.damaged]

    @property
    def state(self) -> VenueState:
        return self.store.state(self.venue)

    def levels(self) -> List[Level]:
        """The venue-wide part and all levels of the venue in ascending order, held or not."""
        with self.store.read() as reader:
            return reader.levels(_known(reader.state(self.venue)))

    def features(self, *levels: Optional[str], types: Optional[Iterable[str]] = None) -> List[Feature]:
        """The features of these levels (None: the venue-wide part), by default all."""
        with self.store.read() as reader:
            return list(reader.features(_known(reader.state(self.venue)), levels or None, types))

    def feature(self, id: str) -> Optional[Feature]:
        with self.store.read() as reader:
            return reader.feature(_known(reader.state(self.venue)), id)

    def search(
        self, text: str, *, types: Optional[Iterable[str]] = None, level: Optional[str] = None, limit: int = 50,
        is_related: bool = False,
    ) -> List[SearchResult]:
        """Searches names and categories: see `SearchIndex.search`."""
        with self.store.read() as reader:
            state = _known(reader.state(self.venue))
            self._index.refresh(state.commits, lambda: reader.features(state))
            found = self._index.search(text, types=types, level=level, limit=limit, is_related=is_related)
            results = [(reader.feature(state, id), text, match) for id, text, match in found]
        return [SearchResult(feature, text, match) for feature, text, match in results if feature is not None]

    # Synchronization.

    def sync(self, levels: Optional[Levels] = None) -> SyncReport:
        """Brings the replica up to date with the newest revision.

        `levels`: the new selection of levels; None keeps the stored one, which initially is everything. Raises `SyncError`; then
        the replica is unchanged.
        """
        chosen = None if levels is None else Selection.of(levels)
        return self._pull(lambda state: chosen or state.selection or Selection.of(EVERYTHING))

    def add(self, *levels: str) -> SyncReport:
        """Adds levels (ids, `ordinal:1`, `venue`) to the selection and brings the replica up to date."""
        return self._pull(
            lambda state: Selection.of(levels) if state.selection is None else state.selection.adding(levels))

    def drop(self, *levels: str) -> SyncReport:
        """Removes levels from the selection, brings the replica up to date, and frees their space."""
        held = [(level.id, level.ordinal) for level in self.levels() if level.is_held and level.id is not None]
        return self._pull(lambda state: (state.selection or Selection.of(EVERYTHING)).dropping(levels, held))

    def follow(self, stop: Optional[threading.Event] = None, *, adding: Iterable[str] = ()) -> Iterator[FollowEvent]:
        """Keeps the replica up to date and yields events until `stop` is set, which is checked between requests.

        `adding`: levels (ids, `ordinal:1`, `venue`), which are added to the selection with the first synchronization that succeeds, so
        a floor can be chosen without a network. If nothing is selected yet and none is given, all levels are selected. A refused key, a
        venue that does not exist and a full disk are retried too, because the key may be granted again. Raises `StoreError` if the file
        cannot be used.
        """
        names = Selection.of(adding).names if adding else None
        return follow(self, stop, sorted(names or ()))

    def external_changes(self) -> Optional[SyncReport]:
        """Reports what other writers have committed since the file was opened or this was last called; None if nothing."""
        state = self.state
        # A commit of this replica is counted before it is visible, so it is never taken for that of another writer.
        external = state.commits - self._own_commits
        if external <= self._external_commits or state.revision is None:
            return None
        report = SyncReport(self.venue, self._known_revision, state.revision, has_committed=True, is_external=True)
        self._external_commits = external
        self._known_revision = state.revision
        return report

    def close(self) -> None:
        with self._lock:
            self.store.close()

    def __enter__(self) -> VenueReplica:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _pull(self, selection: Callable[[VenueState], Selection]) -> SyncReport:
        with self._lock:
            for _ in range(_MAX_ATTEMPTS):
                try:
                    report = self._pull_once(selection)
                    self.successes += 1
                    return report
                except StateChanged:
                    continue
                except HistoryLost:
                    raise Contradiction("the history was lost twice") from None
            raise Busy("other processes keep writing to the file")

    def _pull_once(self, selection: Callable[[VenueState], Selection]) -> SyncReport:
        state = self.state
        wanted = selection(state)
        head = self._signed_head(state)
        try:
            return self._apply(self._first_page(state, wanted, head=head), state, wanted, head)
        except Untrusted:
            if head is None or state.revision is None or self._stored_head(state) is not None:
                raise
            # The file was filled without trusted keys, and what it holds is not what was signed.
            return self._apply(self._page(None, wanted, head=head), state, wanted, head, from_scratch=True)
        except HistoryLost as lost:
            # The history may have been lost since the head was requested.
            report = self._start_over(state, wanted, restart(lost.problem), self._signed_head(state))
        # A 410 has no `about`, and newer revisions may exist by now. The replica is already complete, so if this request fails,
        # the next synchronization gets the rest.
        try:
            state = self.state
            head = self._signed_head(state)
            report.merge(self._apply(self._first_page(state, wanted, head=head), state, wanted, head))
        except (SyncError, HistoryLost, StateChanged):
            pass
        return report

    def apply_change_set(self, first: Page, state: VenueState, wanted: Selection) -> SyncReport:
        """Applies a change set whose first page is the response to a long poll; see `follow`."""
        if self._keys is None:
            with self._lock:
                return self._apply(first, state, wanted, None)
        # With trusted keys, the response is only the signal to request the next head.
        head = self._head
        if (head is not None and head.is_recent(self.server.policy.now()) and head.revision == state.revision
                and first.is_complete and not first.blocks
                and (first.cursor, first.frame.to, first.frame.about) == (state.cursor, state.revision, state.about)):
            return SyncReport(self.venue, state.revision, head.revision, requests=1)
        return self.sync()

    def wait_for_changes(self, state: VenueState, wanted: Selection, wait: Optional[int]) -> Page:
        return self._first_page(state, wanted, wait)

    def _stored_head(self, state: VenueState) -> Optional[bytes]:
        with self.store.read() as reader:
            return reader.signed_head(state)

    def _signed_head(self, state: VenueState) -> Optional[SignedHead]:
        """Requests the signed head and verifies it; None if no keys are trusted."""
        if self._keys is None:
            return None
        head = self._keys.head(self.server.text(f"/venues/{self.venue}/head", MAX_DOCUMENT_BYTES), self.venue)
        head.check_time(self.server.policy.now())
        stored = self._stored_head(state)
        if stored is not None:
            with contextlib.suppress(Untrusted):  # of a key that is not trusted any more
                known = self._keys.head(stored, self.venue)
                self._head = self._head or known
        if self._head is not None:
            head.check_succession(self._head)
        self._head = head
        return head

    def _first_page(
        self, state: VenueState, wanted: Selection, wait: Optional[int] = None, head: Optional[SignedHead] = None
    ) -> Page:
        return self._page(state.cursor, wanted, wait, base=state, head=head)

    def _page(
        self, cursor: Optional[str], wanted: Selection, wait: Optional[int] = None, attempts: int = 1,
        base: Optional[VenueState] = None, head: Optional[SignedHead] = None,
    ) -> Page:
        """`base`: the state before the synchronization. If it has the same selection, the delta form is requested."""
        path = self._path(cursor, wanted, wait, head)
        if base is None or base.cursor is None or base.selection != wanted:
            return self.server.attempting(attempts, lambda: page(*self.server.document(path)))
        state = base
        return self.server.attempting(
            attempts, lambda: self._read(
                self.server.change_set(f"{path}&form=delta"), cursor, self._path(cursor, wanted, head=head), state))

    def _path(
        self, cursor: Optional[str], wanted: Selection, wait: Optional[int] = None, head: Optional[SignedHead] = None
    ) -> str:
        parameters: List[Tuple[str, str]] = [] if cursor is None else [("since", cursor)]
        parameters += wanted.parameters + [("limit", str(self._page_limit))]
        if head is not None:
            parameters.append(("to", str(head.revision)))
        if wait is not None:
            parameters.append(("wait", str(wait)))
        return f"/venues/{self.venue}/sync?{query(parameters)}"

    def _read(
        self, response: Union[bytes, Tuple[Any, List[List[bytes]]]], since: Optional[str], plain_path: str, state: VenueState
    ) -> Page:
        """Reads a page in either form. A page in the delta form that cannot be read is requested once in the plain form."""
        if not isinstance(response, bytes):
            return page(*response)
        try:
            # The file as it was before a transaction that is open now.
            with self.store.read() as reader:
                return delta.page(response, reader.held_features(state), since)
        except Malformed:
            return page(*self.server.document(plain_path))

    def _apply(
        self, first: Page, state: VenueState, wanted: Selection, head: Optional[SignedHead], from_scratch: bool = False
    ) -> SyncReport:
        rules = PageRules(
            self.venue, None if from_scratch else state.revision, None if from_scratch else state.cursor)
        rules.check(first)
        limit = DownloadLimit(head)
        self._check(first, state, head, limit)
        frame = first.frame
        report = SyncReport(self.venue, state.revision, frame.to, requests=1)
        if (first.is_complete and not first.blocks and (first.cursor, wanted) == (state.cursor, state.selection)
                and (frame.digest, frame.about) == (state.digest, state.about)):
            if head is not None:
                self._check_unchanged(state, wanted, head)
            self.store.touch(self.venue)
            return report
        current = first
        with self._transaction(state) as transaction:
            # A venue without a revision still holds the levels that were not damaged.
            if from_scratch or state.revision is None:
                transaction.clear_all()
            transaction.apply(current.blocks)
            while not current.is_complete:
                # Retried, because the pages read so far would be lost otherwise.
                current = self._page(
                    current.cursor, wanted, attempts=self.server.policy.attempts, base=None if from_scratch else state,
                    head=head)
                rules.check(current)
                self._check(current, state, head, limit)
                report.requests += 1
                transaction.apply(current.blocks)
            report.repaired = repair(self.server, self.venue, frame.to, transaction, collection_limit(head))
            report.requests += len(report.repaired)
            _verify_digests(transaction)
            transaction.finish(report, current.cursor, frame.digest, frame.about, wanted, head)
        self._known_revision = report.to_revision
        if report.levels_dropped:
            self.store.reclaim()
        return report

    def _check(self, page: Page, state: VenueState, head: Optional[SignedHead], limit: DownloadLimit) -> None:
        if head is None:
            return
        head.check_page(page)
        with self.store.read() as reader:
            limit.receive(page, reader.feature_count(state))

    def _check_unchanged(self, state: VenueState, wanted: Selection, head: SignedHead) -> None:
        """Checks the held levels if they were stored without a statement, and stores the statement."""
        if (state.revision, state.digest) != (head.revision, head.digest):
            raise Untrusted(f"the server sends no newer revision than {state.revision}")
        with self.store.read() as reader:
            if reader.signed_head(state) is None:
                head.check_held(reader.digests(state), wanted, reader.ordinals(state))
        self.store.keep_head(state, head.document)

    def _start_over(
        self, state: VenueState, wanted: Selection, problem: Optional[Restart], head: Optional[SignedHead]
    ) -> SyncReport:
        """Starts over after the history was lost, and keeps levels whose digest still matches."""
        if problem is None:
            report = self._apply(self._page(None, wanted, head=head), state, wanted, head, from_scratch=True)
            report.has_started_over = True
            return report
        if head is not None and head.revision != problem.to:
            raise Untrusted(f"the history starts over at revision {problem.to}, which is not the signed one")
        entries = {entry.level: entry for entry in problem.levels}
        if len(entries) != len(problem.levels):
            raise Contradiction("a duplicate level")
        report = SyncReport(self.venue, state.revision, problem.to, requests=1, has_started_over=True)
        with self._transaction(state) as transaction:
            transaction.clear_all(but=entries.keys())
            for entry in problem.levels:
                transaction.expect(entry.level, entry.digest)
            for level in transaction.mismatches():
                fetch_level(self.server, entries[level].href, level, transaction, collection_limit(head))
                report.requests += 1
            _verify_digests(transaction)
            transaction.finish(report, problem.cursor, None, None, wanted, head)
        self._known_revision = report.to_revision
        return report

    @contextlib.contextmanager
    def _transaction(self, state: VenueState) -> Iterator[ReplicaTransaction]:
        is_counted = False
        try:
            with write_transaction(self.store) as connection:
                transaction = ReplicaTransaction(connection, state)
                self._own_commits += 1
                is_counted = True
                yield transaction
        except BaseException:
            self._own_commits -= 1 if is_counted else 0
            raise


def _verify_digests(transaction: ReplicaTransaction) -> None:
    for level in transaction.mismatches():
        raise WrongDigest(level)


def _known(state: Optional[VenueState]) -> VenueState:
    if state is None:
        raise StoreError("the venue is no longer in the file")
    return state
