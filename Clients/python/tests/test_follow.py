from __future__ import annotations

import threading
import unittest
from typing import Any, List
from unittest.mock import Mock

from pages import GROUND, page_of_a_proxy, problem, response, snapshot
from scripted import SERVER
from support import ReplicaTestCase
from venuesync import DiskFull, Refused, RetryPolicy, StoreError, Unauthorized, UnknownVenue, VenueGone, VenueReplica
from venuesync.selection import Selection
from venuesync.store import VenueState


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
        # The first request after a failure does not wait, so that the connection is known at once.
        self.assertEqual([request["query"].get("wait") for request in self.transport.requests], [None, "25", "25", None, None])

    def test_follow_ends_with_a_file_that_cannot_be_used(self) -> None:
        replica = self.replica(response(None, 1, "one", snapshot(None)))
        replica.sync()
        replica.wait_for_changes = Mock(side_effect=StoreError("damaged"))  # type: ignore[method-assign]
        with self.assertRaises(StoreError):
            list(replica.follow())
        self.assertEqual(replica.state.revision, 1)

    def test_a_pause_ends_as_soon_as_another_call_has_reached_the_server(self) -> None:
        replica = self.replica(
            response(None, 1, "one", snapshot(None)), ConnectionResetError(), response(1, 2, "two"), response(2, 3, "three"))
        replica.sync()
        replica.server.policy.pause = lambda failures, retry_after: 3600.0  # type: ignore[method-assign]
        replica.server.policy.sleep = lambda seconds: None
        for event in replica.follow():
            if event.kind == "setback":
                # During the pause, before its first part ends.
                replica.server.policy.sleep = lambda seconds: replica.sync() and None  # type: ignore[assignment]
            if event.report is not None and event.report.to_revision == 3:
                break
        self.assertEqual(replica.state.revision, 3)

    def test_follow_retries_after_responses_that_are_not_from_the_server(self) -> None:
        json = {"status": 401, "headers": {"Content-Type": "application/json"}, "body": ['{"type":"about:blank"}']}
        untyped = {"status": 404, "headers": {"Content-Type": "application/problem+json"}, "body": ['{"title":"x"}']}
        proxies = [page_of_a_proxy(status) for status in (302, 308, 400, 401, 403, 404, 408, 410)] + [json, untyped, problem(400)]
        replica = self.replica(response(None, 1, "one", snapshot(None)), *proxies, response(1, 2, "two"))
        stop = threading.Event()
        setbacks = []
        for event in replica.follow(stop):
            if event.error is not None:
                setbacks.append(event.error)
            if event.report is not None and event.report.to_revision == 2:
                stop.set()
        self.assertEqual([type(error) for error in setbacks], [Refused] * len(proxies))

    def test_follow_goes_on_after_refusals_of_the_server_and_a_full_disk(self) -> None:
        kinds = {401: Unauthorized, 403: Unauthorized, 404: UnknownVenue, 410: VenueGone}
        refusals = [
            problem(status, "venue-gone", **{"Content-Type": "Application/Problem+JSON; charset=utf-8"}) for status in kinds]
        replica = self.replica(response(None, 1, "one", snapshot(None)), *refusals, response(1, 2, "two"), response(1, 2, "two"))
        apply = replica.apply_change_set

        def fill_the_disk_once(*arguments: Any) -> Any:
            replica.apply_change_set = apply  # type: ignore[method-assign]
            raise DiskFull("the disk is full")

        setbacks: List[type] = []
        for event in replica.follow():
            if event.error is not None:
                setbacks.append(type(event.error))
                if len(setbacks) == len(kinds):
                    replica.apply_change_set = fill_the_disk_once  # type: ignore[method-assign, assignment]
            if event.report is not None and event.report.to_revision == 2:
                break
        self.assertEqual(setbacks, [*kinds.values(), DiskFull])
        self.assertEqual(replica.state.revision, 2)

    def test_follow_adds_levels_as_soon_as_there_is_a_network(self) -> None:
        replica = self.replica(
            ConnectionResetError(), page_of_a_proxy(302), response(None, 1, "one", snapshot(None), snapshot(GROUND)), response(1, 2, "two"))
        stop = threading.Event()
        events: List[str] = []
        for event in replica.follow(stop, adding=["ordinal:0"]):
            events.append(event.kind)
            if event.report is not None and event.report.to_revision == 2:
                stop.set()
        self.assertEqual(events, ["setback", "setback", "connected", "changed", "changed"])
        self.assertEqual([request["level"] for request in self.transport.requests], [["ordinal:0"]] * 4)
        self.assertEqual([request["query"].get("wait") for request in self.transport.requests], [None, None, None, "25"])
        self.assertEqual(replica.state.selection, Selection.of(["ordinal:0"]))
        with self.assertRaises(ValueError):
            replica.follow(adding=["1F"])

    def test_follow_reports_what_another_process_stores_before_and_during_a_poll(self) -> None:
        replica = self.replica(
            response(None, 1, "one", snapshot(None)), response(1, 2, "two"), response(2, 3, "three"), response(2, 3, "three"),
            response(3, 4, "four"))
        other = VenueReplica(self.file, SERVER, "mall", "secret", transport=self.transport)
        self.addCleanup(other.close)
        replica.sync()
        other.sync()
        waited = replica.wait_for_changes

        def store_meanwhile(*arguments: Any) -> Any:
            page = waited(*arguments)
            if page.frame.to == 3:
                other.sync()
            return page

        replica.wait_for_changes = store_meanwhile  # type: ignore[method-assign, assignment]
        stop = threading.Event()
        reports = []
        for event in replica.follow(stop):
            if event.report is not None:
                reports.append((event.report.from_revision, event.report.to_revision, event.report.is_external))
                self.assertEqual(event.report.has_changes, event.report.is_external)
                if event.report.to_revision == 4:
                    stop.set()
        self.assertEqual(reports, [(1, 2, True), (2, 3, True), (3, 4, False)])

    def test_follow_drops_a_response_that_was_requested_in_another_state(self) -> None:
        replica = self.replica(
            response(None, 1, "one", snapshot(None)), response(1, 1, "two", snapshot(GROUND)), response(1, 1, "old"),
            response(1, 2, "three"))
        replica.sync(levels=["venue"])
        waited = replica.wait_for_changes
        cursors: List[object] = []

        def change_meanwhile(state: VenueState, *arguments: object) -> object:
            cursors.append(state.cursor)
            if len(cursors) == 1:
                replica.add(GROUND)
            return waited(state, *arguments)  # type: ignore[arg-type]

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
                span = min(2.0 ** (failures - 1), 60)
                self.assertAlmostEqual(policy.pause(failures, None), span / 2 + span / 2 * chance)
                for short in (0, 0.999):
                    self.assertEqual(policy.pause(failures, short), policy.pause(failures, None))
                self.assertAlmostEqual(policy.pause(failures, 900), 900 + 30 * chance)
                self.assertAlmostEqual(policy.pause(failures, 1), 1 + 0.5 * chance)


if __name__ == "__main__":
    unittest.main()
