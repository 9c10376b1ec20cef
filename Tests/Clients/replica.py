"""A client of `sync` in memory: a direct implementation of docs/protocol/writing-a-client.md, step by step.

    python3 replica.py CASE.json …

runs conformance cases against it. It shares no code with the other clients, and uses only the standard library.
"""

import copy
import hashlib
import json
import re
import sys
import urllib.parse

UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Failure(Exception):
    """Why a synchronization failed; `kind` is a class of the table on that page."""

    def __init__(self, kind, retry_after=None):
        super().__init__(kind)
        self.kind, self.retry_after = kind, retry_after


class HistoryLost(Exception):
    pass


def require(condition):
    if not condition:
        raise Failure("wrong")


def level_digest(bodies):
    return "sha-256:" + hashlib.sha256(b"".join(bodies[id] + b"\n" for id in sorted(bodies))).hexdigest()


def read(response):
    """Parses a response: the document, and the lists of bodies by their ids."""
    lists, rest, inside = [], [], False
    for line in response.split(b"\n"):
        if inside and line.startswith(b"{"):
            lists[-1].append(line[:-1] if line.endswith(b",") else line)
        else:
            rest.append(line)
            inside = line.endswith(b'"features":[')
            lists += [[]] if inside else []
    document = json.loads(b"".join(rest))
    for holder in document.get("levels", [document]):
        require(holder["features"] == [])
    return document, [{identify(body): body for body in bodies} for bodies in lists]


def problem_of(body):
    """The problem document of the server; None if the response is from something in between."""
    try:
        problem = json.loads(body)
    except ValueError:
        return None
    is_problem = isinstance(problem, dict) and isinstance(problem.get("type"), str) and problem["type"].startswith("/problems/")
    return problem if is_problem else None


def identify(body):
    feature = json.loads(body)
    require(isinstance(feature["feature_type"], str) and UUID.fullmatch(feature["id"]))
    return feature["id"]


