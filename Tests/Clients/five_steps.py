"""A client of `sync` in memory, written from docs/protocol/sync.md (“The five steps”), digests.md and starting-over.md alone.

    python3 five_steps.py CASE.json …

runs conformance cases against it. It has nothing that those pages do not ask for: when a digest differs, it does not fetch the level
again, so cases that need `repair` are skipped. The classes of errors are those of the table in writing-a-client.md.
"""

import hashlib
import json
import re
import sys
import urllib.parse


class Failure(Exception):
    def __init__(self, kind, retry_after=None):
        super().__init__(kind)
        self.kind, self.retry_after = kind, retry_after


class HistoryLost(Exception):
    pass


def check(rule):
    if not rule:
        raise Failure("wrong")


def read(response):
    """The document of a response, and a list of bodies, byte for byte, for each of its blocks (digests.md)."""
    lists, rest, inside = [], [], False
    for line in response.split(b"\n"):
        if inside and line.startswith(b"{"):
            lists[-1].append(line.removesuffix(b","))
        else:
            rest.append(line)
            inside = line.endswith(b'"features":[')
            if inside:
                lists.append([])
    return json.loads(b"".join(rest)), [by_id(bodies) for bodies in lists]


def problem_of(body):
    """The problem document of the server; None if the response is from something in between."""
    try:
        problem = json.loads(body)
    except ValueError:
        return None
    is_problem = isinstance(problem, dict) and isinstance(problem.get("type"), str) and problem["type"].startswith("/problems/")
    return problem if is_problem else None


