// Shows the map page of the venue of `SyncServer`, without drawing it.

import "./time.js";
import "./map-library.js";
import { setMaxListeners } from "node:events";
import { after, afterEach } from "node:test";
import { startClock, until } from "./time.js";
import { setOnline } from "./browser.js";
import { adminKey } from "./sync-server.js";

const web = "../../../Sources/WebConsole/Web";
const { show } = await import(`${web}/map/map-page.js`);
const { session } = await import(`${web}/session.js`);
const { localization } = await import(`${web}/localization/localization.js`);
// What pages load when it is needed: reading files takes time that is not that of the tests.
for (const name of ["card-section", "closing", "hiding", "moving", "add-shop", "shop-hours"]) await import(`${web}/map/editing/${name}.js`);
await import(`${web}/map/finding-marks.js`);

const main = document.getElementById("main");
let leaving = null;

/** Leaves the page, and forgets what the browser has stored. */
export function leave() {
    leaving?.abort();
    leaving = null;
    sessionStorage.clear();
    localStorage.clear();
    main.replaceChildren();
    document.getElementById("toasts").replaceChildren();
    if (!navigator.onLine) setOnline(true);
    localization.language = "en";
}
afterEach(() => {
    leave();
    startClock();
});
after(leave);

/** Opens the map as the router does: `query` is that of the address. Resolves when the page is shown, which may be without a map. */
export async function openMap({ key = adminKey, query = "", language = "en" } = {}) {
    leaving?.abort();
    if (key) sessionStorage.setItem("venuesync.key", key);
    localization.language = language;
    document.documentElement.lang = language;
    history.replaceState(null, "", `#/mall${query}`);
    leaving = new AbortController();
    setMaxListeners(0, leaving.signal);
    const context = { root: main, signal: leaving.signal, setTitle() {} };
    return show(context, { venue: "mall", path: [], query: new URLSearchParams(query.slice(1)) });
}

/** The map, connected for changes. */
export async function openLiveMap(options) {
    const page = await openMap(options);
    await isState("live");
    return page;
}

export const state = () => document.querySelector(".live-state");

/** Waits for a state of the connection, and perhaps a revision. */
export const isState = (name, revision) => until(() => {
    const element = state();
    return element?.classList.contains(name) && (revision === undefined || element.dataset.revision === String(revision));
}, `${name}, revision ${revision}`);

export const placeNames = () => [...document.querySelectorAll(".place-name")].map((element) => element.textContent);

export { session };
