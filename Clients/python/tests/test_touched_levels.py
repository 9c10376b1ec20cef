"""The levels that venue-wide features touch: those of all clients, and work that does not grow with what is shared."""

from __future__ import annotations

import json
import unittest
from typing import Any, Iterable, List, Optional

from pages import uuid
from test_conformance import CASES
from venuesync.feature import Feature
from venuesync.touched_levels import TouchedLevels

SHARED = json.loads((CASES.parent / "touched-levels.json").read_text(encoding="utf-8"))


def uuids(numbers: Iterable[int]) -> List[str]:
    return [uuid(str(number)) for number in numbers]


def entry(number: int, type: str, level: Optional[int] = None, **properties: Any) -> Feature:
    body = json.dumps({"feature_type": type, "properties": properties}).encode()
    return Feature(uuid(str(number)), type, None if level is None else uuid(str(level)), body)


def hub(number: int, targets: Iterable[int]) -> Feature:
    return entry(number, "hub", all=uuids(targets))


def touched(features: Iterable[Feature]) -> TouchedLevels:
    levels = TouchedLevels()
    for feature in features:
        levels.add(feature)
    return levels


class TouchedLevelTests(unittest.TestCase):
    def test_venue_wide_features_touch_the_levels_of_all_clients(self) -> None:
        features = [entry(each["number"], each["feature_type"], each["level"], **each["properties"]) for each in SHARED["features"]]
        self.assertGreater(len(SHARED["touched"]), 15)
        for own in (features, features[::-1]):
            levels = touched(own)
            for number, expected in SHARED["touched"]:
                self.assertEqual(levels.levels(uuid(str(number))), tuple(uuids(expected)), number)

    def test_the_references_of_a_feature_are_not_followed_anew_for_each_feature_that_refers_to_it(self) -> None:
        sources, targets = SHARED["shared"]["sources"], SHARED["shared"]["targets"]
        units, hubs = range(10_000, 10_000 + targets), range(20_000, 20_000 + sources)
        levels = touched([
            entry(1, "level"), *(entry(number, "unit", 1) for number in units), hub(9, units), *(hub(number, [9]) for number in hubs)])
        for id in uuids(hubs):
            self.assertEqual(levels.levels(id), tuple(uuids([1])))
        self.assertLessEqual(levels.followed, 3 * (sources + targets))

    def test_the_memory_for_sparse_references_does_not_grow_with_the_number_of_levels(self) -> None:
        all = range(10_000, 20_001)
        pairs = [hub(number + 100_000, [number, number + 1]) for number in all[:-1]]
        levels = touched([*(entry(number, "level") for number in all), *pairs])
        for number, pair in zip(all, pairs):
            self.assertEqual(levels.levels(pair.id), tuple(uuids([number, number + 1])))
        self.assertEqual(levels.kept, 2 * len(pairs))

    def test_a_feature_that_leads_to_very_many_levels_belongs_to_the_whole_venue(self) -> None:
        all = range(10_000, 10_000 + SHARED["maximum"] + 1)
        levels = touched([
            *(entry(number, "level") for number in all), hub(1, all[1:]), hub(2, all), hub(3, [1]), hub(4, [1, all[0]])])
        ids = tuple(uuids(all[1:]))
        self.assertEqual([levels.levels(id) for id in uuids([1, 2, 3, 4])], [ids, (), ids, ()])
        self.assertEqual(levels.kept, SHARED["maximum"])
