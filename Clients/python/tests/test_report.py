from __future__ import annotations

import contextlib
import sqlite3
import unittest

from pages import FIRST, GROUND, block, collection, feature, named, response, snapshot, uuid
from support import ReplicaTestCase
from venuesync import Busy, LevelCount, StoreError, VenueReplica

WIDE = feature("f0", "level", ordinal=0, name={"en": "Ground", "ja": "地上"})
SHOP, BAKER, CAFE = named("a1", "unit", "Shop"), named("a2", "unit", "Baker"), named("a3", "unit", "Cafe")
FIRST_RESPONSE = response(None, 1, "one", snapshot(None, WIDE), snapshot(GROUND, SHOP, BAKER), snapshot(FIRST, CAFE))


class ReportTests(ReplicaTestCase):
    def test_a_report_counts_added_levels(self) -> None:
        report = self.replica(FIRST_RESPONSE).sync()
        self.assertEqual(
            report.levels_added, [LevelCount(None, 1), LevelCount(GROUND, 2), LevelCount(FIRST, 1)])
        self.assertEqual((report.added, report.changed, report.removed, report.changes), (0, 0, 0, []))

    def test_a_report_lists_added_changed_moved_and_removed_features(self) -> None:
        renamed, kiosk = named("a1", "unit", "Shop & Co"), named("a4", "kiosk", "Kiosk")
        replica = self.replica(FIRST_RESPONSE, response(
            1, 2, "two", block(GROUND, "changes", [renamed, kiosk], [renamed, kiosk], [uuid("a2")]),
            block(FIRST, "changes", [BAKER], [BAKER], [uuid("a3")])))
        replica.sync()
        report = replica.sync()
        self.assertEqual((report.added, report.changed, report.removed), (1, 2, 1))
        changes = {change.id[-2:]: change for change in report.changes}
        self.assertEqual({end: change.kind for end, change in changes.items()}, {
            "a1": "changed", "a2": "changed", "a3": "removed", "a4": "added"})
        self.assertEqual((changes["a1"].before, changes["a1"].after), (SHOP.encode(), renamed.encode()))
        self.assertTrue(changes["a2"].is_move and changes["a2"].from_level == GROUND and changes["a2"].level == FIRST)
        self.assertEqual((report.levels_added, report.levels_dropped), ([], []))

    def test_drop_reports_the_level_and_stores_the_selection(self) -> None:
        replica = self.replica(FIRST_RESPONSE, response(1, 1, "two", block(GROUND, "gone", None, [])), response(1, 1, "two"))
        replica.sync()
        report = replica.drop(GROUND)
        self.assertEqual((report.levels_dropped, report.removed), ([LevelCount(GROUND, 2)], 0))
        self.assertTrue(report.has_changes)
        self.assertFalse(replica.sync().has_committed)
        self.assertEqual([request["level"] for request in self.transport.requests], [[], [FIRST], [FIRST]])
        self.assertEqual(
            [(level.id, level.name, level.is_held) for level in replica.levels()],
            [(None, None, True), (GROUND, "Ground", False), (FIRST, None, True)])

    def test_drop_frees_the_disk_space(self) -> None:
        large = [feature(f"{number:x}", "unit", text="x" * 4000) for number in range(0x1000, 0x1100)]
        replica = self.replica(
            response(None, 1, "one", snapshot(None, WIDE), snapshot(GROUND, *large)),
            response(1, 1, "two", block(GROUND, "gone", None, [])))
        replica.sync()
        replica.close()
        before = self.file.stat().st_size
        replica = self.replica()
        replica.drop(GROUND)
        replica.close()
        self.assertGreater(before, 1_000_000)
        self.assertLess(self.file.stat().st_size, before / 10)

    def test_a_file_that_another_process_writes_is_busy_and_unchanged(self) -> None:
        replica = self.replica(FIRST_RESPONSE)
        replica.store.writer.execute("PRAGMA busy_timeout = 0")
        with contextlib.closing(sqlite3.connect(self.file)) as other:
            other.execute("BEGIN IMMEDIATE")
            with self.assertRaises(Busy):
                replica.sync()
            self.assertEqual(replica.levels(), [])
        self.transport.responses = [FIRST_RESPONSE]
        self.assertEqual(replica.sync().to_revision, 1)

    def test_a_report_after_a_repair_has_the_net_changes(self) -> None:
        kiosk, ghost = named("a4", "kiosk", "Kiosk"), named("a5", "unit", "Ghost")
        replica = self.replica(
            FIRST_RESPONSE, response(1, 2, "two", block(GROUND, "changes", [SHOP, BAKER, kiosk], [kiosk, ghost])),
            collection(SHOP, BAKER, kiosk))
        replica.sync()
        report = replica.sync()
        self.assertEqual((report.added, report.changed, report.removed, report.repaired), (1, 0, 0, [GROUND]))
        self.assertEqual([change.id for change in report.changes], [uuid("a4")])

    def test_an_identical_snapshot_is_reported_as_no_change(self) -> None:
        replica = self.replica(FIRST_RESPONSE, response(1, 2, "two", snapshot(GROUND, SHOP, BAKER)))
        replica.sync()
        report = replica.sync()
        self.assertEqual((report.has_changes, report.has_committed), (False, True))

    def test_a_replica_opens_without_a_server_and_refuses_other_files(self) -> None:
        self.replica(FIRST_RESPONSE).sync()
        replica = self.replica()
        self.assertEqual([feature.name() for feature in replica.features(GROUND)], ["Shop", "Baker"])
        self.assertEqual(replica.features(types=["level"])[0].name(["ja"]), "地上")
        self.assertEqual(replica.feature(uuid("a3").upper()).body, CAFE.encode())  # type: ignore[union-attr]
        self.assertIsNotNone(replica.state.synced_at)
        with self.assertRaises(StoreError):
            VenueReplica(self.file, "https://maps.example", "hall")
        self.file.with_name("text").write_text("nonsense " * 200)
        with self.assertRaises(StoreError):
            VenueReplica(self.file.with_name("text"), "https://maps.example", "mall")


if __name__ == "__main__":
    unittest.main()