def by_id(bodies):
    features = [json.loads(body) for body in bodies]
    check(all(isinstance(feature["feature_type"], str) for feature in features))
    check(all(re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", feature["id"]) for feature in features))
    return {feature["id"]: body for feature, body in zip(features, bodies)}


def level_digest(bodies):
    sha256 = hashlib.sha256()
    for id in sorted(bodies):
        sha256.update(bodies[id] + b"\n")
    return "sha-256:" + sha256.hexdigest()


class Client:
    def __init__(self, venue, send):
        """`send` takes a path and a query, and returns status, headers, body, and whether the body is incomplete."""
        self.venue, self.send, self.selection = venue, send, []
        self.held = {"levels": {}, "revision": None, "cursor": None}

    def sync(self, selection=None):
        selection = self.selection if selection is None else selection
        try:
            try:
                self.synchronize(selection)
            except HistoryLost as lost:
                if lost.args[0] is None or lost.args[0]["to"] < 1:
                    self.replace(selection)
                else:
                    self.start_over(lost.args[0])
                self.synchronize(selection)
        except (ValueError, KeyError, TypeError, HistoryLost):
            raise Failure("wrong") from None
        self.selection = selection

    def replace(self, selection):
        """Starts again without `since`. What is held stays if that fails."""
        held = self.held
        try:
            self.held = {"levels": {}, "revision": None, "cursor": None}
            self.synchronize(selection)
        except BaseException:
            self.held = held
            raise

    def request(self, path, query):
        status, headers, body, is_incomplete = self.send(path, query)
        if is_incomplete:
            raise Failure("unreachable")
        if status == 200:
            return read(body)
        if status == 429 or status >= 500:
            raise Failure("unavailable", int(headers["Retry-After"]))
        problem = problem_of(body)
        if problem is None:
            raise Failure("wrong")
        if problem["type"] in ("/problems/invalid-cursor", "/problems/target-before-cursor"):
            raise HistoryLost(None)
        if status == 410:
            if problem["type"] == "/problems/history-lost":
                raise HistoryLost(problem)
            raise Failure("gone")
        raise Failure({401: "unauthorized", 403: "unauthorized", 404: "unknown"}.get(status, "wrong"))

    def synchronize(self, selection):
        pages, blocks, cursors = [], [], [self.held["cursor"]]
        while not pages or not pages[-1]["complete"]:
            query = [("level", level) for level in selection]
            if cursors[-1] is not None:
                query.append(("since", cursors[-1]))
            page, lists = self.request(f"/venues/{self.venue}/sync", query)
            pages.append(page)
            self.check_page(pages, cursors)
            check(len(lists) == len(page["levels"]))
            for block, features in zip(page["levels"], lists):
                self.add(block, features, page, blocks)
            check(not is_open(blocks) or not page["complete"])
            cursors.append(page["cursor"])
        levels = {level: dict(bodies) for level, bodies in self.held["levels"].items()}
        for block in blocks:  # step 1
            if block["kind"] in ("snapshot", "gone"):
                levels.pop(block["level_id"], None)
        touched = set()
        for block in blocks:  # step 2
            if block["kind"] != "gone":
                touched |= put(levels, block["level_id"], block["features"])
        for block in blocks:  # step 3
            for removal in block["removed"]:
                levels[block["level_id"]].pop(removal["id"], None)
        expected = {block["level_id"]: block["digest"] for block in blocks}  # step 4
        for level in touched - expected.keys():
            expected[level] = level_digest(self.held["levels"][level])
        check(all(digest is None or level_digest(levels[level]) == digest for level, digest in expected.items()))
        self.held = {"levels": levels, "revision": pages[0]["to"], "cursor": cursors[-1]}  # step 5

    def check_page(self, pages, cursors):
        first, page = pages[0], pages[-1]
        check(page["protocol"] == 1 and page["venue"] == self.venue and len(page["cursor"]) <= 65_536)
        held = self.held["revision"]
        if len(pages) == 1 and held is not None and (page["from"] != held or page["to"] < held):
            raise HistoryLost(None)
        check(page["from"] == held and page["to"] >= 1)
        check(all(page[member] == first[member] for member in ("venue", "from", "to", "digest", "about")))
        check(page["complete"] or page["levels"] and page["cursor"] not in cursors)

    def add(self, block, features, page, blocks):
        """Joins a block, or a part of one, to the blocks so far."""
        is_continuation = block.get("continued", False)
        check(is_continuation == is_open(blocks))
        if is_continuation:
            check(block is page["levels"][0])
            check((block["level_id"], block["kind"]) == (blocks[-1]["level_id"], blocks[-1]["kind"]))
            blocks[-1]["features"].update(features)
            blocks[-1]["removed"] += block["removed"]
            blocks[-1]["digest"] = block["digest"]
        else:
            check(block["level_id"] not in [other["level_id"] for other in blocks])
            blocks.append({**block, "features": features})
        check(block["kind"] in ("snapshot", "gone") or block["kind"] == "changes" and page["from"] is not None)
        if block["kind"] == "gone":
            check(block["digest"] is None and not features and not block["removed"])
        elif block["digest"] is None:
            check(block is page["levels"][-1])

    def start_over(self, problem):
        listed = [entry["level_id"] for entry in problem["levels"]]
        check(len(set(listed)) == len(listed))
        levels = {level: dict(bodies) for level, bodies in self.held["levels"].items() if level in listed}
        differing = [
            entry for entry in problem["levels"]
            if entry["level_id"] not in levels or level_digest(levels[entry["level_id"]]) != entry["digest"]]
        for entry in differing:
            check(re.match("/(?!/)", entry["href"]))
            path, _, query = entry["href"].partition("?")
            _, lists = self.request(path, urllib.parse.parse_qsl(query))
            levels.pop(entry["level_id"], None)
            put(levels, entry["level_id"], lists[0])
        check(all(level_digest(levels[entry["level_id"]]) == entry["digest"] for entry in problem["levels"]))
        self.held = {"levels": levels, "revision": problem["to"], "cursor": problem["cursor"]}


def put(levels, level, features):
    """Puts features under a level, and returns the levels that held some of them before."""
    others = {other for other, bodies in levels.items() if other != level and features.keys() & bodies.keys()}
    for other in others:
        for id in features.keys() & levels[other].keys():
            del levels[other][id]
    levels.setdefault(level, {}).update(features)
    return others


def is_open(blocks):
    """Whether the last block continues on the next page."""
    return bool(blocks) and blocks[-1]["digest"] is None and blocks[-1]["kind"] != "gone"


if __name__ == "__main__":
    from conformance import main

    sys.exit(main(sys.argv[1:], Client, can={"kept-levels"}))
