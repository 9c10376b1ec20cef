// Search on the map page of a venue that is too large to be loaded as a whole: the server is asked for what is on the other floors.

import { $, $$, card, click, floor, idsOf, listTitle, openMap, openPlace, search, showWholeList, texts, travel } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setOnline } from "./support/browser.js";
import { edits, isFacility, set, without } from "./support/edit-entries.js";
import { resultOf, searchResponse } from "./support/search-results.js";
import { id, nameOfShop, shop } from "./support/sample-venue.js";
import { never, SyncServer } from "./support/sync-server.js";
import { pass, passUntil, until } from "./support/time.js";

/** A server that says that its venue has many features, so that floors are not loaded for a search. */
class LargeVenue extends SyncServer {
    /** Returns the response to a search with these parameters. */
    answer = () => searchResponse(this, []);

    constructor({ isLarge = true, ...options } = {}) {
        super({ ordinals: [-1, 0, 1], ...options });
        this.isLarge = isLarge;
        this.routes["GET /venues/mall/search.*"] = ({ query }) => this.answer(query);
    }

    get document() {
        const document = super.document;
        if (this.isLarge) document.levels[0].features = 30_000;
        return document;
    }

    get searches() {
        return this.requests.filter(({ pathname }) => pathname === "/venues/mall/search").map(({ query }) => query);
    }

    /** Whether floors that were not opened were loaded. */
    get hasLoadedOthers() {
        const levels = this.requests.filter(({ pathname }) => pathname.endsWith("/sync")).flatMap(({ query }) => query.getAll("level"));
        return levels.some((level) => /^ordinal:-?[1-9]/.test(level));
    }

    /** Answers every search with these features, as the server does for those that have the category of the request. */
    find(ids, more = {}) {
        this.answer = (query) => {
            const isAskedFor = (each) => this.feature(each).properties.category.startsWith(query.get("category") ?? "");
            return searchResponse(this, ids.filter(isAskedFor).map((each) => resultOf(this, each, { language: query.get("lang"), ...more })));
        };
    }
}

/** Time after which the server is asked. */
const asked = () => pass(260);
const notice = () => $(".search-scope")?.textContent ?? null;
const found = (ordinal) => $(`.floors [data-ordinal="${ordinal}"]`).dataset.found;
const chip = (kind) => click(`[data-chip="${kind}"]`);
const nearest = () => click($$(".place-actions button").find((each) => each.textContent.includes("Nearest restroom")));
const restrooms = (ordinal) => ["male", "female"].map((each) => id(`amenity ${ordinal} restroom ${each}`));
/** Leaves out the restrooms of floors. */
function withoutRestrooms(...ordinals) {
    const isMeant = (feature, level) => isFacility("restroom")(feature) && ordinals.some((ordinal) => level === id(`level ${ordinal}`));
    return edits(without((feature, level) => feature.feature_type === "amenity" && isMeant(feature, level)), set(isMeant, { category: "room" }));
}

for (const [language, waiting] of [["en", /Searching the other floors/], ["ja", /検索/]]) {
    test(`search asks the server for the other floors, and leads there and back, in ${language}`, async () => {
        const server = new LargeVenue();
        await openMap("", { server, language });
        const name = server.feature(shop(1)).properties.name[language];
        server.find([shop(1)]);
        await search(name);
        assert.match($(".panel-body").textContent, waiting);
        assert.equal(server.searches.length, 0, "not before the text stays the same for a moment");
        await asked();
        const [query] = server.searches;
        assert.deepEqual([query.get("q"), query.get("lang"), query.getAll("level").sort()], [name, language, ["ordinal:-1", "ordinal:1"]]);
        assert.deepEqual(texts(".place-name"), [name]);
        assert.deepEqual([notice(), found(1), server.hasLoadedOthers], [null, "1", false]);
        $("#search").form.dispatchEvent(new Event("submit", { cancelable: true }));
        assert.equal(document.activeElement.dataset.id, shop(1));
        await click(".place");
        await until(() => card() === name);
        assert.equal(floor(), 1);
        assert.equal(document.activeElement.id, "place-name");
        await travel(-1, () => floor() === 0);
        assert.deepEqual(idsOf(), [shop(1)]);
    });
}

test("search names the floors that it does not cover if the server does not answer, and loads them on request", async () => {
    const server = new LargeVenue();
    await openMap("", { server });
    server.answer = () => { throw new TypeError("Failed to fetch"); };
    await search(nameOfShop(1));
    await asked();
    assert.match(notice(), /Not searched: 2 floors/);
    await click(".search-scope button");
    await until(() => idsOf().includes(shop(1)));
    assert.equal(notice(), null);
});

