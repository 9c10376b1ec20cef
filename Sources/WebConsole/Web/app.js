// The console: which page an address shows. Addresses are what stands behind `#`, so that a page is never asked of the server:
//   #/                    the venues           venues/venues-page.js
//   #/{venue}             the map              map/map-page.js
//   #/{venue}/desk/…      the operator's desk  desk/desk-page.js
//   #/~/…                 what belongs to no single venue, keys for instance; the desk's too ("~" is in no venue's key)
// A page is a module with `show(stage, address)`. It may return `{retranslate()}`; without it, it is shown anew when the language
// changes. `stage.signal` is aborted when the page is left.

import { showBar } from "./ui/bar.js";
import { errorState, loadingState } from "./ui/states.js";
import { word, words } from "./words/words.js";
import { session } from "./session.js";

const main = document.getElementById("main");
const pages = {
    venues: () => import("./venues/venues-page.js"),
    map: () => import("./map/map-page.js"),
    desk: () => import("./desk/desk-page.js"),
};
let leaving = new AbortController();
let page = null;

/** What an address names: `{page, venue, path, query}`. */
export function read(hash) {
    const [path, query] = hash.replace(/^#\/?/, "").split("?");
    const parts = path.split("/").filter(Boolean).map(decoded);
    const rest = { query: new URLSearchParams(query ?? "") };
    if (parts.length === 0) return { page: "venues", venue: null, path: [], ...rest };
    if (parts[0] === "~") return { page: "desk", venue: null, path: parts.slice(1), ...rest };
    if (parts[1] === "desk") return { page: "desk", venue: parts[0], path: parts.slice(2), ...rest };
    return { page: "map", venue: parts[0], path: parts.slice(1), ...rest };
}

/** What was cut short by whoever handed the address on stays as it is, and leads nowhere. */
function decoded(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

async function turn() {
    leaving.abort();
    leaving = new AbortController();
    const { signal } = leaving;
    const address = read(location.hash);
    const stage = { root: main, signal, title };
    showBar(address);
    page = null;
    main.className = `page-${address.page}`;
    main.replaceChildren(loadingState());
    try {
        const module = await pages[address.page]();
        if (signal.aborted) return;
        const shown = await module.show(stage, address);
        if (!signal.aborted) page = shown ?? null;
    } catch (error) {
        if (!signal.aborted) main.replaceChildren(errorState(error, { retry: turn }));
    }
}

function title(text) {
    document.title = text ? `${text} · VenueSync` : "VenueSync";
}

function translate() {
    document.documentElement.lang = words.language;
    document.getElementById("skip").textContent = word("app.skip");
    showBar(read(location.hash));
    if (page?.retranslate) page.retranslate();
    else turn();
}

document.getElementById("skip").addEventListener("click", () => main.focus());
words.addEventListener("change", translate);
session.addEventListener("change", turn);
window.addEventListener("hashchange", () => {
    turn();
    main.focus({ preventScroll: true });
});
document.documentElement.lang = words.language;
document.getElementById("skip").textContent = word("app.skip");
turn();
