"""A client of `sync` that keeps to the conformance cases, written from Tests/Conformance/README.md and the README alone.

    python3 replica.py CASE.json …

plays the cases against a replica in memory and says of each whether it did what the case says. Nothing but the standard library.
"""

import hashlib
import json
import sys
import urllib.parse

CAN = {"repair"}  # a dictionary has no disk


class Trouble(Exception):
    """Why a synchronisation ended; `kind` is a result of the cases."""

    def __init__(self, kind, after=None):
        super().__init__(kind)
        self.kind, self.after = kind, after


class HistoryLost(Exception):
    pass


def lines_of(text):
    """Bodies, list by list, and the document without them."""
    lists, skeleton, inside = [], [], False
    for line in text.split(b"\n"):
        if inside and line.startswith(b"{"):
            lists[-1].append(line[:-1] if line.endswith(b",") else line)
            continue
        skeleton.append(line)
        inside = line.endswith(b'"features":[')
        if inside:
            lists.append([])
    try:
        return json.loads(b"\n".join(skeleton)), lists
    except ValueError:
        raise Trouble("wrong") from None


def digest(bodies):
    sha256 = hashlib.sha256()
    for id in sorted(bodies):
        sha256.update(bodies[id] + b"\n")
    return "sha-256:" + sha256.hexdigest()


def id_of(body):
    try:
        feature = json.loads(body)
        if isinstance(feature["id"], str) and isinstance(feature["feature_type"], str) and len(feature["id"]) == 36:
            return feature["id"]
    except (ValueError, KeyError, TypeError):
        pass
    raise Trouble("wrong")


class Replica:
    def __init__(self, venue, send):
        self.venue, self.send = venue, send
        self.levels = {}  # by level, by id, the body
        self.revision = self.cursor = None
        self.wanted = []

    def get(self, path, query=()):
        """`send` answers with status, headers, body, and whether the body broke off."""
        if not path.startswith("/") or path.startswith("//"):
            raise Trouble("wrong")
        status, headers, body, broke = self.send(path, list(query))
        if broke:
            raise Trouble("unreachable")
        if status == 200:
            return body
        if status == 429 or status >= 500:
            raise Trouble("unavailable", int(headers.get("Retry-After", 0)))
        if status in (401, 403):
            raise Trouble("unauthorized")
        if status == 404:
            raise Trouble("unknown")
        if status == 410:
            problem = json.loads(body)
            if problem["type"] == "/problems/venue-gone":
                raise Trouble("gone")
            raise HistoryLost(problem)
        raise Trouble("wrong")

    def sync(self, wanted):
        before = self.levels, self.revision, self.cursor, self.wanted
        self.wanted = wanted
        try:
            try:
                self.follow()
            except HistoryLost as lost:
                self.levels, self.revision, self.cursor = before[:3]
                self.start_over(lost.args[0])
                self.follow()
        except Exception:
            self.levels, self.revision, self.cursor, self.wanted = before
            raise

    def page(self, since):
        query = [("level", level) for level in self.wanted] + ([("since", since)] if since else [])
        document, lists = lines_of(self.get(f"/venues/{self.venue}/sync", query))
        try:
            if document["protocol"] != 1 or len(lists) != len(document["levels"]):
                raise Trouble("wrong")
            for block, bodies in zip(document["levels"], lists):
                if block["features"]:
                    raise Trouble("wrong")
                block["features"] = bodies
        except (KeyError, TypeError):
            raise Trouble("wrong") from None
        return document

    def follow(self):
        blocks, seen, since, first, going_on = [], {self.cursor}, self.cursor, None, None
        while True:
            page = self.page(since)
            first = first or page
            if any(page[name] != first[name] for name in ("venue", "from", "to", "digest", "about")):
                raise Trouble("wrong")
            for block in page["levels"]:
                name = (block["level_id"], block["kind"])
                if block.get("continued", False) != (going_on is not None) or going_on not in (None, name):
                    raise Trouble("wrong")
                if going_on is None and any(block["level_id"] == other["level_id"] for other in blocks):
                    raise Trouble("wrong")
                going_on = name if block["digest"] is None and block["kind"] != "gone" else None
                if going_on and (block is not page["levels"][-1] or page["complete"]):
                    raise Trouble("wrong")
                blocks.append(block)
            since = page["cursor"]
            if page["complete"]:
                break
            if since in seen:
                raise Trouble("wrong")
            seen.add(since)
        if first["venue"] != self.venue or first["from"] != self.revision or first["to"] < (self.revision or 1):
            raise Trouble("wrong")
        if going_on:
            raise Trouble("wrong")
        self.apply(blocks, first["to"])
        self.revision, self.cursor = first["to"], since

    def apply(self, blocks, revision):
        levels = {level: dict(bodies) for level, bodies in self.levels.items()}
        for block in blocks:  # 1
            if block["kind"] != "changes" and not block.get("continued"):
                levels.pop(block["level_id"], None)
        for block in blocks:  # 2
            if block["kind"] != "gone":
                level = levels.setdefault(block["level_id"], {})
                for body in block["features"]:
                    id = id_of(body)
                    for other in levels.values():
                        other.pop(id, None)
                    level[id] = body
        for block in blocks:  # 3
            for removal in block["removed"]:
                levels.get(block["level_id"], {}).pop(removal["id"], None)
        for block in blocks:  # 4
            level, said = block["level_id"], block["digest"]
            if said is not None and digest(levels[level]) != said:
                name = level or "venue"
                levels[level] = self.fetch(f"/venues/{self.venue}/revisions/{revision}/features", [("level", name)])
                if digest(levels[level]) != said:
                    raise Trouble("wrong")
        self.levels = levels

    def fetch(self, path, query=()):
        document, lists = lines_of(self.get(path, query))
        if len(lists) != 1:
            raise Trouble("wrong")
        return {id_of(body): body for body in lists[0]}

    def start_over(self, problem):
        levels = {}
        for entry in problem["levels"]:
            level = entry["level_id"]
            held = self.levels.get(level)
            if held is None or digest(held) != entry["digest"]:
                path, _, query = entry["href"].partition("?")
                held = self.fetch(path, urllib.parse.parse_qsl(query))
                if digest(held) != entry["digest"]:
                    raise Trouble("wrong")
            levels[level] = held
        self.levels, self.revision, self.cursor = levels, problem["to"], problem["cursor"]