test("search of a small venue says that it searches while the floors load, and names them only if that fails", async () => {
    const server = new LargeVenue({ isLarge: false });
    await openMap("", { server });
    let fail;
    server.routes["GET /venues/mall/sync.*"] = () => new Promise((_, reject) => { fail = reject; });
    await search(nameOfShop(1));
    assert.equal(notice(), null);
    assert.deepEqual(texts(".panel-body > p"), ["Searching the other floors…"]);
    fail(new TypeError("Failed to fetch"));
    delete server.routes["GET /venues/mall/sync.*"];
    await passUntil(notice);
    assert.match(notice(), /^Not searched: 2 floors that could not be loaded\. Search all floors$/);
    await click(".search-scope button");
    await until(() => idsOf().includes(shop(1)));
    assert.equal(notice(), null);
});

test("search lists every place once, and the same as in a venue that loads all floors", async () => {
    await openMap("", { server: new LargeVenue({ isLarge: false }) });
    await search("restroom");
    await until(() => $$(".places-floor").length === 3);
    const expected = idsOf();
    const server = new LargeVenue();
    await openMap("", { server });
    // The server finds units, too, in which the amenities are, and what is on the loaded floor.
    server.find([-1, 0, 1].flatMap((ordinal) => [...restrooms(ordinal), id(`unit ${ordinal} restroom male`)]), { match: "related" });
    await search("restroom");
    await asked();
    assert.deepEqual(idsOf().sort(), expected.toSorted());
    assert.equal(listTitle(), `${expected.length} found`);
});

test("search lists units without a name that are far from the amenities of their kind", async () => {
    const [near, far] = [id("unit 1 restroom male"), id("unit 1 room 11")];
    const server = new LargeVenue({ edit: set((feature) => feature.id === far, { category: "toilet" }) });
    await openMap("", { server });
    server.find([...restrooms(1), near, far], { match: "related" });
    await search("toilet");
    await asked();
    const listed = idsOf();
    assert.ok(listed.includes(far) && !listed.includes(near));
});

test("search leaves out what the venue hides", async () => {
    const server = new LargeVenue();
    const { document } = server;
    Object.defineProperty(server, "document", { get: () => ({ ...document, appearance: { hidden: ["restroom"] } }) });
    await openMap("", { server });
    server.find(restrooms(1));
    await search("toilet");
    await asked();
    assert.equal(server.searches.length, 1);
    assert.ok($(".panel-body .empty"));
    assert.deepEqual([idsOf(), $(".floors [data-found]")], [[], null]);
});

for (const [place, here, there, isElsewhere] of [["another floor", "Midori", "Midory", true], ["this floor", "Midory", "Midori", false]]) {
    test(`search forgives mistakes only if no floor has what was typed, which is on ${place}`, async () => {
        const server = new LargeVenue({ edit: edits(set(shop(0), { name: { en: here } }), set(shop(1), { name: { en: there } })) });
        await openMap("", { server });
        server.find([shop(1)], { match: isElsewhere ? "exact" : "misspelled" });
        await search("Midory");
        await asked();
        assert.deepEqual([listTitle(), idsOf()], ["1 found", [isElsewhere ? shop(1) : shop(0)]]);
    });
}

test("the search of the server ends when the text changes", async () => {
    const server = new LargeVenue();
    await openMap("", { server });
    let signal;
    server.routes["GET /venues/mall/search.*"] = (request) => {
        if (request.query.get("q") !== "sushi") return server.answer();
        ({ signal } = request);
        return never();
    };
    await search("sushi");
    await asked();
    assert.match($(".panel-body").textContent, /Searching the other floors/);
    server.find(restrooms(1), { match: "related" });
    server.routes["GET /venues/mall/search.*"] = ({ query }) => server.answer(query);
    await search("toilet");
    assert.ok(signal.aborted);
    await asked();
    assert.deepEqual(texts(".places-floor"), ["Floor 1", "Floor 2"]);
    assert.equal(notice(), null);
});

test("search says when the server has more results than it lists", async () => {
    const server = new LargeVenue();
    await openMap("", { server });
    const result = resultOf(server, shop(1), { match: "related" });
    const results = Array.from({ length: 100 }, (_, index) => ({ ...result, id: id(`result ${index}`) }));
    server.answer = () => searchResponse(server, results, { more: true });
    await search("toilet");
    await asked();
    assert.match(notice(), /Only the best results of the other floors are listed/);
});

for (const [language, text] of [["en", /Not searched/], ["ja", /検索/]]) {
    test(`search without a connection names what it does not cover, and is repeated with one, in ${language}`, async () => {
        const server = new LargeVenue();
        await openMap("", { server, language });
        server.find([shop(1)]);
        setOnline(false);
        await search(server.feature(shop(1)).properties.name.en);
        await asked();
        assert.match(notice(), text);
        assert.equal(server.searches.length, 0);
        setOnline(true);
        await passUntil(() => idsOf().includes(shop(1)));
        assert.equal(notice(), null);
    });
}

