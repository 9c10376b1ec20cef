"""What the service has acknowledged and shown, and what contradicts it."""

import collections
import threading
import time


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        self.is_over = threading.Event()
        self.fault = "none"                         # what is being done to the topology now
        self.uploads = {}                           # acknowledged uploads: id to venue
        self.revisions = {}                         # acknowledged revisions: (venue, number) to the message that made it
        self.digests = {}                           # digests that clients were shown: (venue, number) to digest
        self.messages = set()                       # messages that were sent, acknowledged or not
        self.violations = []                        # what must never happen
        self.failed_reads = []                      # (time, fault, reader, reason)
        self.counts = collections.Counter()
        self.writes = []                            # (begin, end) of every acknowledged write of the prober
        self.pauses = []                            # (begin, end) of times in which this machine executed nothing, not even this program
        threading.Thread(target=self.watch_for_pauses, daemon=True).start()

    def watch_for_pauses(self):
        """Other programs may stop everything here for a while. What takes longer because of that says nothing about the service."""
        last = time.monotonic()
        while True:
            time.sleep(0.2)
            now = time.monotonic()
            if now - last > 3:
                with self.lock:
                    self.pauses.append((last, now))
            last = now

    def was_paused(self, begin, end):
        """Whether there was such a pause, or one ended shortly before."""
        with self.lock:
            return any(first < end and begin < last + 15 for first, last in self.pauses)

    def acknowledge(self, venue, number, message):
        with self.lock:
            other = self.revisions.setdefault((venue, number), message)
            if other != message:
                self.violations.append(f"revision {number} of {venue} was acknowledged for {other!r} and for {message!r}")
            self.counts["acknowledged writes"] += 1

    def show(self, venue, number, digest):
        """A client was shown a revision. Two digests of one revision are a fork."""
        with self.lock:
            other = self.digests.setdefault((venue, number), digest)
            if other != digest:
                self.violations.append(f"fork: revision {number} of {venue} had the digests {other} and {digest}")

    def violate(self, text):
        with self.lock:
            self.violations.append(text)

    def count(self, what, by=1):
        with self.lock:
            self.counts[what] += by

    def fail_read(self, reader, reason):
        with self.lock:
            self.counts["failed reads"] += 1
            self.failed_reads.append((time.monotonic(), self.fault, reader, reason))
            print(f"failed read of {reader}, during “{self.fault}”: {reason}", flush=True)

    def wrote(self, begin, end):
        with self.lock:
            self.writes.append((begin, end))

    def first_write_after(self, moment):
        """When the first write was acknowledged that began after a moment; None if there was none yet."""
        with self.lock:
            return min((end for begin, end in reversed(self.writes[-400:]) if begin >= moment), default=None)