class Replica:
    def __init__(self, venue, send):
        """`send` takes a path and a query, and returns status, headers, body, and whether the body is incomplete."""
        self.venue, self.send = venue, send
        self.held = {"levels": {}, "revision": None, "cursor": None, "selection": []}

    def sync(self, selection=None):
        new = copy.deepcopy(self.held)
        new["selection"] = new["selection"] if selection is None else selection
        try:
            try:
                self.follow(new)
            except HistoryLost as lost:
                new = {**copy.deepcopy(self.held), "selection": new["selection"]}  # roll back
                if lost.args[0] is None or not lost.args[0]["to"] >= 1:
                    new = {"levels": {}, "revision": None, "cursor": None, "selection": new["selection"]}
                    self.follow(new)
                else:
                    self.start_over(new, lost.args[0])
                self.held = copy.deepcopy(new)
                self.follow(new)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, HistoryLost):
            raise Failure("wrong") from None
        self.held = new  # commit

    def get(self, path, query):
        require(re.fullmatch(r"/(?!/)[!-~]*", path) and not set(path) & set("\\#"))
        status, headers, body, is_incomplete = self.send(path, query)
        if is_incomplete:
            raise Failure("unreachable")
        if status == 429 or status >= 500:
            raise Failure("unavailable", int(headers.get("Retry-After", 0)))
        problem = None if status == 200 else problem_of(body)
        if status == 410 and problem is not None:
            raise Failure("gone") if problem["type"] == "/problems/venue-gone" else HistoryLost(problem)
        if status == 400 and problem is not None and problem["type"] in ("/problems/invalid-cursor", "/problems/target-before-cursor"):
            raise HistoryLost(None)
        if status != 200:
            raise Failure("wrong" if problem is None else {401: "unauthorized", 403: "unauthorized", 404: "unknown"}.get(status, "wrong"))
        return read(body)

    def follow(self, new):
        pages, cursor = [], new["cursor"]
        while not pages or not pages[-1]["complete"]:
            query = [("level", level) for level in new["selection"]] + ([("since", cursor)] if cursor else [])
            page, lists = self.get(f"/venues/{self.venue}/sync", query)
            require(page["protocol"] == 1 and len(lists) == len(page["levels"]))
            for block, bodies in zip(page["levels"], lists):
                block["features"] = bodies
            cursor = page["cursor"]
            pages.append(page)
            self.check(pages, new)
        blocks = self.join(pages)
        self.apply(new["levels"], blocks, pages[0]["to"])
        new["revision"], new["cursor"] = pages[0]["to"], cursor

    def check(self, pages, new):
        first, page = pages[0], pages[-1]
        require(page["venue"] == self.venue)  # 1
        if len(pages) == 1 and new["revision"] is not None:
            if page["from"] != new["revision"] or page["to"] < new["revision"]:  # 2, 3
                raise HistoryLost(None)
        require(page["from"] == new["revision"] and page["to"] >= 1 and len(page["cursor"]) <= 65_536)  # 2, 3
        require(all(page[name] == first[name] for name in ("venue", "from", "to", "digest", "about")))  # 4
        earlier = [new["cursor"]] + [other["cursor"] for other in pages[:-1]]
        require(page["complete"] or (page["cursor"] not in earlier and page["levels"]))  # 5
        self.join(pages)

    def join(self, pages):
        """Joins the parts of blocks and checks rules 6 to 9."""
        blocks, is_open = [], False
        for page in pages:
            for index, block in enumerate(page["levels"]):
                if is_open:
                    block_so_far = blocks[-1]
                    require(index == 0 and block.get("continued") is True)
                    require((block_so_far["level_id"], block_so_far["kind"]) == (block["level_id"], block["kind"]))
                    block_so_far["features"].update(block["features"])
                    block_so_far.update(digest=block["digest"], removed=block_so_far["removed"] + block["removed"])
                else:
                    require(not block.get("continued") and block["kind"] in ("changes", "snapshot", "gone"))
                    require(block["level_id"] not in [other["level_id"] for other in blocks])
                    require(page["from"] is not None or block["kind"] != "changes")
                    blocks.append({**block, "features": dict(block["features"])})
                if block["kind"] == "gone":
                    require(block["digest"] is None and not block["features"] and not block["removed"])
                is_open = block["digest"] is None and block["kind"] != "gone"
                require(not is_open or (block is page["levels"][-1] and not page["complete"]))
        require(not is_open or not pages[-1]["complete"])
        return blocks

    def apply(self, levels, blocks, revision):
        verified = {level: level_digest(bodies) for level, bodies in levels.items()}
        for block in blocks:  # 1
            verified.pop(block["level_id"], None)
            if block["kind"] != "changes":
                levels.pop(block["level_id"], None)
        for block in blocks:  # 2
            if block["kind"] != "gone":
                verified[block["level_id"]] = block["digest"]
                self.put(levels, block["level_id"], block["features"])
        for block in blocks:  # 3
            for removal in block["removed"]:
                levels[block["level_id"]].pop(removal["id"], None)
        for level in [level for level, digest in verified.items() if level_digest(levels[level]) != digest]:
            self.fetch(levels, level, f"/venues/{self.venue}/revisions/{revision}/features?level={level or 'venue'}")
        require(all(level_digest(levels[level]) == digest for level, digest in verified.items()))

    def put(self, levels, level, bodies):
        for other in levels.values():
            for id in bodies.keys() & other.keys():
                del other[id]
        levels.setdefault(level, {}).update(bodies)

    def fetch(self, levels, level, href):
        path, _, query = href.partition("?")
        _, lists = self.get(path, urllib.parse.parse_qsl(query))
        require(len(lists) == 1)
        levels.pop(level, None)
        self.put(levels, level, lists[0])

    def start_over(self, new, problem):
        levels, listed = new["levels"], {entry["level_id"]: entry for entry in problem["levels"]}
        require(len(listed) == len(problem["levels"]))
        for level in levels.keys() - listed.keys():
            del levels[level]
        agree = [level for level in levels if level_digest(levels[level]) == listed[level]["digest"]]
        for level in [level for level in listed if level not in agree]:
            self.fetch(levels, level, listed[level]["href"])
        require(all(level_digest(levels[level]) == entry["digest"] for level, entry in listed.items()))
        new["revision"], new["cursor"] = problem["to"], problem["cursor"]


if __name__ == "__main__":
    from conformance import main

    sys.exit(main(sys.argv[1:], Replica, can={"repair", "kept-levels"}))  # this client has no disk
