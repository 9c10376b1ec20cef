// What the ways on the map are computed from: the opening hours of what is passed, and the map of what is held now.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./support/browser.js";
import { shop } from "./support/sample-venue.js";
import { until } from "./support/time.js";

const web = new URL("../../Sources/WebConsole/Web/", import.meta.url);
const { PassageHours, withOpeningTimes } = await import(new URL("client/wayfinding/passage-hours.js", web));
const { Wayfinder } = await import(new URL("map/directions/wayfinder.js", web));
const { WayfindingMap } = await import(new URL("client/wayfinding/wayfinding-map.js", web));

test("hours close nothing where the time zone is not known or the text cannot be read", () => {
    const hours = new PassageHours([["a", "Mo-Fr 15:00-18:00"], ["b", "never on Sundays"], ["c", "24/7"], ["d", "off"], ["e", "Mo-Fr 15:00-18:00"]]
        .map(([feature, text]) => ({ feature, hours: text })));
    const noon = new Date("2026-06-10T13:00:00+09:00");
    const { closed, state } = hours.closures("Asia/Tokyo", noon);
    assert.deepEqual([[...closed.keys()].sort(), state], [["a", "d", "e"], "unknown"]);
    const reasons = ["a", "b", "d"].map((feature) => ({ code: "closed", feature }));
    assert.deepEqual(withOpeningTimes([...reasons, { code: "stairs", feature: "a" }], closed, "Asia/Tokyo", noon, { within: 8 }).map(({ until }) => until),
        ["2026-06-10T06:00:00.000Z", undefined, undefined, undefined]);
    for (const zone of [null, "Mars/Olympus"]) assert.deepEqual(hours.closures(zone, noon), { closed: new Map(), state: "unknown" });
    assert.equal(new PassageHours([{ feature: "a", hours: "24/7" }]).closures("Asia/Tokyo", noon).state, "applied");
    assert.equal(new PassageHours([]).closures("Asia/Tokyo", noon).state, "none");
});

/** A wayfinder of a venue without features, whose maps are made when a test says so: by `end` or `fail` of one of the `builds`. */
function heldWayfinder(context) {
    const builds = [];
    context.mock.method(WayfindingMap, "build", (features, { former }) => new Promise((resolve, reject) => {
        const map = new WayfindingMap(features);
        builds.push({ former, map, end: () => resolve(map), fail: () => reject(new Error("no memory")) });
    }));
    const reader = { state: { revision: 1, selection: "everything" }, features: () => [] };
    const live = { reader, about: {}, levels: [], featuresOf: () => [] };
    const wayfinder = new Wayfinder(live);
    /** Asks for a way, and waits until this many maps have been begun. */
    const ask = async (count) => {
        const answer = wayfinder.answer({ from: { feature: shop(0) }, to: { feature: shop(0, 5) }, profile: "walk" });
        await until(() => builds.length === count, `map ${count} is begun`);
        return { answer };
    };
    return { builds, live, reader, wayfinder, ask };
}

test("a map of former features does not replace the one of newer features", async (context) => {
    const { builds, reader, ask } = heldWayfinder(context);
    const older = await ask(1);
    reader.state.revision = 2;
    const newer = await ask(2);
    builds[1].end();
    await newer.answer;
    builds[0].end();
    await older.answer;
    reader.state.revision = 3;
    await ask(3);
    assert.equal(builds[2].former, builds[1].map);
});

test("closed directions keep no map, not even one that is made then", async (context) => {
    const { builds, wayfinder, ask } = heldWayfinder(context);
    const first = await ask(1);
    wayfinder.forget();
    builds[0].end();
    await first.answer;
    const second = await ask(2);
    assert.equal(builds[1].former, null);
    builds[1].end();
    await second.answer;
    wayfinder.forget();
    await ask(3);
    assert.equal(builds[2].former, null);
});

test("a map that could not be made is made again, unless there is a newer one", async (context) => {
    const { builds, reader, ask } = heldWayfinder(context);
    const failed = await ask(1);
    builds[0].fail();
    await assert.rejects(failed.answer, /no memory/);
    const older = await ask(2);
    reader.state.revision = 2;
    const newer = await ask(3);
    builds[2].end();
    await newer.answer;
    builds[1].fail();
    await assert.rejects(older.answer, /no memory/);
    await (await ask(3)).answer;
});

test("answers are those of a replica: what is not held may have a way, and the state of the opening hours is a part of them", async (context) => {
    const { builds, live, ask } = heldWayfinder(context);
    live.levels = [...Array.from({ length: 9 }, (_, index) => ({ level: `b${9 - index}`, isHeld: false })), { level: "a", isHeld: true }, { level: null, isHeld: false }];
    const asked = await ask(1);
    const reasons = [{ code: "stairs", feature: "s" }];
    const given = { alternative: { legs: [], profile: "walk" }, distance: 0, duration: 0, legs: [], reasons, status: "none" };
    builds[0].map.route = () => given;
    builds[0].end();
    const missing = Array.from({ length: 8 }, (_, index) => ({ code: "level-not-held", feature: `b${index + 1}` }));
    assert.deepEqual(await asked.answer, { ...given, hours: "none", reasons: [...reasons, ...missing], status: "unknown" });
    given.status = "route";
    assert.deepEqual(await (await ask(1)).answer, { ...given, hours: "none" });
    live.levels = [];
    given.status = "none";
    assert.deepEqual(await (await ask(1)).answer, { ...given, hours: "none" });
});
