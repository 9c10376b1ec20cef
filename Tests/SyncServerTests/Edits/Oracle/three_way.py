"""The three-way merge of edits and uploads, written from its description alone.

Reads stories, one JSON document per line, and writes for each what a server has to say after every step: the features, the
overrides with their states, and the number of the newest revision; or that the step is refused.
"""

import copy
import json
import sys

ORPHAN_AGE = 20
LABELS = ("name", "alt_name", "short_name")


def clean(value):
    """Null is the same as a missing member."""
    if isinstance(value, dict):
        return {key: clean(item) for key, item in value.items() if item is not None}
    return value


def get(feature, pointer):
    value = feature
    for token in pointer.split("/")[1:]:
        if not isinstance(value, dict) or token not in value:
            return None
        value = value[token]
    return value


def put(feature, pointer, value):
    *path, last = pointer.split("/")[1:]
    for token in path:
        if not isinstance(feature.get(token), dict):
            feature[token] = {}
        feature = feature[token]
    if value is None:
        feature.pop(last, None)
    else:
        feature[last] = value


def holding(override, time):
    """The override if it holds after a time; otherwise the first one of those that it covers which does; or None."""
    while override is not None and override["until"] is not None and override["until"] <= time:
        override = override["covered"]
    return override


def pointers(patch):
    """The parts that a patch names, with their new values."""
    if "geometry" in patch:
        yield "/geometry", patch["geometry"]
    for key, value in patch.get("properties", {}).items():
        if key in LABELS and isinstance(value, dict):
            for language, text in value.items():
                yield f"/properties/{key}/{language}", text
        else:
            yield f"/properties/{key}", value


