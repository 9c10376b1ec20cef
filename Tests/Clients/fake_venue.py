"""A model of a venue with random changes, and of the server's responses, in the simplest correct implementation."""

import base64
import hashlib
import json
import random


def compact(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(bodies):
    return "sha-256:" + hashlib.sha256("".join(bodies[id] + "\n" for id in sorted(bodies)).encode()).hexdigest()


class FakeVenue:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.epoch = 0
        #: Bodies by revision (from 1), level (None: the venue-wide part) and id.
        self.revisions = [None]
        self.next_id = 0
        first = {None: {}}
        self._add(first, None, "venue")
        for _ in range(3):
            self._add_level(first)
        self.revisions.append(first)

    @property
    def head(self):
        return len(self.revisions) - 1

    def publish(self):
        """Publishes a revision with random changes, or rolls back to an earlier one."""
        if self.random.random() < 0.2:
            self.revisions.append(self.random.choice(self.revisions[1:]))
            return
        state = {level: dict(bodies) for level, bodies in self.revisions[-1].items()}
        for _ in range(self.random.randint(1, 6)):
            self.random.choice([
                self._rename, self._rename, self._move, self._move, self._remove, self._add_anywhere, self._add_level, self._remove_level,
            ])(state)
        self.revisions.append(state)

    def renew_epoch(self):
        """Simulates a restore from a backup: some of the newest revisions are lost, and all cursors become invalid."""
        self.epoch += 1
        del self.revisions[max(2, self.head - self.random.randint(0, 2) + 1):]

    def levels(self, revision):
        return [level for level in self.revisions[revision] if level is not None]

    def ordinal(self, revision, level):
        return json.loads(self.revisions[revision][None][level])["properties"]["ordinal"]

    def wanted(self, revision, names):
        """The levels with these names; without names all levels."""
        levels = self.levels(revision)
        chosen = [level for level in levels if not names or level in names or f"ordinal:{self.ordinal(revision, level)}" in names]
        return [None, *chosen]

    def _uuid(self):
        self.next_id += 1
        return f"{self.random.getrandbits(32):08x}-0000-4000-8000-{self.next_id:012x}"

    def _add(self, state, level, type, id=None, **properties):
        id = id or self._uuid()
        state[level][id] = compact({
            "feature_type": type, "geometry": None, "id": id, "properties": {**properties, "name": {"ja": f"店 {self.next_id}"}},
            "type": "Feature"})

    def _add_level(self, state):
        id = self._uuid()
        state[id] = {}
        self._add(state, None, "level", id, ordinal=self.random.randint(-1, 2))
        for _ in range(self.random.randint(0, 8)):
            self._add(state, id, "unit")

    def _remove_level(self, state):
        levels = [level for level in state if level is not None]
        if len(levels) > 1:
            level = self.random.choice(levels)
            del state[None][level]
            for id, body in state.pop(level).items():
                if self.random.random() < 0.5:
                    state[self.random.choice(list(state))][id] = body

    def _any(self, state):
        candidates = [(level, id) for level, bodies in state.items() for id in bodies if id not in state]
        return self.random.choice(candidates)

    def _rename(self, state):
        level, id = self._any(state)
        feature = json.loads(state[level][id])
        feature["properties"]["name"] = {"en": f"Name {self.random.getrandbits(30)}"}
        state[level][id] = compact(feature)

    def _move(self, state):
        level, id = self._any(state)
        body = state[level].pop(id)
        state[self.random.choice(list(state))][id] = body

    def _remove(self, state):
        level, id = self._any(state)
        if "venue" not in state[level][id]:
            del state[level][id]

    def _add_anywhere(self, state):
        self._add(state, self.random.choice(list(state)), "kiosk")

    # Responses of the server.

    def sync(self, since, names, limit):
        """Returns status and body of the response to `sync`."""
        cursor = decode(since) if since else {"epoch": self.epoch, "revision": None, "held": [], "to": None, "page": 0}
        if cursor["epoch"] != self.epoch or (cursor["revision"] or 0) > self.head:
            return 410, self._restart(names)
        to = cursor["to"] or self.head
        start = cursor["revision"]
        wanted = self.wanted(to, names)
        # All pages of a change set have the limit of the first.
        limit = cursor.get("limit", limit)
        parts = split(self._blocks(start, cursor["held"], to, wanted), limit)
        page = cursor["page"]
        is_last = page + 1 >= len(parts)
        following = {"epoch": self.epoch, "revision": to, "held": wanted, "to": None, "page": 0} if is_last else {
            **cursor, "to": to, "page": page + 1, "limit": limit}
        head = {
            "about": {"country": None, "language": "ja", "time_zone": None}, "complete": is_last, "cursor": encode(following),
            "digest": digest({str(n): compact(sorted(bodies)) for n, bodies in enumerate(self.revisions[to].values())}),
            "from": start, "protocol": 1, "to": to, "venue": "mall"}
        lines = [compact(head)[:-1] + ',"levels":[']
        blocks = parts[page] if parts else []
        for index, (block, bodies, removed) in enumerate(blocks):
            lines += [compact(block)[:-1] + ',"features":[', *separated(bodies)]
            lines.append('],"removed":' + compact(removed) + ("}" if index + 1 == len(blocks) else "},"))
        return 200, "\n".join([*lines, "]}", ""])

    def _blocks(self, start, held, to, wanted):
        before, after = self.revisions[start] if start else {}, self.revisions[to]
        levels_after = {id: level for level, bodies in after.items() for id in bodies}
        blocks = []
        for level in wanted:
            bodies, removed = dict(after[level]), []
            kind = "changes" if level in held else "snapshot"
            if kind == "changes":
                bodies = {id: body for id, body in bodies.items() if before[level].get(id) != body}
                for id in before[level].keys() - after[level].keys():
                    removed.append({"id": id, "feature_type": json.loads(before[level][id])["feature_type"], **(
                        {"reason": "moved", "moved_to": levels_after[id]} if id in levels_after else {"reason": "deleted"})})
                if not bodies and not removed:
                    continue
            head = {"digest": digest(after[level]), "kind": kind, "level_id": level, "ordinal": None}
            blocks.append((head, list(bodies.values()), removed))
        for level in held:
            if level not in wanted:
                blocks.append(({"digest": None, "kind": "gone", "level_id": level, "ordinal": None}, [], []))
        # Clients must not depend on the order of blocks. It has to be the same for all pages of a change set.
        random.Random(f"{start} {to}").shuffle(blocks)
        return blocks

    def _restart(self, names):
        levels = [{
            "level_id": level, "digest": digest(self.revisions[self.head][level]),
            "href": f"/venues/mall/revisions/{self.head}/features?level={level or 'venue'}&epoch={self.epoch}",
        } for level in self.wanted(self.head, names)]
        cursor = {"epoch": self.epoch, "revision": self.head, "held": [entry["level_id"] for entry in levels], "to": None, "page": 0}
        return compact({
            "type": "/problems/history-lost", "title": "lost", "status": 410, "to": self.head, "cursor": encode(cursor), "levels": levels})

    def features(self, revision, level):
        bodies = self.revisions[revision].get(None if level == "venue" else level, {})
        return "\n".join(['{"type":"FeatureCollection","features":[', *separated(list(bodies.values())), "]}", ""])


def separated(bodies):
    return [body + ("," if index + 1 < len(bodies) else "") for index, body in enumerate(bodies)]


def split(blocks, limit):
    """Splits blocks into pages with at most `limit` features and removals."""
    pages, room = [[]], limit
    for head, bodies, removed in blocks:
        is_continued = False
        while True:
            some, bodies = bodies[:room], bodies[room:]
            room -= len(some)
            gone, removed = removed[:room], removed[room:]
            room -= len(gone)
            continues = bool(bodies or removed)
            part = {**head, **({"digest": None} if continues else {}), **({"continued": True} if is_continued else {})}
            pages[-1].append((part, some, gone))
            if not continues:
                break
            pages.append([])
            room, is_continued = limit, True
        if room == 0:
            pages.append([])
            room = limit
    return pages if pages[-1] or len(pages) == 1 else pages[:-1]


def encode(cursor):
    return base64.urlsafe_b64encode(compact(cursor).encode()).decode()


def decode(text):
    return json.loads(base64.urlsafe_b64decode(text))
