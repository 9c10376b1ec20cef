// The page of a venue whose logo or basemap is on another host. The content security policy of the console permits no other host; that of
// `/?venue=mall&origin=https://tiles.example.com` permits the origins that its address names, as far as they are settings of the venue.

import { embeddedVenue } from "./map-mode.js";

/** The venue that the address of the page names outside the fragment; null on the usual page. */
export function venueOfPage() {
    return location.pathname === "/" ? new URLSearchParams(location.search).get("venue") : null;
}

/** The address of the page that may show the map of a venue; null if this one may. `about` is the response of `GET /venues/{venue}`. */
export function requiredPage(venue, about) {
    const origins = originsOf(about);
    // The page for frames of other sites has the policy of its venue.
    if (embeddedVenue() || origins.every((origin) => isPermitted(venue, origin))) return null;
    const query = new URLSearchParams([["venue", venue], ...origins.map((origin) => ["origin", origin])]);
    return `/?${query}${location.hash}`;
}

function isPermitted(venue, origin) {
    return venueOfPage() === venue && new URLSearchParams(location.search).getAll("origin").includes(origin);
}

/** The origins other than this server. */
function originsOf({ appearance, basemap }) {
    const addresses = [appearance?.logo, ...addressesOf(basemap?.style), ...addressesOf(basemap?.tiles)];
    // An address that the browser does not understand is not loaded, and keeps nothing else from being drawn.
    const absolute = addresses.filter((address) => address && !address.startsWith("/") && URL.canParse(address));
    const origins = absolute.map((address) => new URL(address).origin);
    return [...new Set(origins)].filter((origin) => origin !== location.origin);
}

/** One address, or one for each mode. */
const addressesOf = (value) => (typeof value === "object" && value ? [value.light, value.dark] : [value]);
