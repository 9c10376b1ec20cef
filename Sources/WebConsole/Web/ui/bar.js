// The bar at the top of every page: navigation, language, sign-in.

import { fill, h, icon } from "./element.js";
import { openSignIn } from "./sign-in.js";
import { session } from "../session.js";
import { venueLogo } from "./venue-logo.js";
import { localization, localized } from "../localization/localization.js";

const iconURL = new URL("../icon.svg", import.meta.url).href;

/** `{name, logo}` of the venue whose map is open, `logo` null for none; null if it is not known. */
let shown = null;

/** Shows the name of a venue, or its logo, until `signal` is aborted. */
export function showVenue(name, { logo = null, signal }) {
    shown = { name, logo };
    signal.addEventListener("abort", () => { shown = null; }, { once: true });
    const breadcrumb = document.querySelector("#bar .breadcrumb");
    if (breadcrumb) fillBreadcrumb(breadcrumb);
}

function fillBreadcrumb(element) {
    const name = shown && h("bdi", {}, shown.name);
    fill(element, shown?.logo ? venueLogo(shown.logo, shown.name, () => fill(element, name)) : name);
    return element;
}

export function showBar({ page, venue }) {
    const link = (href, label, iconName, isCurrent) =>
        h("a", { href, "aria-current": isCurrent ? "page" : undefined }, icon(iconName), h("span", {}, label));
    fill(
        document.getElementById("bar"),
        h("a", { class: "brand", href: "#/" }, h("img", { src: iconURL, alt: "", width: 28, height: 28 }),
            h("span", {}, "VenueSync")),
        // Visitors see the name of the venue, as soon as it is known; operators the key, with which they work.
        venue && (page === "map" || page === "preview"
            ? fillBreadcrumb(h("span", { class: "breadcrumb", title: venue })) : h("span", { class: "breadcrumb", title: venue }, venue)),
        // A preview is of a venue that has no other pages for visitors yet.
        venue && page !== "preview" && h(
            "nav", { "aria-label": localized("app.pages") },
            link(`#/${venue}`, localized("app.map"), "map", page === "map"),
            // Without a key there is nothing to manage.
            session.isSignedIn && link(`#/${venue}/desk`, localized("app.desk"), "desk", page === "desk")),
        h("span", { class: "spacer" }),
        languageSwitch(),
        session.isSignedIn
            ? h("button", { type: "button", class: "quiet", onclick: () => session.signOut() }, localized("session.signOut"))
            : h("button", { type: "button", class: "quiet sign-in", onclick: openSignIn }, icon("key"), localized("session.signIn")),
    );
}

/** A button that shows the other language. `isRemembered` is whether the browser remembers it. */
export function languageSwitch({ isRemembered = true } = {}) {
    const other = localization.language === "ja" ? "en" : "ja";
    const label = { en: "English", ja: "日本語" }[other];
    return h(
        "button", { type: "button", class: "bare language", lang: other, onclick: () => localization.setLanguage(other, { isRemembered }) },
        icon("globe"), label);
}
