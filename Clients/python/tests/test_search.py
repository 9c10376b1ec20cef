from __future__ import annotations

import json
import unittest

from pages import block, feature, named, response, snapshot, uuid
from support import ReplicaTestCase
from test_conformance import CASES
from venuesync.feature import Feature
from venuesync.search import fold
from venuesync.selection import EVERYTHING, Selection

F0, F1, F2 = uuid("f0"), uuid("f1"), uuid("f2")


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

    def test_search_has_the_results_of_all_clients(self) -> None:
        bodies = [feature(str(each["number"]), each["feature_type"], **each["properties"]) for each in self.SHARED["features"]]
        replica = self.replica(response(None, 1, "one", snapshot(None, *bodies)))
        replica.sync()
        kinds = {"word-prefix": "wordPrefix"}
        for case in self.SHARED["cases"]:
            found = replica.search(case["text"], types=case.get("types"), limit=1_000)
            results = [[int(each.feature.id[-4:]), kinds.get(each.match, each.match), each.text] for each in found]
            self.assertEqual(results, case["results"], case["text"])


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
