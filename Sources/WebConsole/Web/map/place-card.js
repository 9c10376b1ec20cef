// The card of a place: name, kind, floor, opening hours, contact.

import { h, icon } from "../ui/element.js";
import { labelTexts } from "../client/map/labels.js";
import { swatch } from "./swatch.js";
import { openStateTag, weekTable } from "./hours-view.js";
import { localized } from "../localization/localization.js";

/**
 * Creates the card. `floor` is the floor of the place, `onClose` returns to the list, `onNearest` finds the nearest restroom, null if there is none, `onShare`
 * shares a link, null if there is none, `onDirections` opens directions to the place. Without `hasLinks`, phone numbers and websites are texts. `tools` is what publishers see besides: `{actions, notes}`.
 */
export function placeCard(place, { floor, onClose, onNearest, onShare, onDirections, hasLinks = true, tools = null }) {
    const { properties } = place.feature;
    const otherNames = labelTexts(properties.name).filter((text) => text !== place.name);
    return h(
        "article", { class: "place-card", "aria-labelledby": "place-name", "data-id": place.id },
        h("button", { type: "button", class: "bare back", onclick: onClose }, icon("back"), localized("map.back")),
        h("h2", { id: "place-name", tabindex: "-1", dir: "auto" }, place.name),
        otherNames.length > 0 && h("p", { class: "other-names" }, otherNames.map((text, i) => [i > 0 && " · ", h("bdi", {}, text)])),
        h("p", { class: "place-facts" },
            swatch(place), place.kindName, " · ", h("bdi", {}, floor?.title ?? "")),
        h("button", { type: "button", class: "primary", "data-action": "directions", onclick: () => onDirections(place) },
            icon("directions"), localized("map.directions")),
        tools?.actions,
        h("div", { class: "place-hours" }, hoursSection(place)),
        h("dl", { class: "contact" }, contact(properties, hasLinks)),
        isWheelchairAccessible(properties) && h("p", { class: "tag" }, localized("map.wheelchair")),
        tools?.notes,
        h("p", { class: "place-actions" },
            onShare && h("button", { type: "button", class: "quiet", "data-action": "share", onclick: () => onShare(place) },
                icon("share"), localized("map.share")),
            onNearest && place.facility !== "restroom" && h(
                "button", { type: "button", class: "quiet", onclick: () => onNearest(place) },
                icon("pin"), localized("map.nearestRestroom"))),
    );
}

/** The opening hours on a card. They depend on the current time. */
export const hoursSection = (place) => [openStateTag(place), weekTable(place)];

function contact({ phone, website }, hasLinks) {
    const link = (text, attributes) => (hasLinks ? h("a", attributes, text) : h("span", {}, text));
    const rows = [];
    if (typeof phone === "string" && phone) {
        rows.push(h("dt", {}, localized("map.phone")), h("dd", {}, link(phone, { href: `tel:${phone.replace(/[^+\d]/g, "")}` })));
    }
    const url = websiteURL(website);
    if (url) {
        const attributes = { href: url.href, target: "_blank", rel: "noopener noreferrer nofollow" };
        rows.push(h("dt", {}, localized("map.website")), h("dd", {}, link(url.hostname, attributes)));
    }
    return rows;
}

/** The URL of a website; null for other schemes, such as `javascript:`, and for invalid URLs. */
function websiteURL(text) {
    try {
        const url = new URL(text);
        return url.protocol === "https:" || url.protocol === "http:" ? url : null;
    } catch {
        return null;
    }
}

function isWheelchairAccessible({ accessibility }) {
    return Array.isArray(accessibility) && accessibility.includes("wheelchair");
}
