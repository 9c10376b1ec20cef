// Directions whose answer is not known: a floor is not loaded, or opening hours cannot be evaluated.

import { $, go, openMap, texts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setOnline } from "./support/browser.js";
import { withDoors } from "./support/doors.js";
import { at, id, shop } from "./support/sample-venue.js";
import { until } from "./support/time.js";

await import("../../Sources/WebConsole/Web/map/directions/directions.js");

const [start, goal, upstairs] = [shop(0), shop(0, 5), shop(1, 5)];
const status = () => $(".directions-status")?.textContent ?? null;
const answered = () => until(() => $(".directions-answer") && !$(".directions-wait"), "there is an answer");

for (const [language, sentence] of [
    ["en", "It is unknown whether there is a way, because not all floors are loaded."],
    ["ja", "読み込まれていないフロアがあるため、経路があるかどうか不明です。"],
]) {
    test(`offline, a way to a floor that is not loaded is unknown, and nothing is said to be missing in the map: ${language}`, async () => {
        const { server } = await openMap("?floor=0", { language, server: { edit: withDoors() } });
        server.isReachable = false;
        setOnline(false);
        for (const query of [`from=${start}&to=${upstairs}`, `from=${start}&to=${at(60, 30)},1&profile=step-free`]) {
            await go(`#/mall?floor=0&${query}`);
            await answered();
            await until(() => status(), "a status");
            assert.equal(status(), sentence);
            assert.deepEqual([texts(".directions-reasons li"), $("#directions-reasons"), texts(".directions-legs button")], [[], null, []]);
        }
        setOnline(true);
    });
}

test("offline, it is not known that there is no step-free way while a floor is not loaded", async () => {
    const narrow = (entries) => withDoors()(entries).map((entry) => {
        if (entry.feature.id !== id(`door ${id("unit 0 room 5")}`)) return entry;
        const [[west, y], [east]] = entry.feature.geometry.coordinates;
        const coordinates = [[west, y], [west + 0.4 * (east - west), y]];
        return { ...entry, feature: { ...entry.feature, geometry: { type: "LineString", coordinates } } };
    });
    const { server } = await openMap("?floor=0", { server: { edit: narrow } });
    server.isReachable = false;
    setOnline(false);
    await go(`#/mall?floor=0&from=${start}&to=${goal}&profile=step-free`);
    await until(() => status(), "a status");
    assert.equal(status(), "It is unknown whether there is a way, because not all floors are loaded.");
    assert.match(texts(".directions-reasons li").join(), /narrower than 80 cm/);
    assert.equal($("#directions-reasons").textContent, "What is in the way");
    assert.equal($(".directions-alternative").textContent, "A way on foot, not step-free");
    setOnline(true);
});

for (const [language, sentence] of [
    ["en", "Not all opening hours could be checked. A part of the way may be closed."],
    ["ja", "確認できない営業時間があります。経路の一部が閉まっている可能性があります。"],
]) {
    test(`without a time zone, a way says that opening hours are not known: ${language}`, async () => {
        const unit = id("unit 0 room 5");
        const hours = { hours: { [unit]: "Mo-Fr 15:00-18:00" } };
        const about = { country: "JP", language: "en", time_zone: null };
        await openMap(`?floor=0&from=${start}&to=${goal}`, { language, server: { edit: withDoors(hours), about } });
        await answered();
        assert.ok($(".directions-sum"));
        assert.deepEqual(texts(".directions-problem"), [sentence]);
        await openMap(`?floor=0&from=${start}&to=${shop(0, 2)}`, { language, server: { edit: withDoors({ hours: { [unit]: "24/7" } }) } });
        await answered();
        assert.deepEqual(texts(".directions-problem"), []);
    });
}
