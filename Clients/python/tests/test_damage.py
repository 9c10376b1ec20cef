"""Files that a disk, or another program, has changed."""

from __future__ import annotations

import concurrent.futures
import contextlib
import random
import sqlite3
import threading
import unittest
from typing import List, Mapping, Optional, Set, Tuple
from unittest import mock

from pages import FIRST, GROUND, feature, lines, named, problem, response, snapshot, uuid
from scripted import SERVER, ScriptedResponse
from support import ReplicaTestCase
from test_catalogue import catalogue
from venuesync import Response, StoreError, VenueReplica, damage
from venuesync.catalogue import CatalogueReplica
from venuesync.cli import main
from venuesync.store import ReplicaStore

WIDE = feature("f0", "level", ordinal=0, name={"en": "Ground"})
SHOP, BAKER, CAFE = named("a1", "unit", "Shop"), named("a2", "unit", "Baker"), named("a3", "unit", "Cafe")
EVERYTHING = [snapshot(None, WIDE), snapshot(GROUND, SHOP, BAKER), snapshot(FIRST, CAFE)]


class DamageTests(ReplicaTestCase):
    def damage(self, *statements: str) -> None:
        with contextlib.closing(sqlite3.connect(self.file)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    def pulled(self) -> None:
        with self.replica(response(None, 1, "one", *EVERYTHING)) as replica:
            replica.sync()

    def bodies(self, replica: VenueReplica) -> List[str]:
        return [feature.body.decode() for feature in replica.features()]

    def test_a_damaged_level_is_not_read_and_fetched_again(self) -> None:
        for statement in (
                "UPDATE feature SET body = replace(body, 'Shop', 'Shob') WHERE id LIKE '%a1'",
                f"UPDATE feature SET id = '{uuid('a0')}' WHERE id LIKE '%a1'", "UPDATE feature SET type = 'vnit' WHERE id LIKE '%a1'",
                "UPDATE feature SET type = CAST(x'FF' AS TEXT) WHERE id LIKE '%a1'",
                "UPDATE feature SET type = CAST(type AS BLOB) WHERE id LIKE '%a1'", "UPDATE feature SET body = CAST(body AS TEXT) WHERE id LIKE '%a1'",
                "DELETE FROM feature WHERE id LIKE '%a1'",
                f"UPDATE level SET digest = 'sha-256:0' WHERE level = '{GROUND}'",
                f"INSERT INTO feature SELECT venue, level, '{uuid('a4')}', since, type, body FROM feature WHERE id LIKE '%a1'"):
            with self.subTest(statement):
                self.file.unlink(missing_ok=True)
                self.pulled()
                self.damage(statement)
                replica = self.replica()
                self.assertEqual(replica.damaged_levels, [GROUND])
                self.assertEqual(self.bodies(replica), [WIDE, CAFE])
                state = replica.state
                self.assertEqual((state.revision, state.cursor, state.digest, state.commits), (None, None, None, 2))
                self.transport.responses = [response(None, 1, "one", *EVERYTHING)]
                report = replica.sync()
                self.assertEqual(([level.level for level in report.levels_added], report.has_changes), ([GROUND], True))
                self.assertEqual((report.added, report.changed, report.removed), (0, 0, 0))
                self.assertEqual(self.bodies(replica), [WIDE, SHOP, BAKER, CAFE])
                replica.close()
                with self.replica() as replica:
                    self.assertEqual((replica.damaged_levels, replica.state.cursor), ([], "one"))

    def test_levels_that_the_server_does_not_have_any_more_are_dropped(self) -> None:
        self.pulled()
        self.damage("UPDATE feature SET body = 'x' WHERE id LIKE '%a1'")
        replica = self.replica(response(None, 2, "two", snapshot(None, WIDE), snapshot(GROUND, SHOP)))
        report = replica.sync()
        self.assertEqual(self.bodies(replica), [WIDE, SHOP])
        self.assertEqual([level.level for level in report.levels_dropped], [FIRST])

    def test_features_of_a_level_that_is_not_held_are_not_read(self) -> None:
        for name in (f"'{uuid('f9')}'", "'x'", "CAST(x'FF41' AS TEXT)"):
            with self.subTest(name):
                self.file.unlink(missing_ok=True)
                self.pulled()
                self.damage(f"UPDATE feature SET level = {name} WHERE id LIKE '%a1'")
                with self.replica() as replica:
                    self.assertEqual(self.bodies(replica), [WIDE, CAFE])
                    self.assertIn(GROUND, replica.damaged_levels)

    def test_a_file_of_which_nothing_can_be_relied_on_is_replaced_and_keeps_its_selection(self) -> None:
        for statements in (
                ["DROP TABLE feature"], ["UPDATE venue SET revision = 'x', selection = '['"], ["UPDATE venue SET selection = '5'"], ["ALTER TABLE feature RENAME COLUMN body TO boby"],
                ["DROP INDEX feature_id"]):
            with self.subTest(statements):
                self.file.unlink(missing_ok=True)
                with self.replica(response(None, 1, "one", *EVERYTHING[:2])) as replica:
                    replica.sync([GROUND])
                self.damage(*statements)
                with self.replica() as replica:
                    self.assertTrue(replica.store.was_replaced)
                    self.assertEqual((self.bodies(replica), replica.state.cursor), ([], None))
                    self.transport.responses = [response(None, 1, "one", *EVERYTHING[:2])]
                    self.transport.requests.clear()
                    replica.sync()
                    self.assertEqual(self.bodies(replica), [WIDE, SHOP, BAKER])
                    is_kept = "selection" not in statements[0]
                    self.assertEqual(self.transport.requests[0]["level"], [GROUND] if is_kept else [])

    def test_a_file_that_another_process_replaced_after_it_was_found_damaged_is_used(self) -> None:
        self.pulled()
        self.damage("DROP INDEX feature_id")
        find, others = damage.remove, [self.replica]

        def find_late(connection: sqlite3.Connection) -> List[damage.DamagedLevel]:
            if others:
                first = others.pop()(response(None, 1, "one", *EVERYTHING))
                self.assertTrue(first.store.was_replaced)
                first.sync()
            return find(connection)

        with mock.patch("venuesync.store.remove", find_late), self.replica() as second:
            self.assertFalse(second.store.was_replaced)
            self.assertEqual((self.bodies(second), second.state.cursor), ([WIDE, SHOP, BAKER, CAFE], "one"))

    def test_of_several_that_find_a_file_damaged_one_replaces_it(self) -> None:
        self.pulled()
        self.damage("DROP INDEX feature_id")
        find, barrier, late = damage.remove, threading.Barrier(4), threading.local()

        def find_together(connection: sqlite3.Connection) -> List[damage.DamagedLevel]:
            try:
                return find(connection)
            finally:
                if not hasattr(late, "is_second"):
                    late.is_second = True
                    barrier.wait(10)

        with mock.patch("venuesync.store.remove", find_together), concurrent.futures.ThreadPoolExecutor(4) as pool:
            stores = list(pool.map(lambda _: ReplicaStore(self.file), range(4)))
        self.assertEqual(sorted(store.was_replaced for store in stores), [False, False, False, True])
        for number, store in enumerate(stores):
            self.addCleanup(store.close)
            store.add_venue(f"venue-{number}")
        with stores[0].read() as reader:
            self.assertEqual(sorted(reader.venues()), ["mall", "venue-0", "venue-1", "venue-2", "venue-3"])

    def test_an_error_of_the_program_is_no_damage(self) -> None:
        self.pulled()
        for error in (ValueError("a defect"), TypeError("a defect")):
            with mock.patch("venuesync.damage._names", side_effect=error), self.assertRaises(type(error)):
                self.replica()
        with self.replica() as replica:
            self.assertEqual((self.bodies(replica), replica.store.was_replaced), ([WIDE, SHOP, BAKER, CAFE], False))

    def test_a_reader_of_a_damaged_file_says_so_and_changes_nothing(self) -> None:
        self.pulled()
        self.damage("UPDATE feature SET body = replace(body, 'Shop', 'Shob') WHERE id LIKE '%a1'")
        before = self.file.read_bytes()
        with mock.patch("sys.stderr") as errors, mock.patch("sys.stdout"):
            self.assertEqual(main(["export", str(self.file)]), 1)
            self.assertEqual(main(["verify", str(self.file)]), 1)
        text = "".join(str(call.args[0]) for call in errors.write.call_args_list)
        self.assertIn(f"{GROUND} of mall is damaged", text)
        self.assertEqual(self.file.read_bytes(), before)

    def test_an_undamaged_file_opens_while_another_process_writes(self) -> None:
        self.pulled()
        with contextlib.closing(sqlite3.connect(self.file)) as other:
            other.execute("BEGIN IMMEDIATE")
            with contextlib.closing(sqlite3.connect(self.file)) as connection:
                self.assertEqual(damage.remove(connection), [])

    def test_a_damaged_catalogue_is_fetched_again_as_a_whole(self) -> None:
        mall = lines(None, 1, None, snapshot(None, SHOP))
        hall = lines(None, 1, None, snapshot(None, BAKER), venue="hall")
        for statement in ("UPDATE feature SET body = 'x' WHERE id LIKE '%a1'", "DROP TABLE feature"):
            with self.subTest(statement):
                self.file.unlink(missing_ok=True)
                self.transport.responses = [catalogue(None, 2, "one", mall, hall)]
                with CatalogueReplica(self.file, SERVER, "secret", transport=self.transport) as replica:
                    replica.sync()
                self.damage(statement)
                self.transport.requests.clear()
                with CatalogueReplica(self.file, SERVER, "secret", transport=self.transport) as replica:
                    self.assertEqual(replica.features("mall"), [])
                    self.transport.responses = [catalogue(None, 2, "one", mall, hall)]
                    replica.sync()
                    self.assertEqual([found.body.decode() for found in replica.features("mall")], [SHOP])
                self.assertEqual(self.transport.requests[0]["since"], None)


class AnsweringTransport:
    """A server with one revision."""

    def get(self, url: str, headers: Mapping[str, str]) -> Response:
        if "/sync?" not in url:
            return ScriptedResponse(problem(404, "venue-not-found"))
        if "since=one&" in url:
            return ScriptedResponse(response(1, 1, "one"))
        return ScriptedResponse(problem(400, "invalid-cursor") if "since=" in url else response(None, 1, "one", *EVERYTHING))


class RandomDamageTests(ReplicaTestCase):
    def open(self) -> VenueReplica:
        return VenueReplica(self.file, SERVER, "mall", transport=AnsweringTransport())

    def content(self, replica: VenueReplica) -> Set[Tuple[str, str, Optional[str], bytes]]:
        return {(found.id, found.type, found.level, found.body) for found in replica.features()}

    def test_whatever_byte_is_changed_nothing_wrong_is_read_and_the_next_synchronization_restores_the_rest(self) -> None:
        with self.open() as replica:
            replica.sync()
            right = self.content(replica)
        sound = self.file.read_bytes()
        used = [offset for offset, byte in enumerate(sound) if byte and offset >= 100]
        generator = random.Random(1)
        healed = refused = 0
        for offset in generator.sample(used, 150):
            with self.subTest(offset):
                damaged = bytearray(sound)
                damaged[offset] ^= 1 << generator.randrange(8)
                for suffix in ("-wal", "-shm"):
                    self.file.with_name(self.file.name + suffix).unlink(missing_ok=True)
                self.file.write_bytes(damaged)
                try:
                    replica = self.open()
                except StoreError as error:
                    # A letter of the venue's key: it is the file of another venue.
                    self.assertIn("the file holds the venue", str(error))
                    refused += 1
                    continue
                with replica:
                    self.assertLessEqual(self.content(replica), right)
                    healed += self.content(replica) != right
                    replica.sync()
                    self.assertEqual((self.content(replica), replica.state.revision), (right, 1))
                    self.assertEqual({level.id: level.is_held for level in replica.levels()}, {None: True, GROUND: True, FIRST: True})
        self.assertGreater(healed, 20)
        self.assertLess(refused, 3)


if __name__ == "__main__":
    unittest.main()
