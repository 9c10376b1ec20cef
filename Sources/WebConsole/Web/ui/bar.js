// The bar at the top of every page: navigation, language, sign-in.

import { fill, h, icon } from "./element.js";
import { hasRole } from "../desk/role.js";
import { openSignIn } from "./sign-in.js";
import { session } from "../session.js";
import { venueLogo } from "./venue-logo.js";
import { localization, localized } from "../localization/localization.js";

const iconURL = new URL("../icon.svg", import.meta.url).href;

/** `{address, name}` of the logo of the venue whose map is open; null for none. */
let logo = null;

/** Shows the logo of a venue in the place of its key, until `signal` is aborted. */
export function showLogo(address, name, signal) {
    logo = { address, name };
    signal.addEventListener("abort", () => { logo = null; }, { once: true });
    const breadcrumb = document.querySelector("#bar .breadcrumb");
    if (breadcrumb) fillBreadcrumb(breadcrumb, breadcrumb.title);
}

function fillBreadcrumb(element, venue) {
    const onMissing = () => {
        logo = null;
        fill(element, venue);
    };
    fill(element, logo ? venueLogo(logo.address, logo.name, onMissing) : venue);
    return element;
}

/** The venue and the key for which the link to the operator's pages was shown last. */
let managed = {};

/** Adds the link to the operator's pages, unless the key has no role for the venue: then there is nothing to manage. */
async function addManageLink(nav, venue, link) {
    const { key } = session;
    const isKnown = managed.venue === venue && managed.key === key;
    if (isKnown) nav.append(link);
    const canManage = await hasRole(venue);
    if (!nav.isConnected) return;
    managed = canManage ? { venue, key } : {};
    if (!canManage) link.remove();
    else if (!isKnown) nav.append(link);
}

export function showBar({ page, venue }) {
    const link = (href, label, iconName, isCurrent) =>
        h("a", { href, "aria-current": isCurrent ? "page" : undefined }, icon(iconName), h("span", {}, label));
    const nav = venue && h(
        "nav", { "aria-label": localized("app.pages") }, link(`#/${venue}`, localized("app.map"), "map", page === "map"));
    fill(
        document.getElementById("bar"),
        h("a", { class: "brand", href: "#/" }, h("img", { src: iconURL, alt: "", width: 28, height: 28 }),
            h("span", {}, "VenueSync")),
        venue && fillBreadcrumb(h("span", { class: "breadcrumb", title: venue }), venue),
        nav,
        h("span", { class: "spacer" }),
        languageSwitch(),
        session.isSignedIn
            ? h("button", { type: "button", class: "quiet", onclick: () => session.signOut() }, localized("session.signOut"))
            : h("button", { type: "button", class: "quiet", onclick: openSignIn }, icon("key"), localized("session.signIn")),
    );
    if (venue && session.isSignedIn) addManageLink(nav, venue, link(`#/${venue}/desk`, localized("app.desk"), "desk", page === "desk"));
}

/** A button that shows the other language. */
export function languageSwitch() {
    const other = localization.language === "ja" ? "en" : "ja";
    const label = { en: "English", ja: "日本語" }[other];
    return h(
        "button", { type: "button", class: "bare language", lang: other, onclick: () => localization.setLanguage(other) },
        icon("globe"), label);
}
