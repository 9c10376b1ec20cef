from __future__ import annotations

import json
import unittest
from typing import Any, Dict, List, Optional

from pages import block, feature, named, response, snapshot, uuid
from support import ReplicaTestCase
from test_conformance import CASES
from venuesync.categories import is_food, names_of
from venuesync.feature import Feature
from venuesync.folded_text import fold
from venuesync.replica import VenueReplica
from venuesync.search import SearchResult
from venuesync.selection import EVERYTHING, Selection

F0, F1, F2 = uuid("f0"), uuid("f1"), uuid("f2")


def filled(test: ReplicaTestCase, features: List[Dict[str, Any]]) -> VenueReplica:
    bodies: Dict[Optional[str], List[str]] = {None: []}
    for each in features:
        level = None if each["level"] is None else uuid(str(each["level"]))
        buildings = {"building_ids": [uuid(str(number)) for number in each["buildings"]]} if "buildings" in each else {}
        bodies.setdefault(level, []).append(
            feature(str(each["number"]), each["feature_type"], **each["properties"], **buildings))
    replica = test.replica(response(None, 1, "one", *(snapshot(level, *own) for level, own in bodies.items())))
    replica.sync()
    return replica


class SearchTests(ReplicaTestCase):
    def test_folding_ignores_width_case_accents_punctuation_and_the_kind_of_kana(self) -> None:
        self.assertEqual(fold("ｶﾌｪ"), fold("かふぇ"))
        self.assertEqual(fold("カフェ"), fold("かふぇ"))
        self.assertEqual(fold("  Café—L'Œuvre №5 "), "cafe l oeuvre no5")
        self.assertEqual(fold("STRAẞE Straße"), "strasse strasse")
        self.assertEqual(fold("ガ"), fold("ｶﾞ"))
        self.assertNotEqual(fold("ガ"), fold("カ"))
        self.assertEqual(fold("A-1 (b)"), fold("Ａ－１　（ｂ）"))

    def test_search_returns_best_matches_first_and_finds_new_names_after_a_change(self) -> None:
        bodies = [
            named("a1", "unit", "Coffee"), named("a2", "occupant", "Coffee House"), named("a3", "occupant", "House of Coffee"),
            named("a4", "occupant", "Decoffeeination"), feature("a5", "amenity", category="coffee.machine")]
        renamed = named("a1", "unit", "Tea")
        replica = self.replica(
            response(None, 1, "one", snapshot(None, *bodies)),
            response(1, 2, "two", block(None, "changes", [renamed, *bodies[1:]], [renamed])))
        replica.sync()
        found = replica.search("ＣＯＦＦＥＥ")
        self.assertEqual([result.feature.id[-2:] for result in found], ["a1", "a2", "a5", "a3", "a4"])
        self.assertEqual([result.match for result in found], ["exact", "prefix", "prefix", "word-prefix", "substring"])
        self.assertEqual(len(replica.search("coffee", types=["occupant"])), 3)
        self.assertEqual(len(replica.search("coffee", limit=2)), 2)
        self.assertEqual(len(replica.search("")), 5)
        replica.sync()
        self.assertEqual(replica.search("tea")[0].text, "Tea")
        self.assertEqual(len(replica.search("coffee")), 4)

    def test_search_finds_a_lift_by_the_names_of_all_floors_that_it_touches_and_on_them(self) -> None:
        replica = filled(self, [
            {"number": 1, "feature_type": "level", "level": None, "properties": {"short_name": {"en": "L1"}}},
            {"number": 2, "feature_type": "level", "level": None, "properties": {"short_name": {"en": "L2"}}},
            {"number": 3, "feature_type": "level", "level": None, "properties": {"short_name": {"en": "L3"}}},
            {"number": 11, "feature_type": "unit", "level": 1, "properties": {}},
            {"number": "a2", "feature_type": "unit", "level": 2, "properties": {}},
            {"number": 20, "feature_type": "anchor", "level": None, "properties": {"unit_id": uuid("a2").upper()}},
            {"number": 30, "feature_type": "amenity", "level": None, "properties": {
                "category": "elevator", "unit_ids": [uuid("11"), uuid("99")], "anchor_id": uuid("20")}}])
        expected = {"L1": ["related"], "L2": ["related"], "L3": []}
        for name, matches in expected.items():
            self.assertEqual([each.match for each in replica.search(f"lift {name}", is_related=True)], matches, name)
        for level, matches in zip(("1", "2", "3"), expected.values()):
            self.assertEqual([each.match for each in replica.search("lift", level=uuid(level), is_related=True)], matches, level)
        self.assertEqual(replica.search("L1", level=uuid("1")), [])

    def test_search_forgives_one_spelling_mistake_in_a_word_of_four_letters_or_more_and_no_more(self) -> None:
        replica = filled(self, [{
            "number": 1, "feature_type": "occupant", "level": None, "properties": {"name": "Starbucks Reserve", "category": "coffee"}}])
        for text in ("starbuks", "strabucks", "starrbucks", "starbocks", "sdarbucks", "stabrucks", "starubcks", "strabuc", "reserve starbuks"):
            self.assertEqual([each.match for each in replica.search(text, is_related=True)], ["misspelled"], text)
        for text in ("starbks", "strabukcs", "sat", "starbuks xyz"):
            self.assertEqual(replica.search(text, is_related=True), [], text)

    def test_a_category_has_the_names_and_the_group_of_the_longest_known_one(self) -> None:
        self.assertEqual(names_of("restroom.robots." + "x." * 100_000), ["Restroom", "トイレ"])
        self.assertEqual(names_of("x." * 100_000 + "carpetstore"), ["carpet store"])
        for category in ("robots", "store", "", "." * 100_000):
            self.assertEqual(names_of(category), [], category)
        self.assertTrue(is_food("bar." + "x" * 100_000))
        for category in ("barber." + "x" * 100_000, "unknown", ""):
            self.assertFalse(is_food(category), category)


