from __future__ import annotations

import threading
import unittest
from typing import List

from pages import GROUND, problem, response, snapshot
from support import ReplicaTestCase
from venuesync import RetryPolicy, Unauthorized


class FollowTests(ReplicaTestCase):
    def test_follow_applies_changes_retries_after_failures_and_reports_reconnection(self) -> None:
        replica = self.replica(
            response(None, 1, "one", snapshot(None)), response(1, 2, "two"), problem(503), ConnectionResetError(), response(2, 3, "three"))
        stop = threading.Event()
        events: List[str] = []
        for event in replica.follow(stop):
            events.append(f"{event.kind} {event.report.to_revision if event.report else type(event.error).__name__}")
            if events[-1] == "changed 3":
                stop.set()
        self.assertEqual(events, [
            "connected NoneType", "changed 1", "changed 2", "setback Unavailable", "setback Unreachable", "connected NoneType", "changed 3"])
        self.assertEqual([request["query"].get("wait") for request in self.transport.requests], [None, "25", "25", "25", "25"])

    def test_follow_ends_with_an_error_that_is_not_retryable_and_keeps_the_replica(self) -> None:
        replica = self.replica(response(None, 1, "one", snapshot(None)), problem(401))
        with self.assertRaises(Unauthorized):
            for _ in replica.follow():
                pass
        self.assertEqual(replica.state.revision, 1)

    def test_follow_drops_a_response_that_was_requested_in_another_state(self) -> None:
        replica = self.replica(
            response(None, 1, "one", snapshot(None)), response(1, 1, "two", snapshot(GROUND)), response(1, 1, "old"),
            response(1, 2, "three"))
        replica.sync(levels=["venue"])
        waited = replica.wait_for_changes
        cursors: List[object] = []

        def change_meanwhile(cursor: object, *arguments: object) -> object:
            cursors.append(cursor)
            if len(cursors) == 1:
                replica.add(GROUND)
            return waited(cursor, *arguments)  # type: ignore[arg-type]

        replica.wait_for_changes = change_meanwhile  # type: ignore[method-assign, assignment]
        stop = threading.Event()
        for event in replica.follow(stop):
            if event.report is not None:
                stop.set()
        self.assertEqual((cursors, replica.state.revision), (["one", "two"], 2))


class RetryTests(unittest.TestCase):
    def test_retry_after_is_seconds_or_a_date_and_at_most_an_hour(self) -> None:
        policy = RetryPolicy(now=lambda: 1_795_262_400.0)  # 21 November 2026, 12:00 UTC
        self.assertEqual(policy.retry_after("7"), 7)
        self.assertEqual(policy.retry_after("Sat, 21 Nov 2026 12:00:30 GMT"), 30)
        self.assertEqual(policy.retry_after("Sat, 21 Nov 2026 11:00:30 GMT"), 0)
        self.assertEqual(policy.retry_after("999999999999999"), 3600)
        for nonsense in (None, "", "soon", "-1", "1e9", "٣"):
            self.assertIsNone(policy.retry_after(nonsense))

    def test_pauses_double_up_to_a_limit_with_jitter(self) -> None:
        for chance in (0.0, 0.999):
            policy = RetryPolicy(chance=lambda: chance)
            for failures in range(1, 40):
                span = min(2.0 ** (failures - 1), 300)
                self.assertAlmostEqual(policy.pause(failures, None), span / 2 + span / 2 * chance)
                self.assertGreaterEqual(policy.pause(failures, 900), 900)


if __name__ == "__main__":
    unittest.main()
