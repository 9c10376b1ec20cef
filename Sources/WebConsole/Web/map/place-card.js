// What a place is: name, kind, floor, hours, how to reach it.

import { h, icon } from "../ui/element.js";
import { labelTexts } from "./labels.js";
import { stateTag, weekTable } from "./hours-view.js";
import { word } from "../words/words.js";

/** The card of a place. `floor` is where it is, `onClose` goes back to the list. */
export function placeCard(place, { floor, onClose, onNearest }) {
    const { properties } = place.feature;
    const others = labelTexts(properties.name).filter((text) => text !== place.name);
    return h(
        "article", { class: "place-card", "aria-labelledby": "place-name", "data-id": place.id },
        h("button", { type: "button", class: "bare back", onclick: onClose }, icon("back"), word("map.back")),
        h("h2", { id: "place-name", tabindex: "-1" }, place.name),
        others.length > 0 && h("p", { class: "other-names" }, others.join(" · ")),
        h("p", { class: "place-facts" },
            h("span", { class: `swatch ${place.group}`, "aria-hidden": "true" }), place.kindName, " · ", floor?.title ?? ""),
        h("div", { class: "place-hours" }, hoursOf(place)),
        h("dl", { class: "contact" }, contact(properties)),
        isWheelchair(properties) && h("p", { class: "tag" }, word("map.wheelchair")),
        place.kind !== "amenity" && h(
            "button", { type: "button", class: "quiet", onclick: () => onNearest(place) }, icon("pin"), word("map.nearestRestroom")),
    );
}

/** What a card says of hours, which differs from minute to minute. */
export const hoursOf = (place) => [stateTag(place), weekTable(place)];

function contact({ phone, website }) {
    const rows = [];
    if (typeof phone === "string" && phone) {
        rows.push(h("dt", {}, word("map.phone")), h("dd", {}, h("a", { href: `tel:${phone.replace(/[^+\d]/g, "")}` }, phone)));
    }
    const address = webAddress(website);
    if (address) {
        const link = h("a", { href: address.href, target: "_blank", rel: "noopener noreferrer nofollow" }, address.hostname);
        rows.push(h("dt", {}, word("map.website")), h("dd", {}, link));
    }
    return rows;
}

/** Only what leads to the web: `javascript:` and its like are no addresses of a shop. */
function webAddress(text) {
    try {
        const address = new URL(text);
        return address.protocol === "https:" || address.protocol === "http:" ? address : null;
    } catch {
        return null;
    }
}

function isWheelchair({ accessibility }) {
    return Array.isArray(accessibility) && accessibility.includes("wheelchair");
}
