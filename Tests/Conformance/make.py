"""Writes the conformance cases: `python3 make.py` into the folder `cases`; with `--check` it only reports whether the files are up to date."""

import json
import pathlib
import sys

from replies import (
    FIRST, GROUND, VENUE, ask, ask_delta, block, body, collection, damaged, deflate, delta, digest, faulty, fetch, holds, level, number,
    page, problem, removal, reply, uuid)

FOLDER = pathlib.Path(__file__).parent / "cases"

NOTHING = {"revision": None, "cursor": None, "levels": {}}


def step(exchanges, replica, result="ok", **more):
    return {**more, "exchanges": exchanges, "result": result, "replica": replica}


# A small venue at revision 1, with which most cases begin.
WIDE = [body("01", "venue", name={"en": "Mall"}), level("f0", 0), level("f1", 1)]
SHOP, BAKER, STAIRS = body("a1", "unit", name={"en": "Shop"}), body("a2", "unit", name={"en": "Baker"}), body("a3", "unit")
ATTIC, ROOF = body("b1", "unit", name={"ja": "屋根裏"}), body("b2", "unit")
GROUND_1, FIRST_1 = [SHOP, BAKER, STAIRS], [ATTIC, ROOF]
SNAPSHOT = [block(None, "snapshot", WIDE), block(GROUND, "snapshot", GROUND_1), block(FIRST, "snapshot", FIRST_1)]
HELD = holds(1, "one", venue=WIDE, ground=GROUND_1, first=FIRST_1)
BEGIN = step([ask(None, page("one", 1, SNAPSHOT))], HELD)

# Revision 2: the shop is renamed, the baker moved to the first floor, the stairs were removed, a kiosk was added.
NEW_SHOP, KIOSK = body("a1", "unit", name={"en": "Shop & Co"}), body("a4", "kiosk")
GROUND_2, FIRST_2 = [NEW_SHOP, KIOSK], [ATTIC, ROOF, BAKER]
CHANGES = [
    block(GROUND, "changes", [NEW_SHOP, KIOSK], [removal("a3", "unit"), removal("a2", "unit", FIRST)], total=GROUND_2),
    block(FIRST, "changes", [BAKER], total=FIRST_2)]
CHANGED = holds(2, "two", venue=WIDE, ground=GROUND_2, first=FIRST_2)
NEXT = page("two", 2, CHANGES, since=1)
THEN = step([ask("one", NEXT)], CHANGED)


def refused(reply, result="wrong", **more):
    """At revision 1 an invalid response changes nothing; the next request succeeds."""
    return [BEGIN, step([ask("one", reply)], HELD, result, **more), THEN]


def pages(cursor="one", since=1, to=2, end="two"):
    """Revision 2 in four pages, with a level that continues over several of them."""
    return [
        ask("one", page("p1", 2, [block(GROUND, "changes", [NEW_SHOP], continues=True)], since, False)),
        ask("p1", page("p2", 2, [block(GROUND, "changes", [KIOSK], [removal("a3", "unit")], continues=True, continued=True)], since, False)),
        ask("p2", page("p3", 2, [
            block(GROUND, "changes", [], [removal("a2", "unit", FIRST)], total=GROUND_2, continued=True),
            block(FIRST, "changes", [], continues=True)], since, False)),
        ask("p3", page("two", 2, [block(FIRST, "changes", [BAKER], total=FIRST_2, continued=True)], since))]


def repeated(exchanges, index):
    """A request that gets the response to the previous one."""
    again = {**exchanges[index + 1], "reply": exchanges[index]["reply"]}
    return exchanges[:index + 1] + [again]


def restart(entries, cursor="two", to=2):
    levels = [
        {"level_id": id, "digest": digest(bodies), "href": href or f"/venues/{VENUE}/revisions/{to}/features?level={id or 'venue'}"}
        for id, bodies, href in entries]
    return problem(410, "history-lost", to=to, cursor=cursor, levels=levels)


# What a client without a revision receives at revision 2.
SNAPSHOT_2 = [block(None, "snapshot", WIDE), block(GROUND, "snapshot", GROUND_2), block(FIRST, "snapshot", FIRST_2)]


