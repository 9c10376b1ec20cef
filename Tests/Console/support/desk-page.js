// Opens pages of the console by their addresses, as a browser does: the router of `app.js` shows them.

import { only, textOf, window } from "./page.js";
import "./newer-built-ins.js";
import "./drawing.js";
import { setOnline } from "./browser.js";
import { startClock, until } from "./time.js";
import { serve } from "./server.js";

// Loaded before any page, so that none waits for files.
const web = new URL("../../../Sources/WebConsole/Web/", import.meta.url);
for (const name of [
    "overview", "calendar/calendar-page", "history/compare-page", "history/history-page", "history/restore-page", "manage/audit-page", "manage/keys-page",
    "manage/settings-page", "overrides/overrides-page", "reachability/reachability-page", "upload/new-venue-page", "upload/upload-page", "upload/uploads-page", "desk-page",
]) await import(new URL(`desk/${name}.js`, web));
await import(new URL("venues/venues-page.js", web));
const { localization } = await import(new URL("localization/localization.js", web));

startClock();
serve({});
await import(new URL("app.js", web));

/** The key of the pages that `open` shows. */
export const key = "vsk_test";

/**
 * Shows the page of an address, such as `#/mall/desk`, in a window where nothing has happened yet, and waits until it is loaded.
 * `signedIn` is the key, null for none.
 */
export async function open(address, { language = "en", signedIn = key, isLoaded = hasNoSpinner } = {}) {
    startClock();
    setOnline(true);
    window.localStorage.clear();
    window.sessionStorage.clear();
    if (signedIn) window.sessionStorage.setItem("venuesync.key", signedIn);
    for (const each of document.querySelectorAll("dialog, .toast")) each.remove();
    localization.language = document.documentElement.lang = language;
    return visit(address, isLoaded);
}

/** Goes to an address in the same window. */
export async function visit(address, isLoaded = hasNoSpinner) {
    const main = only("#main");
    // What was shown before must not be taken for the new page.
    main.replaceChildren();
    if (location.hash === address || `#/${location.hash}` === address) window.dispatchEvent(new window.HashChangeEvent("hashchange"));
    else location.hash = address;
    await until(() => main.hasChildNodes() && isLoaded(), `the page of ${address} is loaded`).catch((error) => {
        throw new Error(`${error.message}; it shows: ${textOf(main)}`);
    });
    return main;
}

export const hasNoSpinner = () => !document.querySelector("#main .spinner");

/** The button or link with an accessible name, which texts that are hidden from the eye only belong to. */
export function control(name, root = document) {
    const nameOf = (element) => element.getAttribute("aria-label") ?? textOf(element);
    const found = [...root.querySelectorAll("button, a, summary")].filter((element) => nameOf(element) === name);
    if (found.length !== 1) {
        const all = [...root.querySelectorAll("button, a, summary")].map(nameOf).join(" | ");
        throw new Error(`${found.length} elements are called “${name}”, not one; there are: ${all}`);
    }
    return found[0];
}

/** Enters a text into a field, as a user does. */
export function enter(selector, text, root = document) {
    const field = only(selector, root);
    field.value = text;
    for (const name of ["input", "change"]) field.dispatchEvent(new window.Event(name, { bubbles: true }));
    return field;
}

/** Checks or unchecks a checkbox, or checks a radio button. */
export const check = (selector, root = document) => only(selector, root).click();

/** The dialog that is open. */
export const dialog = () => only("dialog");
export const hasDialog = () => document.querySelector("dialog") !== null;

/** The toasts that are shown: `{kind, text}`. */
export const toasts = () => [...document.querySelectorAll(".toast")].map((element) => ({ kind: element.classList[1], text: plain(textOf(element)) }));

/** A text without the marks that isolate names in it. */
export const plain = (text) => text.replace(/[\u2066-\u2069]/g, "").replaceAll("\u202f", " ");
