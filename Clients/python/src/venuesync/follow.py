"""Keeps a replica up to date with long polls."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable, Iterator, Optional, Tuple

from .errors import HistoryLost, SyncError
from .report import SyncReport
from .transaction import StateChanged

if TYPE_CHECKING:
    from .replica import VenueReplica

#: Seconds for which the server may delay a response until something changes.
WAIT = 25


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

    `adding`: levels to add to the selection with the first synchronization that succeeds. Raises a `SyncError` that is not retryable, such as a revoked key, a deleted venue or a full disk.
    """
    policy = replica.server.policy
    missing = tuple(adding)
    failures = 0
    is_connected = False
    while stop is None or not stop.is_set():
        start = time.monotonic()
        try:
            report = replica.external_changes()
            if report is None:
                report = _wait_and_apply(replica, missing)
        except SyncError as error:
            if not error.is_retryable:
                raise
            failures += 1
            is_connected = False
            pause = policy.pause(failures, getattr(error, "retry_after", None))
            yield FollowEvent("setback", error=error, pause=pause)
            _sleep(replica, stop, pause)
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
        elif report is not None and time.monotonic() - start < policy.shortest:
            _sleep(replica, stop, policy.pause(1, policy.shortest))


def _wait_and_apply(replica: VenueReplica, missing: Tuple[str, ...]) -> Optional[SyncReport]:
    """Waits for changes and applies them. Others may write meanwhile; then it returns None."""
    if missing:
        return replica.add(*missing)
    state = replica.state
    if state.cursor is None or state.selection is None:
        return replica.sync()
    try:
        return replica.apply_change_set(replica.wait_for_changes(state, state.selection, WAIT), state, state.selection)
    except StateChanged:
        return None
    except HistoryLost:
        return replica.sync()


def _sleep(replica: VenueReplica, stop: Optional[threading.Event], seconds: float) -> None:
    if stop is None:
        replica.server.policy.sleep(seconds)
    else:
        stop.wait(seconds)