class Venue:
    def __init__(self, mode, levels):
        self.mode = mode
        # The levels to which references lead.
        self.levels = levels
        self.uploads = 0
        self.revisions = {}
        self.head = 0
        self.source = {}
        self.overrides = {}

    def published(self):
        features = {}
        for feature, body in self.source.items():
            body = copy.deepcopy(body)
            for (owner, pointer), override in self.overrides.items():
                if owner == feature and pointer:
                    put(body, pointer, override["value"])
            features[feature] = body
        for (feature, pointer), override in self.overrides.items():
            if pointer == "":
                features.pop(feature, None)
                if override["value"] is not None:
                    features[feature] = copy.deepcopy(override["value"])
        return clean(features)

    def commit(self):
        """A new revision if any feature differs; otherwise the newest one has the new overrides."""
        before = self.revisions.get(self.head)
        features = self.published()
        if before is None or before[0] != features:
            self.head += 1
        self.revisions[self.head] = (features, self.source, dict(self.overrides))

    def level(self, body):
        """The level of a feature: that of its anchor or its units."""
        properties = body.get("properties", {})
        targets = [properties.get("anchor_id")] + properties.get("unit_ids", [])
        found = [self.levels[target] for target in targets if target in self.levels]
        return found[0] if found else None

    def place(self, features):
        """Overrides of published features are on the levels of these."""
        published = self.published()
        for (feature, pointer), override in list(self.overrides.items()):
            if feature in features and feature in published:
                level = self.level(published[feature])
                if override["level"] != level:
                    self.overrides[feature, pointer] = dict(override, level=level)

    def of(self, feature):
        return {key: value for key, value in self.overrides.items() if key[0] == feature}

    # Uploads

    def upload(self, features, decision):
        features = clean(features)
        overrides, is_new = {}, False
        for (feature, pointer), override in self.overrides.items():
            new = self.merged(feature, pointer, dict(override), features.get(feature))
            if new is not None:
                new = override if new == override else new
                overrides[feature, pointer] = new
                is_new |= new["state"] == "contested" and (
                    override["state"] != "contested" or override["source"] != new["source"]
                )
        if self.mode == "ask" and is_new and decision == "discard":
            return False
        self.uploads += 1
        before = self.overrides
        self.source, self.overrides = features, overrides
        self.place({feature for feature, _ in overrides})
        # An override that is as it was is the same one in all of its revisions.
        for key, override in self.overrides.items():
            self.overrides[key] = before[key] if before[key] == override else override
        self.commit()
        return True

    def remint(self, features):
        """The same features under new ids, which are recognized."""
        return self.upload(features, "publish")

    def merged(self, feature, pointer, override, body):
        if body is not None:
            override["level"] = self.level(body)
        if pointer == "":
            if override["value"] is not None:
                return override if body is None else None
            if body is None:
                # An added feature that is hidden for a time is in no archive.
                return override if override["covered"] else self.orphaned(override)
            override.update(source=body, state="quiet", orphaned=None, covered=None)
            return override
        covered = override["covered"]
        if covered is not None:
            covered = self.merged(feature, pointer, dict(covered), body)
        override["covered"] = covered
        if body is None:
            return self.orphaned(override)
        source = get(body, pointer)
        override.update(source=source, orphaned=None)
        if source == override["base"]:
            override["state"] = "quiet"
        elif source == override["value"]:
            if covered is None:
                return None
            override["state"] = "quiet"
        elif self.mode == "yield":
            return covered
        else:
            override["state"] = "contested"
        return override

    def orphaned(self, override):
        """An override of a missing feature; None if that was missing for too long."""
        since = self.uploads + 1 if override["orphaned"] is None else override["orphaned"]
        override.update(source=None, state="orphaned", orphaned=since)
        return override if self.uploads + 1 - since < ORPHAN_AGE else None

    # Edits

    def patch(self, feature, patch, until):
        body = self.published().get(feature)
        if body is None:
            return False
        changes = {pointer: value for pointer, value in pointers(patch) if get(body, pointer) != value}
        addition = self.overrides.get((feature, ""))
        if addition is not None:
            if changes:
                self.overrides[feature, ""] = self.patched(addition, changes, until)
        else:
            for pointer, value in pointers(patch):
                self.say(feature, pointer, value, until, pointer in changes, self.level(body))
        self.place({feature})
        self.commit()
        return True

    def patched(self, addition, changes, until):
        """An added feature after a patch: with an end, over what it was before; without one, whatever ends meanwhile."""
        patched = dict(addition, value=copy.deepcopy(addition["value"]), state="quiet", until=until)
        for pointer, value in changes.items():
            put(patched["value"], pointer, value)
        if until is not None:
            patched["covered"] = holding(addition, until)
        elif addition["covered"] is not None:
            patched["until"] = addition["until"]
            patched["covered"] = self.patched(addition["covered"], changes, None)
        return patched

    def say(self, feature, pointer, value, until, is_new, level):
        """Makes a value of a feature of the source hold: until a time, or whatever was said before."""
        current = self.overrides.get((feature, pointer))
        if not is_new:
            # It is said already, and only the end may be another one.
            if current is not None and until is not None and current["until"] != until:
                self.overrides[feature, pointer] = dict(current, until=until, covered=holding(current["covered"], until))
            return
        covered = None if until is None else holding(current, until)
        source = get(self.source[feature], pointer)
        self.overrides.pop((feature, pointer), None)
        if value != source or covered is not None:
            self.overrides[feature, pointer] = self.made(source, value, level, until, covered)

    @staticmethod
    def made(base, value, level, until, covered=None):
        return {
            "base": base, "value": value, "source": base, "level": level, "state": "quiet", "orphaned": None,
            "until": until, "covered": covered,
        }

    def add(self, feature, body, until):
        existence = self.overrides.get((feature, ""))
        if feature in self.published() or (existence is not None and existence["state"] != "orphaned"):
            return False
        for key in self.of(feature):
            del self.overrides[key]
        self.overrides[feature, ""] = self.made(None, clean(body), self.level(body), until)
        self.commit()
        return True

    def hide(self, feature, until):
        published = self.published()
        if feature not in published:
            return False
        level = self.level(published[feature])
        addition = self.overrides.pop((feature, ""), None)
        if addition is None:
            self.overrides[feature, ""] = self.made(self.source[feature], None, level, until)
        elif until is not None and holding(addition, until) is not None:
            self.overrides[feature, ""] = self.made(None, None, level, until, holding(addition, until))
        self.commit()
        return True

    def show(self, feature):
        existence = self.overrides.get((feature, ""))
        hidden = existence is not None and existence["value"] is None
        if not hidden and feature not in self.published():
            return False
        if hidden:
            self.end(feature, "", existence["covered"])
        self.place({feature})
        self.commit()
        return True

    def end(self, feature, pointer, restored):
        """Ends an override, in place of which another one may hold."""
        ended = self.overrides.pop((feature, pointer))
        if restored is not None:
            self.overrides[feature, pointer] = dict(restored, level=ended["level"])

    def revert(self, feature):
        if not self.of(feature) and feature not in self.published():
            return False
        for key in self.of(feature):
            del self.overrides[key]
        self.commit()
        return True

    # Decisions

    def resolve(self, feature, pointer, take):
        override = self.overrides.get((feature, pointer))
        if override is None or (take != "end" and override["state"] != "contested"):
            return False
        if take == "mine":
            self.overrides[feature, pointer] = dict(override, base=override["source"], state="quiet")
        else:
            del self.overrides[feature, pointer]
        self.place({feature})
        self.commit()
        return True

    def expire(self, time):
        """Ends every override that does not hold after a time."""
        expired = {key: item for key, item in self.overrides.items() if holding(item, time) is not item}
        for (feature, pointer), override in expired.items():
            self.end(feature, pointer, holding(override, time))
        self.place({feature for feature, _ in expired})
        self.commit()
        return True

    def rollback(self, revision):
        if revision not in self.revisions:
            return False
        features, source, overrides = self.revisions[revision]
        if features == self.revisions[self.head][0]:
            return False
        self.source = source
        self.overrides = {key: dict(override) for key, override in overrides.items()}
        self.head += 1
        self.revisions[self.head] = (features, source, dict(self.overrides))
        return True

    def rollback_level(self, revision, level):
        """Features on the level are as they were, with their overrides; all others stay."""
        if revision not in self.revisions:
            return False
        then, source_then, overrides_then = self.revisions[revision]
        now, source_now, overrides_now = self.published(), self.source, self.overrides
        origins = {}
        for feature in set(now) | set(then) | {key[0] for key in [*overrides_now, *overrides_then]}:
            inside_now = feature in now and self.level(now[feature]) == level
            inside_then = feature in then and self.level(then[feature]) == level
            if feature in now and feature in then and inside_now != inside_then:
                return False
            if inside_then:
                origins[feature] = "then"
            elif feature in now and not inside_now:
                origins[feature] = "now"
            else:
                # The feature is on neither side of the result. Whatever is known of it says whether it belongs to the level.
                sides = [
                    [self.level(features[feature])] if feature in features else
                    [override["level"] for key, override in overrides.items() if key[0] == feature]
                    for features, overrides in ((now, overrides_now), (then, overrides_then))
                ]
                inside = all(found == level for side in sides for found in side)
                origins[feature] = "absent then" if inside else "absent now"
        source, overrides, features = {}, {}, {}
        for feature, origin in origins.items():
            is_then = origin.endswith("then")
            known = (source_then if is_then else source_now).get(feature)
            held = {key: item for key, item in (overrides_then if is_then else overrides_now).items() if key[0] == feature}
            if known is not None and (not origin.startswith("absent") or held):
                source[feature] = known
            for key, item in held.items():
                overrides[key] = dict(item) if is_then and overrides_now.get(key) != item else overrides_now[key]
            if not origin.startswith("absent"):
                features[feature] = (then if is_then else now)[feature]
        if features == now:
            return False
        self.source, self.overrides = source, overrides
        self.head += 1
        self.revisions[self.head] = (features, source, dict(overrides))
        return True

    def covered(self, pointer, override):
        """What holds again after an override, one after the other."""
        covered = override["covered"]
        return [] if covered is None else [None if pointer == "" else covered["value"], *self.covered(pointer, covered)]

    def state(self):
        return {
            "head": self.head,
            "features": self.published(),
            "overrides": sorted(
                (
                    [feature, pointer, item["state"]]
                    + [None if pointer == "" else item[name] for name in ("base", "value", "source")]
                    + [self.covered(pointer, item)]
                    for (feature, pointer), item in self.overrides.items()
                ),
                key=lambda item: (item[0], item[1]),
            ),
        }


def main():
    for line in open(sys.argv[1], encoding="utf-8"):
        story = json.loads(line)
        venue = Venue(story["mode"], story["levels"])
        states = []
        for step in story["steps"]:
            operation, *arguments = step
            accepted = getattr(venue, operation)(*arguments)
            states.append({"accepted": accepted is not False, **venue.state()})
        print(json.dumps(states, ensure_ascii=False))


main()