class SharedSearchTests(ReplicaTestCase):
    """The search that all clients have in common."""

    SHARED = json.loads((CASES.parent / "search.json").read_text(encoding="utf-8"))

    def test_search_folds_texts_as_all_clients_do(self) -> None:
        for text, folded in self.SHARED["folded"]:
            self.assertEqual(fold(text), folded, text)

    def test_a_label_has_the_text_of_all_clients(self) -> None:
        for label, languages, text in self.SHARED["labels"]:
            body = feature("a1", "unit", name=label)
            self.assertEqual(Feature(uuid("a1"), "unit", None, body.encode()).name(languages), text, label)

    def found(self, results: List[SearchResult]) -> List[List[object]]:
        kinds = {"word-prefix": "wordPrefix"}
        return [[int(each.feature.id[-4:]), kinds.get(each.match, each.match), each.text] for each in results]

    def test_search_has_the_results_of_all_clients_followed_by_related_ones_if_they_are_wanted(self) -> None:
        replica = filled(self, self.SHARED["features"])
        for case in self.SHARED["cases"]:
            text, types = case["text"], case.get("types")
            self.assertEqual(self.found(replica.search(text, types=types, limit=1_000)), case["results"], text)
            found = replica.search(text, types=types, limit=1_000, is_related=True)
            self.assertEqual(self.found(found), case["results"] + case["related"], text)

    def test_search_finds_rooms_and_floors_by_number_and_name_and_never_another_number(self) -> None:
        replica = filled(self, self.SHARED["rooms"]["features"])
        self.assertGreater(len(self.SHARED["rooms"]["cases"]), 20)
        for case in self.SHARED["rooms"]["cases"]:
            self.assertEqual(self.found(replica.search(case["text"], is_related=True)), case["related"], case["text"])

    def test_search_on_a_level_finds_what_is_on_it_or_touches_it_without_the_level_itself(self) -> None:
        replica = filled(self, self.SHARED["levels"]["features"])
        for case in self.SHARED["levels"]["cases"]:
            for is_related in (False, True):
                found = replica.search(case["text"], level=uuid(str(case["level"])), is_related=is_related)
                self.assertEqual(self.found(found), case["results"], case)


class SelectionTests(unittest.TestCase):
    HELD = [(F0, 0), (F1, 1), (F2, 1)]

    def test_a_selection_refuses_invalid_level_names(self) -> None:
        for name in ("", "Venue", "ordinal:", "ordinal:x", "f0", "ordinal:1&since=x"):
            with self.assertRaises(ValueError):
                Selection.of([name])
        with self.assertRaises(TypeError):
            Selection.of("venue")
        self.assertEqual(Selection.of([F0.upper()]), Selection.of([F0]))

    def test_dropping_a_level_keeps_the_other_levels_of_an_ordinal_or_of_everything(self) -> None:
        self.assertEqual(Selection.of(EVERYTHING).dropping([F1], self.HELD), Selection.of([F0, F2]))
        self.assertEqual(Selection.of(["ordinal:1", "ordinal:0"]).dropping([F1], self.HELD), Selection.of(["ordinal:0", F2]))
        self.assertEqual(Selection.of([F1]).dropping([F1], self.HELD), Selection.of(["venue"]))
        self.assertEqual(Selection.of([F1, F0]).dropping(["ordinal:1"], self.HELD), Selection.of([F0]))

    def test_a_selection_is_restored_as_it_was_stored(self) -> None:
        for selection in (Selection.of(EVERYTHING), Selection.of(["ordinal:-1", F1])):
            self.assertEqual(Selection.restored(selection.stored()), selection)


if __name__ == "__main__":
    unittest.main()
