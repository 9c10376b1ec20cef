"""The errors of a synchronization. After any of them, the replica is unchanged."""

from __future__ import annotations

from typing import Optional


class SyncError(Exception):
    """A synchronization that failed.

    `result` is the class of the error in the conformance cases. `is_retryable` is true if the same request may succeed later.
    """

    result = "wrong"
    is_retryable = False


class Unreachable(SyncError):
    """There was no response, or it was incomplete."""

    result = "unreachable"
    is_retryable = True


class Unavailable(SyncError):
    """429 or 5xx. `retry_after`: the value of `Retry-After` in seconds, if there is one."""

    result = "unavailable"
    is_retryable = True

    def __init__(self, status: int, retry_after: Optional[float]) -> None:
        super().__init__(f"the server responded with status {status}")
        self.status = status
        self.retry_after = retry_after


class Unauthorized(SyncError):
    """401 or 403 from the server: no key, a wrong or revoked one, or one that may not read this venue."""

    result = "unauthorized"


class UnknownVenue(SyncError):
    """404 from the server: there is no such venue, or the key may not see it."""

    result = "unknown"


class VenueGone(SyncError):
    """The venue was deleted."""

    result = "gone"


class Refused(SyncError):
    """Any other status: the request is invalid, or something between client and server responded. A retry may help.

    A 401, 403, 404 or 410 without a problem document is not from the server and belongs here.
    """

    is_retryable = True

    def __init__(self, status: int, message: str = "", location: Optional[str] = None) -> None:
        if location is not None:
            message = "a redirect to " + "".join(character for character in location[:200] if character.isprintable())
        super().__init__(f"the server responded with status {status}" + (f": {message}" if message else ""))
        self.status = status
        #: The target of a redirect, which is not followed.
        self.location = location


class Malformed(SyncError):
    """The response violates the protocol, for example because it is truncated. A retry may help."""

    is_retryable = True


class Contradiction(SyncError):
    """The response is well-formed but belongs to another venue or revision, or repeats a page."""

    is_retryable = True


class WrongDigest(SyncError):
    """The digest of a level differs, also after the level was fetched again. `level`: None is the venue-wide part."""

    is_retryable = True

    def __init__(self, level: Optional[str]) -> None:
        super().__init__(f"the digest of {'the venue-wide part' if level is None else f'level {level}'} differs")
        self.level = level


class Untrusted(SyncError):
    """What was received is not proven to be the newest revision of the operator: it is unsigned, wrongly signed, expired, older than
    what is held, or not what was signed. Only if keys are trusted."""

    result = "untrusted"
    is_retryable = True


class DiskFull(SyncError):
    """The disk is full."""

    result = "disk-full"


class StoreError(SyncError):
    """The file cannot be used: it is damaged, or not a replica of this venue."""

    result = "file"


class Busy(StoreError):
    """Another process was writing to the file until the timeout."""

    is_retryable = True


class HistoryLost(Exception):
    """410: the cursor cannot be continued. `problem` is the body of the response, with the digests of all levels."""

    def __init__(self, problem: object) -> None:
        super().__init__("the history of the cursor is lost")
        self.problem = problem
