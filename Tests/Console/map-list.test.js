// The list of places: it begins with some of them, and continues. What the mouse wheel and the Tab key do is tested in a browser.

import { $, $$, card, click, idsOf, openMap, openPlace, tap, texts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { press } from "./support/browser.js";
import { settle } from "./support/time.js";

/** The observers of the ends of elements, newest last: the browser reports what comes into view, and jsdom has no layout. */
const observers = [];
window.IntersectionObserver = globalThis.IntersectionObserver = class {
    constructor(act, options) {
        Object.assign(this, { act, options });
        observers.push(this);
    }

    observe(element) {
        this.element = element;
    }

    disconnect() {
        this.element = null;
    }
};

/** Reports whether the end of the list is in view: several times in one call on a busy page, the newest last. */
async function report(...values) {
    const { act, element } = observers.at(-1);
    act(values.map((isIntersecting) => ({ target: element, isIntersecting })));
    await settle();
}

const more = () => $(".panel-body [data-id=more]");
const focused = () => document.activeElement.dataset.id;

test("the list begins with some places, says how many there are more, and continues when its end comes into view", async () => {
    const { venueMap: { places } } = await openMap();
    const first = idsOf();
    assert.equal(first.length, 24);
    assert.equal(more().textContent, `Show more (${places.length - first.length})`);
    await report(false);
    assert.deepEqual(idsOf(), first);
    await report(true);
    assert.equal(more(), null);
    assert.deepEqual(idsOf().slice(0, first.length), first);
    assert.deepEqual(new Set(idsOf()), new Set(places.map(({ id }) => id)));
    assert.equal(idsOf().length, places.length);
    assert.equal(observers.at(-1).options.root, $(".panel-body"));
});

test("the list of a busy page continues although the report before said that its end is out of view", async () => {
    const { venueMap: { places } } = await openMap();
    await report(true, false);
    assert.ok(more());
    await report(false, true);
    assert.equal(idsOf().length, places.length);
});

test("the end key leads to the last place of a list that continues", async () => {
    const { venueMap: { places } } = await openMap();
    $(".place").focus();
    press("End");
    await settle();
    assert.equal($$(".place").indexOf(document.activeElement), places.length - 1);
});

test("arrow keys, home and end move within the list, which is one stop of the Tab key", async () => {
    await openMap();
    const all = idsOf();
    const stops = () => $$(".place[tabindex='0']").map(({ dataset }) => dataset.id);
    assert.deepEqual(stops(), [all[0]]);
    $(".place").focus();
    press("ArrowDown");
    assert.equal(focused(), all[1]);
    assert.deepEqual(stops(), [all[1]]);
    press("ArrowUp");
    press("ArrowUp");
    assert.equal(focused(), all[0]);
    press("End");
    await settle();
    press("Home");
    assert.equal(focused(), all[0]);
});

test("a list that continues keeps the focus, and the arrow key goes on", async () => {
    await openMap();
    const first = idsOf();
    $(`.place[data-id="${first.at(-1)}"]`).focus();
    await report(true);
    assert.equal(focused(), first.at(-1));
    press("ArrowDown");
    assert.equal($$(".place").indexOf(document.activeElement), first.length);
});

test("the focus on the button at the end of the list stays in the list", async () => {
    await openMap();
    const { length } = idsOf();
    more().focus();
    await report(true);
    assert.equal($$(".place").indexOf(document.activeElement), length);
});

test("the focus returns from a card to a place further down in the list", async () => {
    const page = await openMap();
    const first = idsOf();
    const place = page.venueMap.labels.map((label) => label.place).find(({ id, kind }) => kind === "shop" && !first.includes(id));
    await tap(page, place.id);
    assert.equal(card(), place.name);
    await click(".place-card .back");
    assert.equal(focused(), place.id);
});

test("a card opens from the list and from the map, with a week of hours, and takes the focus from the list", async () => {
    const page = await openMap();
    const [name] = texts(".place-name");
    await openPlace(idsOf()[0]);
    assert.deepEqual([card(), texts(".place-card .week tr"), document.activeElement.id], [name, ["Daily10:00–21:00"], "place-name"]);
    await click(".place-card .back");
    assert.ok($(".list-title"));
    await tap(page, idsOf()[0]);
    assert.equal(card(), name);
    page.map.fire("click", { point: { x: -10_000, y: -10_000 } });
    assert.equal(card(), null, "a tap beside all places closes the card");
});

test("escape closes a card", async () => {
    await openMap();
    const [id] = idsOf();
    await openPlace(id);
    press("Escape");
    await settle();
    assert.deepEqual([card(), focused()], [null, id]);
});

test("the floor picker works by arrow keys, and keeps the focus on the floor that is shown", async () => {
    await openMap();
    $(".floors [aria-current]").focus();
    press("ArrowUp");
    assert.equal(document.activeElement.dataset.ordinal, "1");
    await click(document.activeElement);
    await settle();
    assert.equal(document.activeElement, $(".floors [aria-current][data-ordinal='1']"));
});

test("the page has landmarks, and every control has an accessible name, in both languages", async () => {
    for (const [language, floors] of [["en", "Floors"], ["ja", "フロア"]]) {
        await openMap("", { language });
        await openPlace(idsOf()[0]);
        assert.equal($$("main").length + $$("header").length, 2);
        assert.equal($("nav.floors").getAttribute("aria-label"), floors);
        assert.ok($("form[role=search]") && $("h1").textContent);
        const isNameless = (each) => !each.textContent.trim() && !each.getAttribute("aria-label") && !each.labels?.length;
        const nameless = $$("button, a, input, summary").filter(isNameless);
        assert.deepEqual(nameless.map((each) => each.outerHTML), []);
    }
});
