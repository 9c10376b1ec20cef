from __future__ import annotations

import base64
import contextlib
import json
import sqlite3
import threading
from typing import Any, Dict, List

from pages import FIRST, GROUND, block, collection, digest, feature, lines, named, problem, snapshot, uuid
from scripted import SERVER, ScriptedTransport
from signer import Signer, response as signed_response
from support import ReplicaTestCase
from venuesync import EVERYTHING, RetryPolicy, SyncError, Untrusted, VenueReplica, ed25519
from venuesync.cli import main

#: 2026-04-01T09:00:00Z, when the heads of `Signer` are made.
NOW = 1775034000.0
REVISION = "sha-256:" + "0" * 64
FLOOR = feature("f0", "level", ordinal=0)
SHOP, OTHER = named("a1", "unit", "Shop"), named("a1", "unit", "Other")
WIDE_DIGEST, SHOP_DIGEST, OTHER_DIGEST = digest([FLOOR]), digest([SHOP]), digest([OTHER])
operator, thief = Signer(b"o" * 32), Signer(b"t" * 32)


def first_page() -> Dict[str, Any]:
    return {"status": 200, "body": lines(None, 1, "one", snapshot(None, FLOOR), snapshot(GROUND, SHOP))}


def second_page(body: str = OTHER) -> Dict[str, Any]:
    return {"status": 200, "body": lines(1, 2, "two", block(GROUND, "changes", [body], [body]))}


def head(revision: int, shop: str = SHOP_DIGEST, **changes: Any) -> Dict[str, Any]:
    return operator.head(revision, REVISION, {None: WIDE_DIGEST, GROUND: shop}, **changes)


