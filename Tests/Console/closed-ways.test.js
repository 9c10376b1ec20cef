// Directions whose way is closed: by opening hours, of a unit or of a lift.

import { $, click, floor, openFloor, openMap, texts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { withDoors } from "./support/doors.js";
import { at, id, shop } from "./support/sample-venue.js";
import { settle, until } from "./support/time.js";

await import("../../Sources/WebConsole/Web/map/directions/directions.js");

const [start, goal, upstairs] = [shop(0), shop(0, 5), shop(1, 5)];
const status = () => $(".directions-status")?.textContent ?? null;
const steps = () => texts(".directions-legs button");

async function openRoute(query, options = {}, doors = {}) {
    const page = await openMap(query, { server: { edit: withDoors(doors) }, ...options });
    await until(() => $(".directions-answer") && !$(".directions-wait"), "there is an answer");
    await settle();
    return page;
}

test("what is closed is named, with the time at which it opens", async () => {
    const unit = id("unit 0 room 5");
    await openRoute(`?floor=0&from=${start}&to=${goal}`, {}, { hours: { [unit]: "Mo-Fr 15:00-18:00" } });
    assert.equal(status(), "There is a way, but it is closed now.");
    assert.match(texts(".directions-reasons li").join(), /is closed until 15:00\.$/);
    assert.deepEqual(steps(), []);
});

const lift = id("lift of all floors");
/** With the stairs closed for a step-free way, a lift of three floors that is closed, as an amenity or as a relationship. */
const withClosedLift = (isRelationship) => (entries) => {
    const stops = ["-1", "0", "1"].map((ordinal) => ({ id: id(`unit ${ordinal} elevator`), feature_type: "unit" }));
    const hours = "Mo-Fr 15:00-18:00";
    const feature = isRelationship ? {
        feature_type: "relationship", geometry: null,
        properties: { category: "elevator", direction: "undirected", hours, origin: stops[0], intermediary: [stops[1]], destination: stops[2] },
    } : {
        feature_type: "amenity", geometry: { type: "Point", coordinates: at(18.75, 48) },
        properties: {
            accessibility: null, address_id: null, alt_name: null, category: "elevator", correlation_id: null, hours, name: null, phone: null,
            unit_ids: stops.map((stop) => stop.id), website: null,
        },
    };
    return [...withDoors()(entries), { level: null, feature: { id: lift, type: "Feature", ...feature } }];
};

for (const [language, sentence] of [["en", "Lift (B1 – 2F) is closed until 15:00."], ["ja", "エレベーター（B1〜2F）は15:00まで閉まっています。"]]) {
    for (const isRelationship of [false, true]) {
        test(`a closed lift is named with its floors, and shown: ${isRelationship ? "relationship" : "amenity"}, ${language}`, async () => {
            const page = await openRoute(`?from=${start}&to=${upstairs}&profile=step-free`, { language, server: { edit: withClosedLift(isRelationship) } });
            assert.deepEqual(texts(".directions-reasons li"), [sentence]);
            await openFloor(1);
            await click(".directions-reasons button");
            assert.equal(floor(), 1);
            assert.ok(page.map.camera.zoom >= 19.5);
        });
    }
}

for (const [language, sentence, heading] of [
    ["en", "There is a step-free way, but it is closed now.", "A way on foot, not step-free"],
    ["ja", "段差のない経路はありますが、現在は通れません。", "徒歩の経路（段差あり）"],
]) {
    test(`while the step-free way is closed, the one over stairs is shown and named as such: ${language}`, async () => {
        const page = await openRoute(`?from=${start}&to=${upstairs}&profile=step-free`, { language, server: { edit: withClosedLift(true) } });
        assert.equal(status(), sentence);
        assert.equal(texts(".directions-reasons li").length, 1);
        assert.equal($(".directions-alternative").textContent, heading);
        assert.equal(steps().length, 3);
        assert.match(steps()[1], language === "ja" ? /^階段で/ : /^Take the stairs/);
        assert.doesNotMatch($(".directions-answer").textContent, /Without stairs/);
        assert.ok(page.map.getLayer("route/current/line").paint["line-dasharray"]);
    });
}
