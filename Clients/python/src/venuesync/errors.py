"""What can go wrong in a synchronization. Whatever is raised, the replica is as it was before."""

from __future__ import annotations

from typing import Optional


class SyncError(Exception):
    """A synchronization that failed.

    `result` is the class of the error in the words of the conformance cases; `is_retryable` tells whether the same request may
    succeed later without anybody's help.
    """

    result = "wrong"
    is_retryable = False


class Unreachable(SyncError):
    """There was no reply, or it broke off."""

    result = "unreachable"
    is_retryable = True


class Unavailable(SyncError):
    """429 or 5xx. `retry_after`: the seconds that the server asked for, if it did."""

    result = "unavailable"
    is_retryable = True

    def __init__(self, status: int, retry_after: Optional[float]) -> None:
        super().__init__(f"the server answered {status}")
        self.status = status
        self.retry_after = retry_after


class Unauthorized(SyncError):
    """401 or 403: no key, a wrong or revoked one, or one that may not read this venue."""

    result = "unauthorized"


class UnknownVenue(SyncError):
    """404: there is no such venue, or the key may not see it."""

    result = "unknown"


class VenueGone(SyncError):
    """The venue was deleted."""

    result = "gone"


class Refused(SyncError):
    """Any other status. The request itself is at fault, or something between here and the server answered."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"the server answered {status}: {message}" if message else f"the server answered {status}")
        self.status = status


class Malformed(SyncError):
    """The reply is not what the protocol says, cut short for instance. Asking again may help."""

    is_retryable = True


class Contradiction(SyncError):
    """The reply is well-formed but does not belong here: another venue, another revision, a page twice."""

    is_retryable = True


class WrongDigest(SyncError):
    """A level differs from its digest, also after it was fetched again. `level`: None is the venue-wide part."""

    is_retryable = True

    def __init__(self, level: Optional[str]) -> None:
        super().__init__(f"the digest of {'the venue-wide part' if level is None else f'level {level}'} differs")
        self.level = level


class DiskFull(SyncError):
    """There is no room for the change."""

    result = "disk-full"


class StoreError(SyncError):
    """The replica's file cannot be used: it is damaged, or of something else."""

    result = "file"


class Busy(StoreError):
    """Another process writes to the replica's file, and went on for as long as was waited."""

    is_retryable = True


class HistoryLost(Exception):
    """410: the cursor cannot be continued. `problem` is the server's answer, which says how to keep what is still right."""

    def __init__(self, problem: object) -> None:
        super().__init__("the server lost the history that the cursor is of")
        self.problem = problem