class TrustTests(ReplicaTestCase):
    def trusting(self, *responses: Any, keys: Any = (operator.key,)) -> VenueReplica:
        self.transport.responses += responses
        self.now = NOW
        policy = RetryPolicy(attempts=1, shortest=0.001, longest=0.002, now=lambda: self.now)
        replica = VenueReplica(self.file, SERVER, "mall", "secret", transport=self.transport, policy=policy, trust=keys)
        self.addCleanup(replica.close)
        return replica

    def refused(self, replica: VenueReplica, reason: str, *responses: Any) -> None:
        self.transport.responses += responses
        with self.assertRaisesRegex(Untrusted, reason):
            replica.sync()
        self.assertEqual(self.transport.responses, [])

    def test_signatures_are_those_of_rfc_8032(self) -> None:
        signer = Signer(bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
        self.assertEqual(signer.key, "ed25519:PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw")
        signature = signer.sign(b"\x72")
        self.assertEqual(signature.hex()[:32], "92a009a9f0d4cab8720e820b5f642540")
        self.assertTrue(ed25519.is_signature(signature, b"\x72", signer.public))
        self.assertFalse(ed25519.is_signature(signature, b"\x73", signer.public))
        # A scalar that is not reduced, and a key that is not a point.
        scalar = int.from_bytes(signature[32:], "little") + ed25519.ORDER
        self.assertFalse(ed25519.is_signature(signature[:32] + scalar.to_bytes(32, "little"), b"\x72", signer.public))
        self.assertFalse(ed25519.is_signature(signature, b"\x72", b"\xff" * 32))

    def test_a_file_that_was_replaced_because_of_damage_refuses_an_older_revision(self) -> None:
        self.trusting(head(1), first_page(), head(2, OTHER_DIGEST), second_page())
        with self.trusting() as replica:
            replica.sync()
            replica.sync()
        for statement in ("UPDATE feature SET body = 'x'", "DROP TABLE feature"):
            with contextlib.closing(sqlite3.connect(self.file)) as connection, connection:
                connection.execute(statement)
            with self.subTest(statement), self.trusting() as replica:
                self.assertEqual(replica.features(), [])
                self.refused(replica, "older", head(1))

    def test_a_replica_that_trusts_the_key_applies_what_is_signed(self) -> None:
        replica = self.trusting(head(1), first_page(), head(2, OTHER_DIGEST), second_page())
        self.assertEqual(replica.sync().to_revision, 1)
        self.assertEqual(replica.sync().to_revision, 2)
        requests = [(request["path"], request["query"].get("to")) for request in self.transport.requests]
        self.assertEqual(requests, [
            ("/venues/mall/head", None), ("/venues/mall/sync", "1"), ("/venues/mall/head", None), ("/venues/mall/sync", "2")])
        self.assertEqual(main(["verify", str(self.file), "--key", operator.key]), 0)
        self.assertEqual(main(["verify", str(self.file), "--key", thief.key]), 1)

    def test_wrong_keys_and_changed_members_are_refused(self) -> None:
        replica = self.trusting(head(1), first_page())
        replica.sync()
        forged = thief.head(2, REVISION, {None: WIDE_DIGEST, GROUND: OTHER_DIGEST})
        self.refused(replica, "not trusted", forged)
        self.refused(replica, "wrong", thief.head(2, REVISION, {None: WIDE_DIGEST}, key_id=operator.id))
        members = json.loads(base64.b64decode(head(2, OTHER_DIGEST)["base64"]))
        for name, value in [
                ("revision", 3), ("expires", "2099-01-01T00:00:00.000Z"), ("epoch", "B"), ("bytes", 1), ("digest", WIDE_DIGEST)]:
            self.refused(replica, "signature of the statement is wrong", signed_response({**members, name: value}))
        for name, value in [
                ("revision", 2.0), ("revision", True), ("protocol", 2), ("levels", []), ("levels", [[GROUND, SHOP_DIGEST]]),
                ("as_of", "2026-04-01"), ("signature", None), ("more", 1)]:
            self.refused(replica, "form", signed_response({**members, name: value}))
        spaced = json.dumps(members, sort_keys=True).encode()
        self.refused(replica, "form", {"status": 200, "body": [], "base64": base64.b64encode(spaced).decode()})
        self.refused(replica, "no signature", problem(404, "not-signed"))
        self.assertEqual(replica.state.revision, 1)

    def test_rollback_and_freeze_are_refused(self) -> None:
        replica = self.trusting(head(1), first_page(), head(2, OTHER_DIGEST), second_page())
        replica.sync()
        replica.sync()
        self.refused(replica, "older than 2", head(1))
        self.refused(replica, "two digests", head(2, OTHER_DIGEST, digest=WIDE_DIGEST))
        self.refused(replica, "an earlier history", head(9, epoch="0", as_of="2026-04-01T08:59:00.000Z"))
        replica.close()
        replica = self.trusting()
        self.refused(replica, "older than 2", head(1))  # from the file
        self.refused(replica, "newest revision has expired", head(3, expires="2026-04-01T09:00:00.000Z"))
        self.refused(replica, "the venue hall", head(3, venue="hall"))
        self.assertEqual(replica.state.revision, 2)

    def test_change_sets_have_to_be_what_was_signed(self) -> None:
        replica = self.trusting(head(1), first_page())
        replica.sync()
        self.refused(replica, "another digest of level", head(2, OTHER_DIGEST), second_page(SHOP))
        empty = {"status": 200, "body": lines(1, 2, "two")}
        self.refused(replica, "another digest of level", head(2, OTHER_DIGEST), empty)
        more = operator.head(2, REVISION, {None: WIDE_DIGEST, GROUND: OTHER_DIGEST, FIRST: SHOP_DIGEST})
        self.refused(replica, "leaves out level", more, second_page())
        self.refused(replica, "larger than the signed", head(2, OTHER_DIGEST, bytes=10), second_page())
        self.refused(replica, "signed revision 3", head(3, OTHER_DIGEST), second_page())
        self.assertEqual([unit.name(["en"]) for unit in replica.features(GROUND)], ["Shop"])

    def test_endless_pages_end(self) -> None:
        replica = self.trusting(head(1, bytes=1_000))

        class Endless(ScriptedTransport):
            count = 0

            def get(self, url: str, headers: Any) -> Any:
                self.count += 1
                text = lines(None, 1, f"page-{self.count}", block(GROUND, "snapshot", None, [named(f"{self.count:x}", "unit", "Shop")]))
                text[0] = text[0].replace('"complete":true', '"complete":false')
                if self.count > 1:
                    text[1] = text[1].replace('{"digest"', '{"continued":true,"digest"')
                self.responses.append({"status": 200, "body": text})
                return super().get(url, headers)

        endless = Endless()

        class Switch:
            def get(_, url: str, headers: Any) -> Any:
                return (self.transport if url.endswith("/head") else endless).get(url, headers)

        replica.server._transport = Switch()
        with self.assertRaisesRegex(Untrusted, "larger than the signed revision"):
            replica.sync()
        self.assertLess(endless.count, 12)
        self.assertIsNone(replica.state.revision)

    def test_a_level_that_is_fetched_again_is_bounded_and_verified(self) -> None:
        replica = self.trusting(head(1), first_page())
        replica.sync()
        wrong = {"status": 200, "body": lines(1, 2, "two", block(GROUND, "changes", [OTHER], [SHOP]))}
        with self.assertRaises(SyncError):
            self.transport.responses += [head(2, OTHER_DIGEST), wrong, collection(SHOP)]
            replica.sync()
        large = {"status": 200, "body": ["\n" * (3 << 20)]}
        self.transport.responses += [head(2, OTHER_DIGEST), wrong, large]
        with self.assertRaises(SyncError):
            replica.sync()
        self.transport.responses += [head(2, OTHER_DIGEST), wrong, collection(OTHER)]
        self.assertEqual(replica.sync().repaired, [GROUND])

    def test_a_file_from_before_is_verified_and_repaired(self) -> None:
        self.replica(first_page()).sync()
        self.assertEqual(main(["verify", str(self.file), "--key", operator.key]), 1)
        same = {"status": 200, "body": lines(1, 1, "one")}
        self.assertFalse(self.trusting(head(1), same).sync().has_committed)
        self.assertEqual(main(["verify", str(self.file), "--key", operator.key]), 0)

    def test_a_file_with_other_content_is_filled_again(self) -> None:
        forged = {"status": 200, "body": lines(None, 1, "one", snapshot(None, FLOOR), snapshot(GROUND, OTHER))}
        self.replica(forged).sync()
        same = {"status": 200, "body": lines(1, 1, "one")}
        replica = self.trusting(head(1), same, first_page())
        self.assertTrue(replica.sync().has_committed)
        self.assertEqual([unit.name(["en"]) for unit in replica.features(GROUND)], ["Shop"])

    def test_an_old_and_a_new_key_may_be_trusted(self) -> None:
        both = (operator.key, thief.key)
        replica = self.trusting(head(1), first_page(), keys=both)
        replica.sync()
        self.transport.responses += [thief.head(2, REVISION, {None: WIDE_DIGEST, GROUND: OTHER_DIGEST}), second_page()]
        self.assertEqual(replica.sync().to_revision, 2)
        for text in ["", "ed25519:", operator.key + "=", operator.key[:-1], operator.key.upper()]:
            with self.assertRaises(ValueError):
                self.trusting(keys=[text])

    def test_follow_uses_long_polls_as_a_hint_and_notices_an_expired_head(self) -> None:
        nothing = {"status": 200, "body": lines(1, 1, "one")}
        replica = self.trusting(
            head(1), first_page(), nothing, second_page(), head(2, OTHER_DIGEST), second_page(),
            {"status": 200, "body": lines(2, 2, "two")}, head(2, OTHER_DIGEST))
        stop = threading.Event()
        events: List[str] = []
        for event in replica.follow(stop):
            events.append(event.kind if event.error is None else str(event.error))
            if len(self.transport.requests) == 6:
                self.now += 601
            if event.kind == "setback":
                stop.set()
        self.assertEqual(events, ["connected", "changed", "changed", "the statement about the newest revision has expired"])
        paths = [request["path"].rsplit("/")[-1] for request in self.transport.requests]
        self.assertEqual(paths, ["head", "sync", "sync", "sync", "head", "sync", "sync", "head"])

    def test_level_names_are_not_part_of_an_unselected_level(self) -> None:
        upper = feature("f1", "level", ordinal=1)
        wide = digest([FLOOR, upper])
        both = operator.head(1, REVISION, {None: wide, GROUND: SHOP_DIGEST, FIRST: OTHER_DIGEST})
        page = {"status": 200, "body": lines(None, 1, "one", snapshot(None, FLOOR, upper), snapshot(GROUND, SHOP))}
        self.assertEqual(self.trusting(both, page).sync(levels=["ordinal:0"]).to_revision, 1)
        replica = self.trusting(both, {"status": 200, "body": lines(1, 1, "two")})
        with self.assertRaisesRegex(Untrusted, "leaves out level " + uuid("f1")):
            replica.sync(levels=EVERYTHING)
