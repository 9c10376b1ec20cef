"""A minimal client, written from docs/protocol alone, without a library and without code of the server.

    python3 follow.py SERVER KEY all            follows GET /sync
    python3 follow.py SERVER KEY venue mall     follows GET /venues/mall/sync

For every line on standard input it brings its replica up to date and prints one line of JSON: by venue the revision, the number of
features, and the digest of every level, computed from the stored bodies. A number in the line is the page limit. The program ends
with its input.
"""

import hashlib
import json
import sys
import urllib.error
import urllib.parse
import urllib.request


class InvalidResponse(Exception):
    """The response contradicts the replica or itself."""


class Replica:
    """The features of one venue: the bodies, byte for byte, and their levels."""

    def __init__(self):
        self.features = {}
        self.revision = None

    def copy(self):
        other = Replica()
        other.features = dict(self.features)
        other.revision = self.revision
        return other

    def apply(self, change_set, blocks):
        if change_set["from"] != self.revision:
            raise InvalidResponse(f"a change set from {change_set['from']} for a replica at {self.revision}")
        for block in blocks:  # 1
            if block["kind"] in ("snapshot", "gone"):
                level = block["level_id"]
                self.features = {id: held for id, held in self.features.items() if held[0] != level}
        for block in blocks:  # 2
            for body in block["features"]:
                self.features[json.loads(body)["id"]] = (block["level_id"], body)
        for block in blocks:  # 3
            for removal in block["removed"]:
                if self.features.get(removal["id"], (False,))[0] == block["level_id"]:
                    del self.features[removal["id"]]
        for block in blocks:  # 4
            if block["digest"] is not None and self.digest(block["level_id"]) != block["digest"]:
                raise InvalidResponse(f"the digest of {block['level_id']} differs")
        self.revision = change_set["to"]

    def digest(self, level):
        sha256 = hashlib.sha256()
        for id in sorted(self.features):
            if self.features[id][0] == level:
                sha256.update(self.features[id][1] + b"\n")
        return "sha-256:" + sha256.hexdigest()

    def report(self):
        levels = {level for level, _ in self.features.values()}
        return {
            "revision": self.revision,
            "features": len(self.features),
            "levels": {level or "-": self.digest(level) for level in levels},
        }


def document(text):
    """Parses a JSON document whose bodies are on lines of their own, and keeps the bodies as bytes."""
    bodies, skeleton, inside = [], [], False
    for line in text.split(b"\n"):
        if inside and line.startswith(b"{"):
            bodies[-1].append(line.rstrip(b","))
            continue
        inside = line.endswith(b'"features":[')
        skeleton.append(line)
        if inside:
            bodies.append([])
    value = json.loads(b"\n".join(skeleton))
    rest = iter(bodies)
    for change_set in value.get("venues", [value]):
        for block in change_set["levels"]:
            block["features"] = next(rest)
    return value


class Client:
    def __init__(self, server, key, venue):
        self.server, self.key, self.venue = server, key, venue
        self.replicas, self.cursor = {}, None

    def get(self, cursor, limit):
        path = f"/venues/{self.venue}/sync" if self.venue else "/sync"
        query = {"since": cursor or "", "limit": limit}
        request = urllib.request.Request(f"{self.server}{path}?{urllib.parse.urlencode(query)}")
        request.add_header("Authorization", f"Bearer {self.key}")
        with urllib.request.urlopen(request) as response:
            return document(response.read())

    def pull(self, limit):
        try:
            pages = self.pages(limit)
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            if problem["type"] != "/problems/history-lost":
                raise
            self.replicas, self.cursor = {}, None  # start again
            pages = self.pages(limit)
        replicas = dict(self.replicas)  # as in a transaction: all or nothing
        if self.venue:
            self.apply(replicas, pages)
        else:
            gone = {name for page in pages for name in page["gone"]}
            for name in gone:
                replicas.pop(name, None)
            change_sets = [change_set for page in pages for change_set in page["venues"]]
            self.apply(replicas, [change_set for change_set in change_sets if change_set["venue"] not in gone])
        self.replicas, self.cursor = replicas, pages[-1]["cursor"]  # 5

    def pages(self, limit):
        pages = [self.get(self.cursor, limit)]
        while not pages[-1]["complete"]:
            pages.append(self.get(pages[-1]["cursor"], limit))
        return pages

    def apply(self, replicas, change_sets):
        by_venue = {}
        for change_set in change_sets:
            by_venue.setdefault(change_set["venue"], []).append(change_set)
        for name, parts in by_venue.items():
            if not parts[-1]["complete"]:
                raise InvalidResponse(f"the update of {name} is incomplete")
            held = replicas.get(name)
            replica = Replica() if held is None or parts[0]["from"] is None else held.copy()
            replica.apply(parts[-1], [block for part in parts for block in part["levels"]])
            replicas[name] = replica


def main():
    server, key, mode = sys.argv[1:4]
    client = Client(server, key, sys.argv[4] if mode == "venue" else None)
    for line in sys.stdin:
        client.pull(int(line.strip() or 5000))
        reports = {name: replica.report() for name, replica in client.replicas.items()}
        print(json.dumps(reports, sort_keys=True), flush=True)


if __name__ == "__main__":
    main()
