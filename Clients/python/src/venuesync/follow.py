"""Keeps a replica up to date with long polls."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable, Iterator, Optional, Tuple

from .errors import HistoryLost, StoreError, SyncError
from .report import SyncReport
from .transaction import StateChanged

if TYPE_CHECKING:
    from .replica import VenueReplica

#: Seconds for which the server may delay a response until something changes.
WAIT = 25
#: Seconds of a pause after which is checked whether another call has reached the server.
_SLICE = 0.5


@dataclass(frozen=True)
class FollowEvent:
    """An event of `follow`."""

    #: `changed`: the replica has changed, see `report`; also if another process stored the change. `connected`: the first successful
    #: response, or the first after failures. `setback`: a request failed and is repeated after `pause` seconds.
    kind: str
    report: Optional[SyncReport] = None
    error: Optional[SyncError] = None
    pause: Optional[float] = None


def follow(
    replica: VenueReplica, stop: Optional[threading.Event] = None, adding: Iterable[str] = ()
) -> Iterator[FollowEvent]:
    """Yields events until `stop` is set, which is checked between requests, or the iteration ends.

    `adding`: levels to add to the selection with the first synchronization that succeeds. Goes on after every failure, also after a
    refused key, which may be granted again, a venue that does not exist, and a full disk. A pause ends as soon as another call has reached
    the server. Raises `StoreError` if the file cannot be used.
    """
    policy = replica.server.policy
    missing = tuple(adding)
    failures = 0
    is_connected = False
    while stop is None or not stop.is_set():
        start = time.monotonic()
        successes = replica.successes
        has_waited = is_connected
        try:
            report = replica.external_changes()
            if report is None:
                # The first request after the start or a failure does not wait, so that the state of the connection is known at once.
                report = _poll(replica, missing, WAIT if is_connected else None)
        except SyncError as error:
            if isinstance(error, StoreError) and not error.is_retryable:
                raise
            failures += 1
            is_connected = False
            pause = policy.pause(failures, getattr(error, "retry_after", None))
            yield FollowEvent("setback", error=error, pause=pause)
            _sleep(replica, stop, pause, successes)
            continue
        if report is not None and report.is_external:
            yield FollowEvent("changed", report=report)
            continue
        if report is not None:
            missing = ()
        failures = 0
        if not is_connected:
            is_connected = True
            yield FollowEvent("connected")
        if report is not None and report.has_committed:
            yield FollowEvent("changed", report=report)
        # If the server does not delay its responses, pause between requests.
        elif report is not None and has_waited and time.monotonic() - start < policy.shortest:
            _sleep(replica, stop, policy.pause(1, policy.shortest))


def _poll(replica: VenueReplica, missing: Tuple[str, ...], wait: Optional[int]) -> Optional[SyncReport]:
    """Requests changes, waits for them, and applies them. Others may write meanwhile; then it returns None."""
    if missing:
        return replica.add(*missing)
    state = replica.state
    if state.cursor is None or state.selection is None:
        return replica.sync()
    try:
        return replica.apply_change_set(replica.wait_for_changes(state, state.selection, wait), state, state.selection)
    except StateChanged:
        return None
    except HistoryLost:
        return replica.sync()


def _sleep(replica: VenueReplica, stop: Optional[threading.Event], seconds: float, successes: Optional[int] = None) -> None:
    """Pauses until `stop` is set or, with `successes`, until another call has reached the server since there were so many."""
    # No thread can wait for two events at once.
    end = time.monotonic() + seconds
    while successes in (None, replica.successes):
        rest = end - time.monotonic()
        if rest <= 0:
            return
        if stop is None:
            replica.server.policy.sleep(min(rest, _SLICE))
        elif stop.wait(min(rest, _SLICE)):
            return