class Script:
    """Plays the server, and is particular about what it is asked."""

    def __init__(self, exchanges):
        self.exchanges = list(exchanges)

    def __call__(self, path, query):
        if not self.exchanges:
            raise AssertionError(f"one request too many: {path} {query}")
        exchange = self.exchanges.pop(0)
        asked = {
            "path": path, "since": dict(query).get("since"),
            "level": sorted(value for name, value in query if name == "level")}
        expected = {**exchange["request"], "level": sorted(exchange["request"]["level"])}
        if asked != expected:
            raise AssertionError(f"asked {asked}, not {expected}")
        reply = exchange["reply"]
        body, fault = "".join(line + "\n" for line in reply["body"]).encode(), reply.get("fault", {})
        if "reset" in fault:
            return reply["status"], reply["headers"], b"", True
        return reply["status"], reply["headers"], body[:fault.get("cut", len(body))], False


def play(case):
    replica = Replica(case["venue"], None)
    for number, step in enumerate(case["steps"], 1):
        script = replica.send = Script(step["exchanges"])
        result, after = "ok", None
        try:
            replica.sync((step["levels"] or []) if "levels" in step else replica.wanted)
        except Trouble as trouble:
            result, after = trouble.kind, trouble.after
        if (result, after) != (step["result"], step.get("retry_after")):
            raise AssertionError(f"step {number} ends as {result} {after}, not {step['result']}")
        if script.exchanges:
            raise AssertionError(f"step {number}: {len(script.exchanges)} requests too few")
        held = {
            "revision": replica.revision, "cursor": replica.cursor,
            "levels": {
                level or "-": {"digest": digest(bodies), "bodies": [bodies[id].decode() for id in sorted(bodies)]}
                for level, bodies in replica.levels.items()}}
        if held != step["replica"]:
            raise AssertionError(f"step {number}: what is held is not what the case says")


def main():
    failures = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            case = json.load(file)
        if not set(case["needs"]) <= CAN:
            print(f"passed over: {case['name']} needs {', '.join(case['needs'])}")
            continue
        try:
            play(case)
            print(f"ok: {case['name']}")
        except AssertionError as error:
            failures += 1
            print(f"failed: {case['name']}: {error}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