def replaced(reply, since="one", before=(BEGIN,)):
    """A change set that does not continue the revision of the replica: the client requests everything."""
    return [*before, step([ask(since, reply), ask(None, page("two", 2, SNAPSHOT_2)), *IDLE], CHANGED)]


IDLE = [ask("two", page("two", 2, [], since=2))]
LIE = digest([ATTIC])

# The same in the delta form, whose cursors are base64url.
BASE = {None: WIDE, GROUND: GROUND_1, FIRST: FIRST_1}
DELTA = delta(BASE, "next", 2, CHANGES)
NEXT_HELD = holds(2, "next", venue=WIDE, ground=GROUND_2, first=FIRST_2)
GALLERY = uuid("f2")


def falls_back(reply):
    """A document in the delta form that cannot be read: the same page is requested in the plain form."""
    return [BEGIN, step([ask_delta("one", reply), ask("one", NEXT)], CHANGED)]


CASES = {
    "first-snapshot": ("An empty replica receives snapshots of all levels.", [BEGIN]),
    "empty-level": ("A level without features is held, and its digest is that of the empty input.", [
        step([ask(None, page("one", 1, [block(None, "snapshot", WIDE), block(GROUND, "snapshot", [])]))],
             holds(1, "one", venue=WIDE, ground=[]))]),
    "changes": ("Features are added, changed, removed and moved between two held levels.", [BEGIN, THEN]),
    "no-change": ("Nothing changed: the replica and its cursor stay the same.", [
        BEGIN, step([ask("one", page("one", 1, [], since=1))], HELD)]),
    "only-the-cursor": ("The change is on a level that is not held: only the revision and the cursor change.", [
        BEGIN, step([ask("one", page("three", 3, [], since=1))],
                    holds(3, "three", venue=WIDE, ground=GROUND_1, first=FIRST_1))]),
    "delta-changes": ("The delta form: features are added, changed, removed and moved between two held levels.", [
        BEGIN, step([ask_delta("one", DELTA)], NEXT_HELD)], ["delta"]),
    "delta-options": ("The delta form with a compressed index, a context in the dictionary, and the time of the revision.", [
        BEGIN, step([ask_delta("one", delta(BASE, "next", 2, CHANGES, context=True, packed=True, published=1775034000000))], NEXT_HELD)],
        ["delta"]),
    "delta-no-change": ("The delta form without a block: only the cursor changes.", [
        BEGIN, step([ask_delta("one", delta(BASE, "next", 3, []))], holds(3, "next", venue=WIDE, ground=GROUND_1, first=FIRST_1))],
        ["delta"]),
    "delta-plain-reply": ("A server that does not know the delta form sends the plain form.", [
        BEGIN, step([ask_delta("one", NEXT)], CHANGED)], ["delta"]),
    "delta-levels": ("The delta form: a level no longer exists, its features have moved, and there is a new level.", [
        BEGIN, step([ask_delta("one", delta(BASE, "next", 2, [
            block(None, "changes", [level("f2", 1)], [removal("f1", "level")], total=WIDE[:2] + [level("f2", 1)]),
            block(GROUND, "changes", [ROOF], total=GROUND_1 + [ROOF]), block(FIRST, "gone"),
            block(GALLERY, "snapshot", [KIOSK])]))],
            {**holds(2, "next", venue=WIDE[:2] + [level("f2", 1)], ground=GROUND_1 + [ROOF]), "levels": {
                **holds(2, "next", venue=WIDE[:2] + [level("f2", 1)], ground=GROUND_1 + [ROOF])["levels"],
                GALLERY: {"digest": digest([KIOSK]), "bodies": [KIOSK]}}})], ["delta"]),
    "delta-retyped": ("The delta form: a feature becomes one of another type under the same id.", [
        BEGIN, step([ask_delta("one", delta(BASE, "next", 2, [
            block(GROUND, "changes", [body("a1", "kiosk", name={"en": "Shop"})], total=[body("a1", "kiosk", name={"en": "Shop"}), BAKER, STAIRS])]))],
            holds(2, "next", venue=WIDE, ground=[body("a1", "kiosk", name={"en": "Shop"}), BAKER, STAIRS], first=FIRST_1))], ["delta"]),
    "delta-companions": ("The delta form: the dictionary of a group has held features of two levels besides the sources.", [
        BEGIN, step([ask_delta("one", delta(BASE, "next", 2, CHANGES, context=True, companions=[(FIRST, uuid("b1")), (GROUND, uuid("a3"))]))],
                    NEXT_HELD)], ["delta"]),
    "delta-companion-rank": ("A companion in a document in the delta form has a rank that its level does not have.", falls_back(
        delta(BASE, "next", 2, [block(GROUND, "changes", [KIOSK], total=GROUND_1 + [KIOSK])], companions=[(GROUND, uuid("a3"))], shift=1)),
        ["delta"]),
    "delta-pages": ("The delta form in two pages: on the second one, too, ranks are those before the synchronization.", [
        BEGIN, step([
            ask_delta("one", delta(BASE, "page", 2, [
                block(GROUND, "changes", [KIOSK], [removal("a1", "unit")], continues=True)], complete=False)),
            ask_delta("page", delta(BASE, "next", 2, after="page", blocks=[
                block(GROUND, "changes", [body("a3", "unit", name={"en": "Stairs"})], [removal("a2", "unit", FIRST)],
                      total=[KIOSK, body("a3", "unit", name={"en": "Stairs"})], continued=True),
                block(FIRST, "changes", [BAKER], total=FIRST_2)]))],
            holds(2, "next", venue=WIDE, ground=[KIOSK, body("a3", "unit", name={"en": "Stairs"})], first=FIRST_2))], ["delta"]),
    "delta-cursors": ("The delta form: the beginnings of the cursors are those of the requests, all of it on the second page.", [
        BEGIN, step([
            ask_delta("one", delta(BASE, "page0000", 2, [CHANGES[0]], complete=False)),
            ask_delta("page0000", delta(BASE, "page0000last", 2, [CHANGES[1]], after="page0000"))],
            {**NEXT_HELD, "cursor": "page0000last"}),
        step([ask_delta("page0000last", delta(
            {None: WIDE, GROUND: GROUND_2, FIRST: FIRST_2}, "page0000last", 2, [], since=2, after="page0000last"))],
            {**NEXT_HELD, "cursor": "page0000last"})], ["delta"]),
    "delta-cursor-too-long": ("A document in the delta form names more of the request's cursor than it has.", falls_back(
        delta(BASE, "page0000", 2, CHANGES, after="page0000")), ["delta"]),
    "delta-page-plain": ("The second page in the delta form is damaged, and is requested in the plain form.", [
        BEGIN, step([
            ask_delta("one", delta(BASE, "page", 2, [CHANGES[0]], complete=False)),
            ask_delta("page", damaged(delta(BASE, "next", 2, [CHANGES[1]]), lambda document: document[:-1])),
            ask("page", page("next", 2, [CHANGES[1]], since=1))], NEXT_HELD)], ["delta"]),
    "delta-digest-differs": ("A body in the delta form has a wrong name: only the digest shows it, and the level is fetched.", [
        BEGIN, step([
            ask_delta("one", delta(BASE, "next", 2, [
                block(GROUND, "changes", [body("a1", "unit", name={"en": "Shop"}), KIOSK],
                      [removal("a3", "unit"), removal("a2", "unit", FIRST)], total=GROUND_2), CHANGES[1]])),
            fetch(2, GROUND, collection(GROUND_2))], NEXT_HELD)], ["delta", "repair"]),
    "delta-cut-short": ("A document in the delta form is truncated.", falls_back(
        damaged(DELTA, lambda document: document[:len(document) // 2])), ["delta"]),
    "delta-stream-cut": ("The last stream of a document in the delta form is truncated.", falls_back(
        damaged(DELTA, lambda document: document[:-1])), ["delta"]),
    "delta-too-long": ("There is a byte after the end of a document in the delta form.", falls_back(
        damaged(DELTA, lambda document: document + b"\0")), ["delta"]),
    "delta-rank": ("The ranks in a document in the delta form are higher than the level has features.", falls_back(
        delta(BASE, "next", 2, CHANGES, shift=3)), ["delta"]),
    "delta-version": ("A document in the delta form is of a later version.", falls_back(
        damaged(DELTA, lambda document: b"VSD\x02" + document[4:])), ["delta"]),
    "delta-other-base": ("The dictionary of a document in the delta form is that of another replica.", falls_back(
        delta({**BASE, GROUND: [body("a1", "unit", name={"en": "A much longer name than that of the shop"}), BAKER, STAIRS]}, "next", 2, CHANGES)),
        ["delta"]),
    "delta-twice": ("The plain form is requested because a document in the delta form is truncated; the response is in the delta form, too.", [
        BEGIN, step([ask_delta("one", damaged(DELTA, lambda document: document[:-1])), ask("one", DELTA)], HELD, "wrong"),
        step([ask_delta("one", DELTA)], NEXT_HELD)], ["delta"]),
    "delta-bomb": ("A stream in a document in the delta form decompresses to a body of more than 64 MiB.", falls_back(
        delta(BASE, "next", 2, [
            block(GROUND, "changes", [NEW_SHOP, body("a4", "kiosk", x="0" * (70 << 20))],
                  [removal("a3", "unit"), removal("a2", "unit", FIRST)], total=GROUND_2), CHANGES[1]])), ["delta"]),
    "delta-index-bomb": ("The index of a document in the delta form decompresses to more than 4 MiB.", falls_back(
        damaged(delta(BASE, "next", 2, []), lambda document: b"VSD\x01" + bytes([document[4] | 8]) + document[5:-3] + (
            lambda index: number(len(index)) + index)(deflate(bytes(5 << 20))))), ["delta"]),
    "delta-lie": ("Neither the delta form nor the level that is fetched has the announced digest: nothing changes.", [
        BEGIN, step([
            ask_delta("one", delta(BASE, "next", 2, [({**CHANGES[0][0], "digest": LIE}, *CHANGES[0][1:]), CHANGES[1]])),
            fetch(2, GROUND, collection(GROUND_2))], HELD, "wrong"),
        step([ask_delta("one", DELTA)], NEXT_HELD)], ["delta", "repair"]),
    "unknown-members": ("Unknown members are ignored.", [
        BEGIN, step([ask("one", page("two", 2, [block(None, "changes", total=WIDE, mood="fine")], since=1, weather="rain"))],
                    holds(2, "two", venue=WIDE, ground=GROUND_1, first=FIRST_1))]),
    "published-at": ("The time of a revision is optional: some responses have it, some do not, and the digests are the same.", [
        step([ask(None, page("one", 1, SNAPSHOT, published_at="2026-04-01T09:00:00.000Z"))], HELD),
        step([ask("one", NEXT)], CHANGED),
        step([ask("two", page("two", 2, [], since=2, published_at="2026-04-02T09:00:00.000Z"))], CHANGED)]),
    "selection": ("A level that is added to the selection is sent as a snapshot; one that is removed from it is dropped.", [
        step([ask(None, page("v", 1, [block(None, "snapshot", WIDE)]), ["venue"])], holds(1, "v", venue=WIDE), levels=["venue"]),
        step([ask("v", page("g", 1, [block(GROUND, "snapshot", GROUND_1)], since=1), [GROUND])],
             holds(1, "g", venue=WIDE, ground=GROUND_1), levels=[GROUND]),
        step([ask("g", page("f", 2, [
            block(GROUND, "gone"), block(FIRST, "snapshot", FIRST_2)], since=1), ["ordinal:1"])],
             holds(2, "f", venue=WIDE, first=FIRST_2), levels=["ordinal:1"]),
        step([ask("f", page("f", 2, [], since=2), ["ordinal:1"])], holds(2, "f", venue=WIDE, first=FIRST_2))]),
    "moved-out-of-sight": ("A feature moves to a level that is not held: it is deleted.", [
        step([ask(None, page("g", 1, SNAPSHOT[:2]), [GROUND])], holds(1, "g", venue=WIDE, ground=GROUND_1), levels=[GROUND]),
        step([ask("g", page("h", 2, [block(GROUND, "changes", [], [removal("a2", "unit", FIRST)], total=[SHOP, STAIRS])], since=1),
                  [GROUND])], holds(2, "h", venue=WIDE, ground=[SHOP, STAIRS]))]),
    "moved-before-it-is-removed": ("The block of the new level comes before the removal from the old one: the moved feature is kept.", [
        BEGIN, step([ask("one", page("two", 2, [CHANGES[1], CHANGES[0]], since=1))], CHANGED)]),
    "moved-to-the-venue": ("A feature becomes venue-wide.", [
        BEGIN, step([ask("one", page("two", 2, [
            block(None, "changes", [BAKER], total=WIDE + [BAKER]),
            block(GROUND, "changes", [], [removal("a2", "unit", None)], total=[SHOP, STAIRS])], since=1))],
                    holds(2, "two", venue=WIDE + [BAKER], ground=[SHOP, STAIRS], first=FIRST_1))]),
    "level-is-gone": ("A level no longer exists, and its features have moved.", [
        BEGIN, step([ask("one", page("two", 2, [
            block(None, "changes", [], [removal("f1", "level")], total=WIDE[:2]),
            block(GROUND, "changes", [ROOF], total=GROUND_1 + [ROOF]), block(FIRST, "gone")], since=1))],
                    holds(2, "two", venue=WIDE[:2], ground=GROUND_1 + [ROOF]))]),
    "snapshot-of-a-held-level": ("A held level is sent as a snapshot again: features that are not in it are deleted.", [
        BEGIN, step([ask("one", page("two", 2, [block(GROUND, "snapshot", [NEW_SHOP, KIOSK]), CHANGES[1]], since=1))], CHANGED)]),
    "moved-without-a-word": ("A feature is on another level, and no block removes it from its previous one: the digest of that level then differs.", [
        BEGIN,
        step([ask("one", page("two", 2, [CHANGES[1]], since=1)), fetch(2, GROUND, collection([SHOP, STAIRS]))], HELD, "wrong"), THEN],
        ["repair"]),
    "pages": ("A change set in four pages, with one level on three of them.", [BEGIN, step(pages(), CHANGED)]),
    "page-cut-short": ("The third page is truncated: no page has any effect.", [
        BEGIN, step(pages()[:2] + [{**pages()[2], "reply": faulty(pages()[2]["reply"], cut=250)}], HELD, "wrong"),
        step(pages(), CHANGED)]),
    "page-breaks-off": ("The connection is reset in the last page.", [
        BEGIN, step(pages()[:3] + [{**pages()[3], "reply": faulty(pages()[3]["reply"], reset=200)}], HELD, "unreachable"),
        step(pages(), CHANGED)]),
    "pages-reordered": ("The second page is sent first.", [
        BEGIN, step([{**pages()[0], "reply": pages()[1]["reply"]}], HELD, "wrong"), step(pages(), CHANGED)]),
    "page-left-out": ("The third page is sent instead of the second and seems to follow the first: only the digest shows the error.", [
        BEGIN, step([pages()[0], {**pages()[1], "reply": pages()[2]["reply"]}, pages()[3], fetch(2, GROUND, collection(GROUND_2))],
                    CHANGED)], ["repair"]),
    "page-twice": ("The first page is repeated instead of the second one.", [
        BEGIN, step(repeated(pages(), 0), HELD, "wrong"), step(pages(), CHANGED)]),
    "middle-page-twice": ("A page in the middle of a level is repeated instead of the next one.", [
        BEGIN, step(repeated(pages(), 1), HELD, "wrong"), step(pages(), CHANGED)]),
    "page-of-another-revision": ("A page leads to another revision than the first.", [
        BEGIN, step(pages()[:1] + [ask("p1", page("three", 3, [
            block(GROUND, "changes", [KIOSK], total=GROUND_2, continued=True)], since=1))], HELD, "wrong"), THEN]),
    "page-of-another-venue": ("The second page is about another venue.", [
        BEGIN, step(pages()[:1] + [ask("p1", page("two", 2, [
            block(GROUND, "changes", [KIOSK], total=GROUND_2, continued=True)], since=1, venue="hall"))], HELD, "wrong"), THEN]),
    "page-without-end": ("A level is incomplete at the end of the last page.", [
        BEGIN, step([ask("one", page("two", 2, [block(GROUND, "changes", [NEW_SHOP], continues=True)], since=1))], HELD, "wrong"),
        THEN]),
    "level-without-an-end": ("A level continues on the next page, but that page is the last one and has no block.", [
        BEGIN, step(pages()[:1] + [ask("p1", page("two", 2, [], since=1))], HELD, "wrong"), THEN]),
    "level-breaks-off": ("A level continues on the next page, but that page begins with another level.", [
        BEGIN, step(pages()[:1] + [ask("p1", page("two", 2, [CHANGES[1]], since=1))], HELD, "wrong"), THEN]),
    "gone-with-features": ("A block of the kind gone has a feature.", refused(page("two", 2, [
        CHANGES[0], block(FIRST, "gone", [ROOF])], since=1))),
    "changes-from-nothing": ("An empty replica receives a block of the kind changes.", [
        step([ask(None, page("one", 1, [block(None, "changes", WIDE), *SNAPSHOT[1:]]))], NOTHING, "wrong"), BEGIN]),
    "empty-page": ("A page without a block is not the last one.", [
        BEGIN, step([ask("one", page("p1", 2, [], since=1, complete=False))], HELD, "wrong"), THEN]),
    "history-lost-between-pages": ("410 in response to the request for the second page: nothing of the first page is kept.", [
        BEGIN, step(pages()[:1] + [
            ask("p1", restart([(None, WIDE, None), (GROUND, GROUND_2, None), (FIRST, FIRST_1, None)])),
            fetch(2, GROUND, collection(GROUND_2)), *IDLE],
                    holds(2, "two", venue=WIDE, ground=GROUND_2, first=FIRST_1))], ["kept-levels"]),
    "cut-short": ("The response is truncated in the middle of a body.", refused(faulty(NEXT, cut=700))),
    "cut-at-a-line": ("The response is truncated after a complete line.", refused({**NEXT, "body": NEXT["body"][:3]})),
    "breaks-off": ("The connection is reset in the middle of the response.", refused(faulty(NEXT, reset=500), "unreachable")),
    "no-reply": ("There is no response.", refused(faulty(NEXT, reset=0), "unreachable")),
    "slow": ("The response is slow.", [BEGIN, step([ask("one", faulty(NEXT, delay=50))], CHANGED)]),
    "late": ("A cache returns the response to an earlier request.", [
        *replaced(NEXT, "two", [BEGIN, THEN])]),
    "backwards": (
        "The change set leads to an earlier revision.", replaced(page("one", 1, [], since=2), "two", [BEGIN, THEN])),
    "another-start": (
        "The change set starts at a revision that the replica does not have.", replaced(page("nine", 9, CHANGES, since=8))),
    "from-nothing": ("The response is a snapshot although the request has a cursor.", replaced(page("two", 2, SNAPSHOT))),
    "from-nothing-twice": ("The response is a change set from another revision, and that to a request for everything, too.", [
        BEGIN, step([ask("one", page("nine", 9, CHANGES, since=8)), ask(None, page("nine", 9, CHANGES, since=8))], HELD, "wrong"), THEN]),
    "revision-without-end": (
        "A response names a revision that no server will ever reach. Nothing verifies it, and the next response heals the replica.", [
            BEGIN, step([ask("one", page("far", 2**53 - 1, CHANGES, since=1))], holds(
                2**53 - 1, "far", venue=WIDE, ground=GROUND_2, first=FIRST_2)),
            *replaced(page("two", 2, [], since=2), "far", [])]),
    "cursor-that-is-refused": ("The server does not know the cursor that the client holds.", replaced(problem(400, "invalid-cursor"))),
    "revision-that-is-refused": (
        "The server says that the client holds a later revision than there is.", replaced(problem(400, "target-before-cursor"))),
    "cursor-without-end": ("A cursor does not fit into the address of a request.", refused(page("x" * 100_000, 2, CHANGES, since=1))),
    "history-lost-to-nothing": ("410 names revision 0, to which nothing leads: the client requests everything.", replaced(
        restart([(None, WIDE, None), (GROUND, GROUND_2, None), (FIRST, FIRST_2, None)], to=0))),
    "another-venue": ("The response is about another venue.", refused(page("two", 2, CHANGES, since=1, venue="hall"))),
    "another-protocol": ("The response has an unknown protocol version.", refused(page("two", 2, CHANGES, since=1, protocol=2))),
    "no-json": ("The response is an HTML page of a captive portal.", refused(reply(["<html>", "Welcome!", "</html>"]))),
    "level-twice": ("A level has two blocks.", refused(page("two", 2, CHANGES + CHANGES[1:], since=1))),
    "no-digest": ("A level has no digest.", refused(page("two", 2, [
        block(GROUND, "changes", [KIOSK], digest=None), CHANGES[1]], since=1))),
    "no-feature": ("A body is not a valid feature, although the digest matches.", refused(page("two", 2, [
        ({"level_id": GROUND, "ordinal": 0, "kind": "snapshot", "digest": LIE}, ['{"id":"kiosk","type":"Feature"}'], [])], since=1))),
    "busy": ("503 with Retry-After.", refused(
        problem(503, "behind", {"Retry-After": "7"}), "unavailable", retry_after=7)),
    "too-many-requests": ("429 with Retry-After.", refused(
        problem(429, "too-many-requests", {"Retry-After": "30"}), "unavailable", retry_after=30)),
    "busy-between-pages": ("503 instead of the second page.", [
        BEGIN, step(pages()[:1] + [ask("p1", problem(503, "behind", {"Retry-After": "1"}))], HELD, "unavailable", retry_after=1),
        THEN]),
    "unauthorized": ("The key was revoked: the replica stays the same.", refused(problem(401, "unauthorized"), "unauthorized")),
    "unknown-venue": ("The venue does not exist or is not visible to the key.", refused(problem(404, "not-found"), "unknown")),
    "sign-in-page": ("403 with the page of a captive portal: the server said nothing about the key.", refused(
        reply(["<html>", "Please sign in", "</html>"], 403, {"Content-Type": "text/html"}))),
    "gateway-without-its-server": ("404 with the problem document of a gateway.", refused(reply(
        ['{"type":"about:blank","title":"Not Found","status":404}'], 404, {"Content-Type": "application/problem+json"}))),
    "unauthorized-by-a-proxy": ("401 with JSON that has no type.", refused(reply(
        ['{"error":"unauthorized"}'], 401, {"Content-Type": "application/json"}))),
    "gone-by-a-proxy": ("410 with an HTML page: nothing is deleted.", refused(
        reply(["<html>", "Gone", "</html>"], 410, {"Content-Type": "text/html"}))),
    "problem-without-its-media-type": ("A proxy changed the media type of the server's refusal.", refused(
        problem(401, "unauthorized", {"Content-Type": "text/plain"}), "unauthorized")),
    "redirect": ("A redirect is not followed: the key is for one server.", refused(
        reply([], 302, {"Location": "https://elsewhere.example/venues/mall/sync"}))),
    "venue-gone": ("The venue was deleted.", refused(problem(410, "venue-gone"), "gone")),
    "history-lost": ("410: one level matches and is kept, one is fetched, one is deleted.", [
        BEGIN,
        step([ask("one", restart([(None, WIDE, None), (GROUND, GROUND_2, f"/venues/{VENUE}/revisions/2/features?level={GROUND}&epoch=e")])),
              fetch(2, GROUND, collection(GROUND_2)), *IDLE], holds(2, "two", venue=WIDE, ground=GROUND_2))], ["kept-levels"]),
    "history-lost-backwards": ("410 after a restore from a backup: the revision is lower than that of the replica.", [
        BEGIN, THEN,
        step([ask("two", restart([(None, WIDE, None), (GROUND, GROUND_1, None), (FIRST, FIRST_1, None)], "uno", 1)),
              fetch(1, GROUND, collection(GROUND_1)), fetch(1, FIRST, collection(FIRST_1)),
              ask("uno", page("uno", 1, [], since=1))], holds(1, "uno", venue=WIDE, ground=GROUND_1, first=FIRST_1))], ["kept-levels"]),
    "history-lost-level-cut": ("410, and the response with the fetched level is truncated.", [
        BEGIN,
        step([ask("one", restart([(None, WIDE, None), (GROUND, GROUND_2, None)])),
              fetch(2, GROUND, faulty(collection(GROUND_2), cut=150))], HELD, "wrong"), THEN], ["kept-levels"]),
    "history-lost-level-lies": ("410, and the digest of the fetched level differs.", [
        BEGIN,
        step([ask("one", restart([(None, WIDE, None), (GROUND, GROUND_2, None)])),
              fetch(2, GROUND, collection(GROUND_1))], HELD, "wrong"), THEN], ["kept-levels"]),
    "history-lost-elsewhere": ("410 with an address on another server: no request is sent there.", [
        BEGIN,
        step([ask("one", restart([(None, WIDE, None), (GROUND, GROUND_2, "https://elsewhere.example/features")]))], HELD, "wrong"),
        step([ask("one", restart([(None, WIDE, None), (GROUND, GROUND_2, "//elsewhere.example/features")]))], HELD, "wrong"), THEN], ["kept-levels"]),
    "digest-differs-once": ("The digest of a level differs; after the level is fetched again, it matches.", [
        BEGIN,
        step([ask("one", page("two", 2, [block(GROUND, "changes", [NEW_SHOP], total=GROUND_2), CHANGES[1]], since=1)),
              fetch(2, GROUND, collection(GROUND_2))], CHANGED)], ["repair"]),
    "digest-differs-twice": ("The digest of a level still differs after the level is fetched again.", [
        BEGIN,
        step([ask("one", page("two", 2, [block(GROUND, "changes", [NEW_SHOP], total=GROUND_2), CHANGES[1]], since=1)),
              fetch(2, GROUND, collection(GROUND_1))], HELD, "wrong"), THEN], ["repair"]),
    "venue-wide-digest-differs": ("The digest of the venue-wide part differs; after it is fetched again, it matches.", [
        BEGIN,
        step([ask("one", page("two", 2, [block(None, "changes", [], total=WIDE[:2])], since=1)),
              fetch(2, None, collection(WIDE[:2]))], holds(2, "two", venue=WIDE[:2], ground=GROUND_1, first=FIRST_1))],
        ["repair"]),
    "disk-full": ("The disk is full; later the change set is applied.", [
        BEGIN, step([ask("one", page("two", 2, [block(GROUND, "snapshot", [
            body(f"c{n:03}", "unit", name={"en": "x" * 4000}) for n in range(40)])], since=1))], HELD, "disk-full", disk="full"), THEN],
        ["disk-full"]),
}


def layout(value, indent="\n"):
    """JSON with one line for each line of a response and for each level of a replica, which repeats what the responses contain."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= 160 or isinstance(value, str) or "digest" in value:
        return line
    inner = indent + " "
    if isinstance(value, list):
        return "[" + ",".join(inner + layout(each, inner) for each in value) + indent + "]"
    members = [f"{json.dumps(key)}: {layout(each, indent)}" for key, each in value.items()]
    if "-" in value:
        return "{" + ",".join(inner + member for member in members) + indent + "}"
    return "{" + ", ".join(members) + "}"


def main():
    wrong = []
    for name, (why, steps, *needs) in CASES.items():
        case = {"name": name, "why": why, "venue": VENUE, "needs": needs[0] if needs else [], "steps": steps}
        text = layout(case) + "\n"
        file = FOLDER / f"{name}.json"
        if "--check" in sys.argv:
            if not file.exists() or file.read_text() != text:
                wrong.append(name)
        else:
            file.write_text(text)
    others = {file.stem for file in FOLDER.glob("*.json")} - set(CASES)
    if wrong or others:
        sys.exit(f"out of date: {', '.join(sorted(wrong) + sorted(others))}")


if __name__ == "__main__":
    main()
