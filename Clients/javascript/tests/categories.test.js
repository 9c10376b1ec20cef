import assert from "node:assert/strict";
import test from "node:test";

import { lineageOf } from "../src/categories/category-lineage.js";
import { categoryTermsOf } from "../src/map/search-terms.js";

test("a category has the lineage of its parts, and one of very many parts those of its beginning", () => {
    assert.deepEqual(lineageOf("food.bakery.cake"), ["food.bakery.cake", "food.bakery", "food"]);
    assert.deepEqual([lineageOf(null), lineageOf(undefined), lineageOf("")], [[], [], []]);
    const lineage = lineageOf(`food.${"a.".repeat(60_000)}`);
    assert.equal(lineage.length, 49);
    assert.deepEqual([lineage[0].length, lineage.at(-1)], [100, "food"]);
    assert.deepEqual(lineageOf("a".repeat(101)), []);
    assert.equal(lineageOf("a".repeat(100)).length, 1);
});

test("a search finds a compound by its words, as they are in the category, and a named category by its names", () => {
    assert.deepEqual(categoryTermsOf("carpetstore").map(({ text }) => text), ["carpet store"]);
    assert.deepEqual(categoryTermsOf("restroom").map(({ text }) => text).slice(0, 1), ["Restroom"]);
});
