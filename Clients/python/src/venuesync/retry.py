"""When to retry a failed request."""

from __future__ import annotations

import email.utils
import random
import time
from dataclasses import dataclass
from typing import Callable, Optional


@dataclass
class RetryPolicy:
    """Exponential backoff with jitter, so that clients that failed together do not retry together.

    `Retry-After` is respected. All times are in seconds.
    """

    #: How often the request for a later page or a level is sent, because the pages read so far would be lost otherwise. The first
    #: request of a change set is sent once.
    attempts: int = 4
    shortest: float = 1.0
    #: Nobody waits longer than this after an outage.
    longest: float = 60.0
    #: The upper bound for `Retry-After`.
    longest_retry_after: float = 3600.0
    # Replaced by tests.
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    now: Callable[[], float] = time.time

    def pause(self, failures: int, retry_after: Optional[float]) -> float:
        """The pause after this number of consecutive failures. A random part is at most half of what the server asks for, if it does.

        Less than the shortest pause, such as 0 or a date in the past, counts as if it did not.
        """
        if retry_after is not None and retry_after < self.shortest:
            retry_after = None
        wanted = self.shortest * 2.0 ** min(max(failures, 1) - 1, 30) if retry_after is None else retry_after
        span = min(max(wanted, self.shortest), self.longest)
        return min(span / 2 if retry_after is None else retry_after, self.longest_retry_after) + span / 2 * self.chance()

    def retry_after(self, header: Optional[str]) -> Optional[float]:
        """Parses `Retry-After`: seconds or an HTTP date (RFC 9110 §10.2.3); None for anything else."""
        text = (header or "").strip()
        if text.isascii() and text.isdigit():
            return min(float(text[:12]), self.longest_retry_after)
        try:
            date = email.utils.parsedate_to_datetime(text)
            return min(max(0.0, date.timestamp() - self.now()), self.longest_retry_after)
        except (TypeError, ValueError, IndexError, OverflowError):
            return None
