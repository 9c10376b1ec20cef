// The router. Routes are URL fragments, so navigation never sends a request for a page to the server:
//   #/                    the list of venues    venues/venues-page.js
//   #/{venue}             the map               map/map-page.js
//   #/{venue}/{id}        the map with a place, whose id is shortened: a shared link
//   #/{venue}/preview/{id}?token=…  a first upload, before it is published  map/preview-page.js
//   #/{venue}/desk/…      the operator's pages  desk/desk-page.js
//   #/~/…                 operator's pages that belong to no single venue, such as keys ("~" is not allowed in venue keys)
// A page is a module that exports `show(context, route)`. `context` is `{root, signal, setTitle}`; `signal` is aborted when the user
// leaves the page. `show` may return `{retranslate()}`; otherwise the page is shown again when the language changes.

import { showBar } from "./ui/bar.js";
import { errorState, loadingState } from "./ui/states.js";
import { localization, localized } from "./localization/localization.js";
import { idOfShort } from "./map/short-id.js";
import { lazyModule } from "./lazy-module.js";
import { session } from "./session.js";
import { embeddedVenue } from "./map/map-mode.js";
import { venueOfPage } from "./map/page-origins.js";
import { startOffline } from "./offline.js";

const main = document.getElementById("main");
const pages = {
    venues: () => import("./venues/venues-page.js"),
    map: () => import("./map/map-page.js"),
    preview: () => import("./map/preview-page.js"),
    desk: () => import("./desk/desk-page.js"),
};
let navigation = new AbortController();
let currentPage = null;

/** The route of a URL fragment: `{page, venue, path, query}`. */
function parseRoute(hash) {
    const [path, query] = hash.replace(/^#\/?/, "").split("?");
    const parts = path.split("/").filter(Boolean).map(decode);
    const rest = { query: new URLSearchParams(query ?? "") };
    // The page for frames of other sites has the venue in its path, and the parameters before or in the fragment.
    const embedded = embeddedVenue();
    if (embedded) return { page: "map", venue: embedded, path: [], query: new URLSearchParams(query ?? location.search) };
    if (parts.length === 0) return { page: "venues", venue: null, path: [], ...rest };
    if (parts[0] === "~") return { page: "desk", venue: null, path: parts.slice(1), ...rest };
    if (parts[1] === "desk") return { page: "desk", venue: parts[0], path: parts.slice(2), ...rest };
    if (parts[1] === "preview") return { page: "preview", venue: parts[0], path: parts.slice(2), ...rest };
    const place = idOfShort(parts[1] ?? "");
    if (place) rest.query.set("place", place);
    return { page: "map", venue: parts[0], path: parts.slice(1), ...rest };
}

/** Decodes a path component. A malformed one, for example from a truncated link, is returned unchanged and matches nothing. */
function decode(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

async function navigate() {
    navigation.abort();
    navigation = new AbortController();
    const { signal } = navigation;
    const route = parseRoute(location.hash);
    // What the page of one venue may load from other hosts, pages of others may not.
    if (venueOfPage() !== null && route.venue !== venueOfPage()) return location.replace(`/${location.hash}`);
    const context = { root: main, signal, setTitle };
    showBar(route);
    currentPage = null;
    main.className = `page-${route.page}`;
    main.replaceChildren(loadingState());
    try {
        const module = await lazyModule(pages[route.page]);
        if (signal.aborted) return;
        const page = await module.show(context, route);
        if (!signal.aborted) currentPage = page ?? null;
    } catch (error) {
        if (!signal.aborted) main.replaceChildren(errorState(error, { retry: navigate, isPage: true }));
    }
}

/** Whether a URL is a link to a position, which opens the page anew. */
const isDirectLink = (query) => query.has("feature") || (query.has("at") && !query.has("kiosk"));

function setTitle(text) {
    document.title = text ? `${text} · VenueSync` : "VenueSync";
}

function applyLanguage() {
    document.documentElement.lang = localization.language;
    document.getElementById("skip").textContent = localized("app.skip");
}

function changeLanguage() {
    applyLanguage();
    showBar(parseRoute(location.hash));
    if (currentPage?.retranslate) currentPage.retranslate();
    else navigate();
}

document.getElementById("skip").addEventListener("click", () => main.focus());
localization.addEventListener("change", changeLanguage);
session.addEventListener("change", navigate);
window.addEventListener("hashchange", ({ oldURL, newURL }) => {
    // Back and forward within a page: it changes what it shows.
    const [before, now] = [oldURL, newURL].map((url) => parseRoute(url.includes("#") ? url.slice(url.indexOf("#")) : ""));
    const isSamePage = oldURL !== "" && before.page === now.page && before.venue === now.venue && !isDirectLink(now.query);
    if (currentPage?.update && isSamePage) return currentPage.update(now);
    navigate();
    main.focus({ preventScroll: true });
});
applyLanguage();
navigate();
startOffline();
