"""Keeps a replica up to date: a revision is applied moments after it was published."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, Optional

from .draft import Moved
from .errors import HistoryLost, SyncError
from .report import SyncReport

if TYPE_CHECKING:
    from .replica import VenueReplica

#: Seconds for which the server may hold a reply back until there is news.
WAIT = 25


@dataclass(frozen=True)
class FollowEvent:
    """What `follow` has to tell."""

    #: `changed`: the replica is another than before, see `report`. `connected`: the server answered, for the first time or after
    #: setbacks. `setback`: it did not; it is asked again after `pause` seconds.
    kind: str
    report: Optional[SyncReport] = None
    error: Optional[SyncError] = None
    pause: Optional[float] = None


def follow(replica: VenueReplica, stop: Optional[threading.Event] = None) -> Iterator[FollowEvent]:
    """Yields events until `stop` is set, which is looked at between requests, or nobody takes them any more.

    Raises the `SyncError` that waiting does not mend: a key that was revoked, a venue that was deleted, a full disk.
    """
    policy = replica.exchange.policy
    failures = 0
    is_connected = False
    while stop is None or not stop.is_set():
        start = time.monotonic()
        try:
            report = _news(replica)
        except SyncError as error:
            if not error.is_retryable:
                raise
            failures += 1
            is_connected = False
            pause = policy.pause(failures, getattr(error, "retry_after", None))
            yield FollowEvent("setback", error=error, pause=pause)
            _sleep(replica, stop, pause)
            continue
        failures = 0
        if not is_connected:
            is_connected = True
            yield FollowEvent("connected")
        if report is not None and report.has_committed:
            yield FollowEvent("changed", report=report)
        # A server that does not wait is not asked without a pause.
        elif time.monotonic() - start < policy.shortest:
            _sleep(replica, stop, policy.pause(1, policy.shortest))


def _news(replica: VenueReplica) -> Optional[SyncReport]:
    """Waits for news and applies them; None when the replica moved on meanwhile. While it waits, others may write."""
    state = replica.state
    if state.cursor is None or state.selection is None:
        return replica.sync()
    try:
        return replica.apply_news(replica.wait_for_news(state.cursor, state.selection, WAIT), state, state.selection)
    except Moved:
        return None
    except HistoryLost:
        return replica.sync()


def _sleep(replica: VenueReplica, stop: Optional[threading.Event], seconds: float) -> None:
    if stop is None:
        replica.exchange.policy.sleep(seconds)
    else:
        stop.wait(seconds)
