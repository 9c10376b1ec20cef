from __future__ import annotations

import json
from typing import Any, Dict, List, Optional

from pages import block, collection, compact, lines, named, problem, snapshot
from scripted import SERVER
from support import ReplicaTestCase
from venuesync import Contradiction, Malformed, RetryPolicy, StoreError, Unavailable, WrongDigest
from venuesync.catalogue import CatalogueReplica

SHOP, BAKER = named("a1", "unit", "Shop"), named("a2", "unit", "Baker")


def catalogue(
    start: Optional[int], to: int, cursor: str, *venues: List[str], gone: List[str] = [], complete: bool = True
) -> Dict[str, Any]:
    head = {"protocol": 1, "from": start, "to": to, "complete": complete, "cursor": cursor, "gone": gone}
    text = [compact(head)[:-1] + ',"venues":[']
    for index, venue in enumerate(venues):
        text += venue if index + 1 == len(venues) else [*venue[:-1], venue[-1] + ","]
    return {"status": 200, "body": [*text, "]}"]}


MALL = lines(None, 1, None, snapshot(None, SHOP))
HALL = lines(None, 1, None, snapshot(None, BAKER), venue="hall")
FIRST = catalogue(None, 2, "one", MALL, HALL)


class CatalogueTests(ReplicaTestCase):
    def catalogue(self, *responses: Any) -> CatalogueReplica:
        self.transport.responses += responses
        catalogue = CatalogueReplica(
            self.file, SERVER, "secret", transport=self.transport, policy=RetryPolicy(attempts=1))
        self.addCleanup(catalogue.close)
        return catalogue

    def held(self, catalogue: CatalogueReplica) -> Dict[str, List[str]]:
        return {venue: [feature.body.decode() for feature in catalogue.features(venue)] for venue in catalogue.venues()}

    def test_sync_reports_venues_that_are_added_changed_deleted_and_created_again(self) -> None:
        changed = lines(1, 2, None, block(None, "changes", [SHOP, BAKER], [BAKER]))
        again = lines(None, 1, None, snapshot(None, BAKER))
        replica = self.catalogue(
            FIRST, catalogue(2, 3, "two", changed, gone=["hall"]), catalogue(3, 3, "two"), catalogue(3, 4, "three", again))
        self.assertEqual([report.venue for report in replica.sync()], ["hall", "mall"])
        self.assertEqual(self.held(replica), {"mall": [SHOP], "hall": [BAKER]})
        self.assertEqual([(report.venue, report.added) for report in replica.sync()], [("mall", 1)])
        self.assertEqual(self.held(replica), {"mall": [SHOP, BAKER]})
        self.assertEqual(replica.sync(), [])
        replica.sync()
        self.assertEqual(self.held(replica), {"mall": [BAKER]})
        self.assertEqual([request["since"] for request in self.transport.requests], [None, "one", "two", "two"])

    def test_sync_joins_a_venue_over_pages_and_deletes_one_that_is_withdrawn_meanwhile(self) -> None:
        begun = json.loads(compact(lines(None, 1, None, snapshot(None, SHOP))))
        begun[0] = begun[0].replace('"complete":true', '"complete":false')
        begun[1] = json.dumps({**json.loads(begun[1][:-len(',"features":[')] + "}"), "digest": None})[:-1] + ',"features":['
        rest = lines(None, 1, None, block(None, "snapshot", [SHOP, BAKER], [BAKER]))
        rest[1] = rest[1].replace('{"', '{"continued":true,"', 1)
        replica = self.catalogue(
            catalogue(None, 2, "p1", HALL, begun, complete=False), catalogue(None, 2, "one", rest, gone=["hall"]))
        replica.sync()
        self.assertEqual(self.held(replica), {"mall": [SHOP, BAKER]})

    def test_lost_history_starts_over_and_deletes_missing_venues(self) -> None:
        replica = self.catalogue(FIRST, problem(410, "history-lost"), catalogue(None, 1, "anew", HALL))
        replica.sync()
        replica.sync()
        self.assertEqual(self.held(replica), {"hall": [BAKER]})

    def test_an_invalid_change_set_changes_nothing(self) -> None:
        wrong = lines(1, 2, None, block(None, "changes", [SHOP], [BAKER]))
        right = lines(1, 2, None, block(None, "changes", [SHOP, BAKER], [BAKER]))
        attempts = [
            (WrongDigest, [catalogue(2, 3, "x", wrong), collection(BAKER)]), (Contradiction, [catalogue(1, 3, "x", right)] * 2),
            (Contradiction, [catalogue(None, 3, "x", right), catalogue(2, 3, "x", right)]), (Malformed, [{"status": 200, "body": ["{}"]}]),
            (Contradiction, [catalogue(2, 3, "one", right, complete=False)]), (Unavailable, [problem(503)]),
            (Contradiction, [catalogue(2, 3, "x", right, right)])]
        unfinished = [right[0].replace('"complete":true', '"complete":false'), *right[1:]]
        attempts.append((Malformed, [catalogue(2, 3, "x", unfinished)]))
        replica = self.catalogue(FIRST)
        replica.sync()
        before = self.held(replica)
        for error, responses in attempts:
            with self.subTest(error), self.assertRaises(error):
                self.transport.responses = list(responses)
                replica.sync()
            self.assertEqual(self.held(replica), before)

    def replaced(self, position: int, revision: int) -> None:
        far = lines(1, revision, None, block(None, "changes", [SHOP, BAKER], [BAKER]))
        late = catalogue(3, 4, "next", lines(1, 2, None, block(None, "changes", [SHOP, BAKER], [BAKER])))
        replica = self.catalogue(FIRST, catalogue(2, position, "far", far), late, catalogue(None, 4, "anew", HALL))
        replica.sync()
        replica.sync()
        replica.sync()
        self.assertEqual(self.held(replica), {"hall": [BAKER]})

    def test_a_position_that_no_server_reaches_is_replaced_by_everything(self) -> None:
        self.replaced(2**53 - 1, 2)

    def test_a_revision_that_no_server_reaches_is_replaced_by_everything(self) -> None:
        self.replaced(3, 2**53 - 1)

    def test_opening_refuses_the_file_of_one_venue(self) -> None:
        self.replica()
        with self.assertRaises(StoreError):
            self.catalogue()
