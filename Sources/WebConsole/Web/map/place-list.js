// The list of places. It is one stop of the Tab key: the arrow keys, Home and End move within it.

import { h } from "../ui/element.js";
import { openState } from "./hours-view.js";
import { swatch } from "./swatch.js";
import { formatNumber, localized } from "../localization/localization.js";

/** The number of items that are shown at first, and that are added at a time when the end of the list comes into view. */
export const firstPageSize = 24;
export const pageSize = 250;

/**
 * The list of `groups`, as `groupedByFloor` returns them: with the names of the floors, unless all places are on the current `floor`.
 * `distances` are metres by place, or undefined. `onEnd` is called for the End key when the list continues; otherwise it is null.
 */
export function placeList(groups, { floor, distances, onPick, onEnd }) {
    const areElsewhere = groups.some((group) => group.floor?.ordinal !== floor?.ordinal);
    const list = h(
        "div", { class: "places", onkeydown: (event) => moveFocus(list, event, onEnd), onfocusin: (event) => keepTabStop(list, event.target) },
        groups.map((group) => [
            areElsewhere && h("h3", { class: "places-floor" }, h("bdi", {}, group.floor?.title ?? "")),
            h("ul", {}, group.places.map((place) => item(place, { metres: distances?.get(place), onPick }))),
        ]));
    list.querySelector(".place")?.setAttribute("tabindex", "0");
    return list;
}

function item(place, { metres, onPick }) {
    const state = openState(place);
    return h("li", {}, h(
        "button", { type: "button", class: "place", tabindex: "-1", "data-id": place.id, onclick: () => onPick(place) },
        swatch(place),
        h("span", { class: "place-text" },
            h("bdi", { class: "place-name" }, place.name),
            h("span", { class: "place-sub" },
                place.name !== place.kindName && h("span", {}, place.kindName),
                state && h("span", { class: `state-text ${state.state}` }, state.text))),
        metres !== undefined && h("span", { class: "distance" }, localized("map.metres", { n: formatNumber(Math.round(metres)) }))));
}

function moveFocus(list, event, onEnd) {
    const items = [...list.querySelectorAll(".place")];
    const index = items.indexOf(event.target);
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 }[event.key];
    if (index < 0 || target === undefined) return;
    event.preventDefault();
    if (event.key === "End" && onEnd) onEnd();
    else items[target]?.focus();
}

function keepTabStop(list, target) {
    for (const each of list.querySelectorAll(".place[tabindex='0']")) each.setAttribute("tabindex", "-1");
    target.setAttribute("tabindex", "0");
}
