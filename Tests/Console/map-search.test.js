// Search on the map page of a venue whose floors are all loaded for it.

import { $, $$, card, click, floor, idsOf, listTitle, openFloor, openMap, openPlace, search, showWholeList, texts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { press } from "./support/browser.js";
import { set } from "./support/edit-entries.js";
import { nameOfShop, shop } from "./support/sample-venue.js";
import { only, textOf } from "./support/page.js";
import { pass, setTime, settle, until } from "./support/time.js";

const marked = () => $$(".floors [data-found]").map(({ dataset }) => [Number(dataset.ordinal), Number(dataset.found)]);
/** Submits the search, as the Enter key does. */
const submit = async () => {
    $("#search").form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    await settle();
};

test("search folds hiragana and katakana, and says so if it finds nothing", async () => {
    const { venueMap } = await openMap();
    const kana = venueMap.places.find(({ id }) => id === shop(0)).feature.properties.name.ja.slice(0, 4);
    assert.equal(kana, "あおさぎ");
    for (const typed of [kana, "アオサギ"]) {
        await search(typed);
        assert.match(listTitle(), /^[1-9]\d* found$/);
        assert.ok(idsOf().includes(shop(0)), typed);
    }
    await search("qqqqqq");
    assert.ok($(".panel-body .empty"));
    assert.equal($(".place"), null);
});

test("search finds places on other floors, and shows them there", async () => {
    await openMap();
    await search(nameOfShop(1));
    await click(`.place[data-id="${shop(1)}"]`);
    await until(() => floor() === 1);
    assert.equal(card(), nameOfShop(1));
});

test("search groups what it finds by floor, marks the floors, and announces what is elsewhere", async () => {
    await openMap();
    await search(nameOfShop(1));
    await until(() => $(".places-floor"));
    assert.equal($(".search-elsewhere").textContent, "Nothing on Floor 1. On other floors:");
    assert.deepEqual(texts(".places-floor"), ["Floor 2"]);
    // Texts without elements isolate names by characters.
    await pass(100);
    assert.match($("#live-region").textContent, /Nothing on \u2068Floor 1\u2069/);
    assert.deepEqual(marked(), [[1, 1]]);
    assert.match($(".floors [data-found]").getAttribute("aria-label"), /1 found/);
    await submit();
    document.activeElement.click();
    await until(() => floor() === 1);
    assert.equal(card(), nameOfShop(1));
    // What all floors have is listed by floors, the one that is shown first.
    await openFloor(0);
    await search("restroom");
    assert.deepEqual(texts(".places-floor"), ["Floor 1", "Floor 2", "Basement 1"]);
    assert.equal($(".search-elsewhere"), null);
    assert.deepEqual(marked(), [[1, 2], [0, 2], [-1, 2]]);
    const ids = idsOf();
    $(".place").focus();
    for (const expected of ids) {
        assert.equal(document.activeElement.dataset.id, expected, "the arrow keys pass from one floor to the next");
        press("ArrowDown");
    }
    await search("");
    assert.deepEqual(marked(), []);
    assert.deepEqual(texts(".places-floor"), []);
});

test("search knows synonyms and forgives a mistake", async () => {
    const names = [["boardinggate", { en: "5" }], ["coffee", { en: "Starbucks" }], ["restaurant", { ja: "寿司処", en: "Midori" }]];
    const renamed = (_, index) => (names[index] ? { category: names[index][0], name: names[index][1] } : {});
    await openMap("", { server: { edit: set("occupant", renamed) } });
    for (const [typed, expected] of [["toilet", "restroom"], ["トイレ", "restroom"], ["gate 5", "5"], ["starbuks", "Starbucks"], ["すし", "Midori"]]) {
        await search(typed);
        assert.ok(texts(".place-name").some((name) => name.includes(expected)), `${typed}: ${texts(".place-name")}`);
    }
    await search("toilet");
    assert.match(listTitle(), /found/);
    assert.deepEqual(new Set($$(".place .swatch").map(({ classList }) => classList[1])), new Set(["restroom"]));
});

test("similar spellings are called so, and found only if nothing else is", async () => {
    await openMap("", { server: { edit: set("occupant", (_, index) => ({ name: { en: index === 0 ? "Starbucks" : "Other" }, category: "shoes" })) } });
    await search("starbuks");
    assert.match(listTitle(), /similar spelling/);
    assert.deepEqual(new Set(texts(".place-name")), new Set(["Starbucks"]));
    await search("starbucks");
    assert.doesNotMatch(listTitle(), /similar/);
});

test("food and its words find what one can eat, and never leather goods", async () => {
    const categories = ["leathergoods", "sushi", "italian", "shoes"];
    await openMap("", { server: { edit: set("occupant", (_, index) => ({ name: { en: `Shop ${index}` }, category: categories[index % 4] })) } });
    for (const text of ["food", "eat", "restaurant", "レストラン"]) {
        await search(text);
        await showWholeList();
        const kinds = new Set(texts(".place-sub").map((each) => each.replace(/(Open|Opens|Closed).*/, "")));
        assert.deepEqual(kinds, new Set(["Sushi", "Italian food"]), text);
    }
});

test("a floor is found by its name, and by its number with a word for floors", async () => {
    await openMap("", { server: { ordinals: [-1, 0, 1] } });
    for (const [text, ordinal] of [["2F", 1], ["L2", 1], ["floor 2", 1], ["B1", -1], ["1階", 0]]) {
        await search(text);
        const found = $$("[data-id^='floor:']").map(({ dataset }) => dataset.id);
        assert.deepEqual(found, [`floor:${ordinal}`], text);
    }
    await search("L2");
    await click("[data-id='floor:1']");
    await until(() => floor() === 1);
    await search("22");
    assert.equal($("[data-id^='floor:']"), null);
});

test("food, shops and services are browsed in the whole venue by a touch", async () => {
    const renamed = (_, index) => ({ category: ["restaurant", "bookstore", "bank", "atm"][index % 4] });
    const { server } = await openMap("", { server: { edit: set("occupant", renamed) } });
    assert.deepEqual(texts(".chip").slice(2, 6), ["Restrooms", "Food and drink", "Shops", "Services"]);
    for (const [group, name] of [["food", "Restaurant"], ["shop", "Books"], ["service", "Bank"]]) {
        await click(`[data-chip=${group}]`);
        await until(() => texts(".places-floor").length === 3, "all floors are loaded");
        await showWholeList();
        assert.equal($(`[data-chip=${group}]`).getAttribute("aria-pressed"), "true");
        assert.match(listTitle(), /^[1-9]\d* found$/);
        assert.ok(idsOf().length > 2);
        assert.deepEqual(new Set(texts(".place-sub").map((text) => text.replace(/(Open|Closed).*/, ""))), new Set([name]));
        assert.equal(new URLSearchParams(location.hash.split("?")[1]).get("filter"), group);
    }
    await openMap("?filter=food", { server });
    await until(() => texts(".places-floor").length === 3, "all floors are loaded for an address, too");
    await click("#bar .language");
    assert.deepEqual(texts(".chip").slice(3, 6), ["飲食", "ショップ", "サービス"]);
});

test("nothing is browsed whose category is not known or which is a facility", async () => {
    await openMap("", { server: { edit: set("occupant", () => ({ category: null })) } });
    assert.deepEqual(["food", "shop", "service"].filter((group) => $(`[data-chip=${group}]`)), []);
    assert.ok($("[data-chip=restroom]"));
});

test("a filter of the address that nothing is found with is offered, so that it can be switched off", async () => {
    await openMap("?filter=service", { server: { edit: set("occupant", () => ({ category: null })) } });
    assert.equal($("[data-chip=service]").getAttribute("aria-pressed"), "true");
    await click("[data-chip=service]");
    assert.equal($("[data-chip=service]"), null);
});

test("a new search is not limited by the filter of the previous one, and one that goes on is", async () => {
    await openMap();
    const isPressed = () => $("[data-chip=restroom]").getAttribute("aria-pressed");
    await click("[data-chip=restroom]");
    await search(nameOfShop(0));
    assert.deepEqual([isPressed(), idsOf()], ["false", [shop(0)]]);
    await click("[data-chip=restroom]");
    assert.deepEqual([isPressed(), idsOf()], ["true", []]);
    await search("restroom");
    assert.deepEqual([isPressed(), listTitle()], ["true", "6 found"]);
});

test("the arrow down leads from the search to the list, and Escape ends the search and the filter", async () => {
    await openMap();
    await search(nameOfShop(0));
    $("#search").focus();
    press("ArrowDown");
    assert.equal(document.activeElement.dataset.id, shop(0));
    $("#search").focus();
    press("Escape");
    assert.deepEqual([$("#search").value, document.activeElement.id], ["", "search"]);
    assert.match(listTitle(), /places/);
    await click("[data-chip=restroom]");
    $("#search").focus();
    press("Escape");
    assert.equal($("[data-chip=restroom]").getAttribute("aria-pressed"), "false");
});

test("the filters are one stop of the Tab key, with the arrow keys between them", async () => {
    await openMap();
    // The button of the list is another one, and hidden in wide windows.
    const filter = ".chip:not([data-chip=list])[tabindex='0']";
    const stops = () => $$(filter).map(({ dataset }) => dataset.chip);
    assert.ok($$(".chip").length > 4);
    assert.equal(stops().length, 1);
    assert.equal($("[data-chip=list]").getAttribute("tabindex"), "0");
    $(filter).focus();
    const first = document.activeElement.dataset.chip;
    press("ArrowRight");
    const second = document.activeElement.dataset.chip;
    assert.notEqual(second, first);
    assert.deepEqual(stops(), [second]);
    press("End");
    assert.deepEqual(stops(), [$$(".chip").at(-1).dataset.chip]);
    await click("[data-chip=restroom]");
    $("[data-chip=open]").blur();
    await settle();
    assert.deepEqual(stops(), ["restroom"], "what is chosen is the stop");
});

test("a search closes the card, and clearing it leaves no place in the address", async () => {
    await openMap();
    await openPlace(shop(0));
    assert.match(location.hash, /place=/);
    await search(nameOfShop(0));
    assert.equal(card(), null);
    assert.match(listTitle(), /found/);
    await search("");
    assert.doesNotMatch(location.hash, /place=/);
});

test("opening states are those of the time zone of the venue, and the filter finds what is open", async () => {
    await openMap("", { now: Date.parse("2026-06-10T18:00:00Z") }); // 03:00 in Tokyo.
    await showWholeList();
    assert.match(texts(".state-text.closed")[0], /opens at/i);
    assert.deepEqual(texts(".state-text.open"), []);
    setTime(Date.parse("2026-06-11T04:00:00Z")); // 13:00 in Tokyo.
    await click("[data-chip=open]");
    assert.match(texts(".state-text.open")[0], /Open until/);
    assert.deepEqual(texts(".state-text.closed"), []);
});

test("opening states are unknown without a time zone, and the filter says why", async () => {
    await openMap("", { server: { about: { country: null, language: "en", time_zone: null } } });
    assert.match(texts(".state-text.unknown")[0], /no time zone/);
    assert.deepEqual(texts(".state-text.open, .state-text.closed"), []);
    await click("[data-chip=open]");
    assert.equal(textOf(only(".panel-body .empty")), "The map cannot tell what is open now, because the venue has no time zone.");
    assert.equal(listTitle(), "Open now");
});
