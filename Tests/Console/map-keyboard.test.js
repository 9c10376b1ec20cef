// The keyboard on the screen of a kiosk, for the search field.

import { $, $$, card, click, floor, idsOf, localization, openFloor, openMap, texts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, nameOfShop } from "./support/sample-venue.js";
import { pass, settle, until } from "./support/time.js";

await import("../../Sources/WebConsole/Web/map/screen-keyboard.js");
const keyboard = () => $(".screen-keyboard");
const field = () => $("#search");
const key = (name) => $(`.keyboard-key[data-key="${name}"]`);

/** Presses a key as a finger does: the browser would move the focus when the button of the mouse goes down. */
function press(...names) {
    for (const name of names) {
        const down = new MouseEvent("mousedown", { bubbles: true, cancelable: true });
        if (key(name).dispatchEvent(down)) key(name).focus();
        key(name).click();
    }
}

async function openKeyboard(options = {}, query = "") {
    const page = await openMap(`?kiosk&at=${at(10, 30)}&floor=0${query}`, options);
    assert.equal(keyboard(), null);
    field().focus();
    await until(keyboard, "the keyboard");
    return page;
}

test("a kiosk shows a keyboard while its search has the focus, and other maps show none", async () => {
    await openKeyboard();
    assert.deepEqual([keyboard().getAttribute("role"), keyboard().getAttribute("aria-label")], ["group", "Keyboard"]);
    assert.deepEqual(["backspace", "switch", "enter"].map((name) => key(name).getAttribute("aria-label")), ["Backspace", "Kana", "Search"]);
    assert.equal(field().inputMode, "none");
    assert.equal($$(".keyboard-key").filter(({ tabIndex }) => tabIndex !== -1).length, 0);
    $(".chip").focus();
    await settle();
    assert.equal(keyboard(), null);
    await openMap("");
    field().focus();
    await settle();
    assert.equal(keyboard(), null);
});

test("keys type into the search, which keeps the focus and lists what is found", async () => {
    await openKeyboard();
    press("p", "a", "b", "backspace", "p", "e", "r", "space", "l");
    await settle();
    assert.deepEqual([field().value, document.activeElement], ["paper l", field()]);
    assert.ok(texts(".place-name").length > 0);
    assert.ok(texts(".place-name").every((name) => name.startsWith("Paper Lantern Books")));
    field().setSelectionRange(0, 6);
    press("x", "backspace", "1");
    assert.deepEqual([field().value, field().selectionStart], ["1l", 1]);
});

test("kana are typed with dakuten, handakuten and small kana, which can be taken back", async () => {
    await openKeyboard({ language: "ja" });
    for (const [keys, text] of [
        ["か゛", "が"], ["は゛゜", "ぱ"], ["は゜゜", "は"], ["か゛゛", "か"], ["あ゛", "あ"], ["あ゜", "あ"], ["つ小", "っ"], ["や小小", "や"], ["か小", "か"], ["う゛", "ゔ"],
        ["きや小゛", "きゃ"], ["゛", ""], ["す゛し", "ずし"],
    ]) {
        press(...keys);
        assert.equal(field().value, text, keys);
        while (field().value !== "") press("backspace");
    }
    press(..."あおさき゛");
    assert.equal(field().value, "あおさぎ");
    await settle();
    assert.ok(texts(".place-name").some((name) => name.startsWith("あおさぎ珈琲")));
});

test("the keyboard begins with the letters of the language, and switches between letters and kana", async () => {
    await openKeyboard({ language: "ja" });
    assert.deepEqual([key("あ") !== null, key("a"), key("switch").getAttribute("aria-label")], [true, null, "英数字"]);
    press("switch");
    assert.deepEqual([key("あ"), key("a") !== null, document.activeElement], [null, true, field()]);
    press("a");
    assert.equal(field().value, "a");
    localization.setLanguage("en", { isRemembered: false });
    await settle();
    assert.equal(keyboard(), null);
    field().focus();
    await until(keyboard, "the keyboard");
    assert.notEqual(key("a"), null);
});

test("Enter hides the keyboard and focuses the first result, and a touch of the field shows it again", async () => {
    await openKeyboard();
    press("p", "a", "p", "e", "r", "enter");
    await settle();
    assert.equal(keyboard(), null);
    assert.equal(document.activeElement, $(".place"));
    await click("#search");
    await until(keyboard, "the keyboard");
    press("q", "q", "q", "q", "enter");
    await settle();
    assert.deepEqual([idsOf(), keyboard(), document.activeElement], [[], null, field()]);
    await click("#search");
    await until(keyboard, "the keyboard");
});

test("what a finger is on does not move before the click: the keyboard is hidden afterwards", async () => {
    await openKeyboard();
    press("p", "a", "p", "e", "r");
    await settle();
    const place = $(".place");
    place.dispatchEvent(new PointerEvent("pointerdown"));
    place.focus();
    await settle();
    assert.ok(keyboard());
    place.dispatchEvent(new PointerEvent("pointerup"));
    place.click();
    await until(() => card()?.startsWith("Paper Lantern Books"), "the card");
    await settle();
    assert.equal(keyboard(), null);
});

test("a kiosk that nobody uses hides its keyboard", async () => {
    await openKeyboard({}, "&idle=30");
    dispatchEvent(new Event("pointerdown"));
    dispatchEvent(new Event("pointerup"));
    await openFloor(1);
    field().focus();
    await until(keyboard, "the keyboard");
    press("p");
    await pass(32_000);
    assert.deepEqual([keyboard(), field().value, floor(), document.activeElement === field()], [null, "", 0, false]);
    assert.ok(texts(".place-name").includes(nameOfShop(0)));
});