test("the nearest restroom is found on floors that are not loaded, by its distance on the floors that are fewer floors away", async () => {
    const server = new LargeVenue({ edit: withoutRestrooms(0) });
    await openMap("", { server });
    server.find([...restrooms(1), ...restrooms(-1)]);
    await openPlace(shop(0));
    await nearest();
    await asked();
    const query = server.searches.find((each) => each.get("category") === "restroom");
    assert.deepEqual([query.getAll("near_level"), query.get("near").split(",").length], [["ordinal:0"], 2]);
    assert.equal(query.getAll("level").includes("ordinal:0"), false);
    assert.deepEqual(server.searches.map((each) => each.get("category")).sort(), ["restroom", "restrooms", "toilet", "toilets", "wc"]);
    assert.match($(".search-elsewhere").textContent, /On other floors/);
    assert.deepEqual([notice(), $$(".places-floor").length, server.hasLoadedOthers], [null, 2, false]);
    const listed = idsOf();
    const [name] = texts(".place-name");
    await click(".place");
    await until(() => card() === name);
    // A venue that loads all floors finds the same.
    await openMap("", { server: new LargeVenue({ isLarge: false, edit: withoutRestrooms(0) }) });
    await openPlace(shop(0));
    await nearest();
    await until(() => $$(".places-floor").length === 2);
    assert.deepEqual(idsOf(), listed);
});

test("kinds of facilities that only other floors have are offered", async () => {
    const server = new LargeVenue({ edit: withoutRestrooms(0) });
    await openMap("", { server });
    server.find([...restrooms(1), ...restrooms(-1)]);
    await chip("restroom");
    await asked();
    assert.equal($$(".places-floor").length, 2);
    assert.match($(".search-elsewhere").textContent, /On other floors/);
    assert.equal(server.hasLoadedOthers, false);
});

test("the nearest restroom of the floor is not asked for", async () => {
    const server = new LargeVenue();
    await openMap("", { server });
    await openPlace(shop(0));
    await nearest();
    await asked();
    assert.ok($(".distance"));
    assert.deepEqual(server.searches, []);
});

test("the nearest restroom without a connection names the floors that are not covered", async () => {
    const server = new LargeVenue({ edit: withoutRestrooms(0) });
    await openMap("", { server });
    server.find(restrooms(1));
    setOnline(false);
    await openPlace(shop(0));
    await nearest();
    await asked();
    assert.match(notice(), /Not searched: 2 floors/);
    setOnline(true);
    await passUntil(() => $$(".places-floor").length === 1);
});

for (const isLarge of [false, true]) {
    test(`the nearest restroom is on the floor that is fewer floors away, in a ${isLarge ? "large" : "small"} venue`, async () => {
        const far = new Set([...restrooms(-1)]);
        // Not on the one where it is nearer in a straight line: those in the basement are 300 metres away.
        const server = new LargeVenue({ isLarge, ordinals: [-1, 0, 1, 2], edit: edits(withoutRestrooms(0, 1), (entries) => {
            for (const { feature } of entries) if (far.has(feature.id)) feature.geometry.coordinates[0] += 300 / 90_600;
        }) });
        await openMap("", { server });
        server.find([...restrooms(2), ...restrooms(-1)]);
        await openPlace(shop(0));
        await nearest();
        await asked();
        await until(() => $$(".places-floor").length === 2);
        assert.deepEqual(texts(".places-floor"), ["Basement 1", "Floor 3"]);
    });
}

test("open places are found on floors that are not loaded, with the time at which they close, also with a text", async () => {
    const server = new LargeVenue();
    await openMap("", { server });
    server.find([shop(1), shop(-1)], { open: { state: "open", next_change: "2026-06-10T21:00:00+09:00" } });
    await chip("open");
    await asked();
    assert.equal(server.searches[0].get("open_at"), "now");
    assert.deepEqual(texts(".search-elsewhere, .search-scope"), []);
    await showWholeList();
    assert.equal($$(".places-floor").length, 3);
    assert.deepEqual(new Set(texts(".places .state-text")), new Set(["Open until 21:00"]));
    assert.equal(server.hasLoadedOthers, false);
    await search("coffee");
    await asked();
    assert.deepEqual(["q", "open_at"].map((name) => server.searches.at(-1).get(name)), ["coffee", "now"]);
});

test("open places without an answer name what they do not cover", async () => {
    const server = new LargeVenue();
    await openMap("", { server });
    server.answer = () => { throw new TypeError("Failed to fetch"); };
    await chip("open");
    await asked();
    assert.match(notice(), /Not searched: 2 floors/);
});
