// Opens the map page of a venue as the router does, over a `SyncServer`, for what depends on addresses, the history and the bar of the page.

import "./time.js";
import "./map-library.js";
import { setDark, setPhone } from "./media.js";
import { textOf } from "./page.js";
import { setMaxListeners } from "node:events";
import { adminKey, SyncServer } from "./sync-server.js";
import { setOnline, type } from "./browser.js";
import { MapStandIn } from "./map-library.js";
import { noon, settle, startClock, until } from "./time.js";

const web = "../../../Sources/WebConsole/Web";
// All listeners of a page end with one signal.
setMaxListeners(0);
const clipboard = { writeText: async () => { throw new Error("not permitted"); } };
const { localization } = await import(`${web}/localization/localization.js`);
const { session } = await import(`${web}/session.js`);
// What the router imports when it is needed: reading files takes time that is not that of the tests.
for (const name of [
    "map/map-page", "map/preview-page", "venues/venues-page", "desk/desk-page", "ui/qr/qr-picture", "map/finding-marks", "map/cut-off/cut-off-layer",
]) await import(`${web}/${name}.js`);

let isStarted = false;

/** Shows an address of the console, such as `#/mall?floor=1`, as after a click on a link. */
export async function go(hash) {
    const before = location.hash;
    let hasChanged = false;
    addEventListener("hashchange", () => { hasChanged = true; }, { once: true });
    location.hash = hash;
    if (!isStarted) {
        isStarted = true;
        await import(`${web}/app.js`);
    }
    await until(() => hasChanged || hash === before, "the address changes");
    await settle();
}

/**
 * A window with the map of a venue: `{server, map, venueMap}`. `server` is a `SyncServer` or its options, among them `routes`. A
 * `stranger` has no key. With `isLive: false`, the map is not waited for.
 */
export async function openMap(query = "", {
    server = {}, language = "en", isDark = false, isPhone = false, isStranger = false, isLive = true, now = noon,
} = {}) {
    const options = { ordinals: [-1, 0, 1], isPublic: isStranger, ...server };
    const syncServer = server instanceof SyncServer ? server : new SyncServer(options);
    await close();
    startClock(now);
    if (!isStranger) sessionStorage.setItem("venuesync.key", adminKey);
    Object.assign(localization, { language, initialLanguage: language });
    setDark(isDark);
    setPhone(isPhone);
    syncServer.requests.length = 0;
    await go(`#/mall${query}`);
    // Faster than by a selector, as is needed where one is looked for again and again.
    const live = document.getElementsByClassName("live-state live");
    if (isLive) await until(() => live.length > 0, "the map is live");
    return {
        server: syncServer,
        get map() { return MapStandIn.current; },
        get venueMap() { return $(".map-page").venueMap; },
    };
}

/** Leaves the page, which ends its timers and requests, and forgets what the browser has stored. */
export async function close() {
    sessionStorage.clear();
    localStorage.clear();
    window.navigator.clipboard = { ...clipboard };
    if (!navigator.onLine) setOnline(true);
    if (isStarted) {
        await go("#/");
        await until(() => !$(".page-map"), "the page is left");
    }
    document.getElementById("toasts").replaceChildren();
    for (const dialog of $$("dialog")) dialog.remove();
}

export const $ = (selector) => document.querySelector(selector);
export const $$ = (selector) => [...document.querySelectorAll(selector)];
export const texts = (selector) => $$(selector).map(textOf);
export const idsOf = (selector = ".place") => $$(selector).map(({ dataset }) => dataset.id);
export const listTitle = () => textOf($(".list-title"));
export const toasts = () => texts(".toast");
/** The name on the card; null if there is no card. */
export const card = () => $(".place-card h2")?.textContent ?? null;
export const floor = () => Number($(".floors [aria-current]")?.dataset.ordinal);

export async function click(target) {
    const element = typeof target === "string" ? $(target) : target;
    if (!element) throw new Error(`there is no ${target}`);
    element.focus();
    element.click();
    await settle();
}

/** Types a text into the search field. */
export async function search(text) {
    type($("#search"), text);
    await settle();
}

/** Chooses a floor, and waits until it is shown. */
export async function openFloor(ordinal) {
    await click(`.floors [data-ordinal="${ordinal}"]`);
    await until(() => floor() === ordinal, `floor ${ordinal}`);
    await settle();
}

/** Shows all pages of the list of places. */
export async function showWholeList() {
    for (let more; (more = $(".panel-body [data-id=more]"));) await click(more);
}

/** Chooses a place of the list by its id, and waits for its card. */
export async function openPlace(id) {
    if (!$(`.place[data-id="${id}"]`)) await showWholeList();
    await click(`.place[data-id="${id}"]`);
    await until(() => $(`.place-card[data-id="${id}"]`), `the card of ${id}`);
    await settle();
}

/** Taps the map at a place. */
export async function tap({ venueMap, map }, id) {
    const place = venueMap.places.find((each) => each.id === id);
    map.fire("click", { point: map.project(place.point) });
    await settle();
}

/** Goes back or forward in the history, until a condition holds. */
export async function travel(by, condition) {
    history.go(by);
    await until(condition);
    await settle();
}

/** What the server was asked for: the paths of requests that begin with one. */
export const asked = ({ requests }, start) => requests.map(({ path }) => path).filter((path) => path.startsWith(start));

export { localization, noon, session };
