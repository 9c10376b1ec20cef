"""When to ask again after a request that failed."""

from __future__ import annotations

import email.utils
import random
import time
from dataclasses import dataclass
from typing import Callable, Optional


@dataclass
class RetryPolicy:
    """Pauses double from failure to failure and are partly chance, so that clients which failed together do not come back together.

    A server that says when to come back (`Retry-After`) is taken at its word. All times are seconds.
    """

    #: How often one request is sent when the pages that were read already would be lost otherwise. The first request of a
    #: change set is sent once.
    attempts: int = 4
    shortest: float = 1.0
    longest: float = 300.0
    #: A `Retry-After` of more is taken for this.
    longest_wish: float = 3600.0
    # What tests replace.
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    now: Callable[[], float] = time.time

    def pause(self, failures: int, wish: Optional[float]) -> float:
        """How long to wait after so many failures in a row."""
        span = min(self.shortest * 2.0 ** min(max(failures, 1) - 1, 30), self.longest)
        return min(span / 2 if wish is None else wish, self.longest_wish) + span / 2 * self.chance()

    def wish(self, retry_after: Optional[str]) -> Optional[float]:
        """Seconds, or a date as HTTP writes it (RFC 9110 §10.2.3); None for anything else."""
        text = (retry_after or "").strip()
        if text.isascii() and text.isdigit():
            return min(float(text[:12]), self.longest_wish)
        try:
            date = email.utils.parsedate_to_datetime(text)
            return min(max(0.0, date.timestamp() - self.now()), self.longest_wish)
        except (TypeError, ValueError, IndexError, OverflowError):
            return None
