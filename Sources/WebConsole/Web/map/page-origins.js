// The page of a venue whose logo or basemap is on another host. The content security policy of the console permits no other host; that of
// the page that the server names in `GET /venues/{venue}`, such as
// `/?venue=mall&basemap=https://tiles.example.com&code=…`, permits those of the venue.

import { embeddedVenue } from "./map-mode.js";

/** The venue that the address of the page names outside the fragment; null on the usual page. */
export function venueOfPage() {
    return location.pathname === "/" ? new URLSearchParams(location.search).get("venue") : null;
}

/** The address of the page that may show the map of a venue; null if this one may. `about` is the response of `GET /venues/{venue}`. */
export function requiredPage({ page }) {
    // The page for frames of other sites has the policy of its venue.
    const isPermitted = embeddedVenue() || (page ? location.pathname + location.search === page : venueOfPage() === null);
    return isPermitted ? null : (page ?? "/") + location.hash;
}

/**
 * Whether the page at an address with a query may load from an origin; null is this server. `kind` is `image`, for pictures only, or `basemap`,
 * from whose hosts a page may load everything.
 */
export function mayLoad(kind, origin, query) {
    if (origin === null) return true;
    const parameters = new URLSearchParams(query);
    return [...new Set([kind, "basemap"])].some((each) => parameters.getAll(each).includes(origin));
}
