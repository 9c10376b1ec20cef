// Chooses several shops of a venue from a list, which can be searched.

import { fill, h } from "../../ui/element.js";
import { groupedByFloor } from "../floor-groups.js";
import { search } from "../search.js";
import { valueText } from "./value-text.js";
import { localized } from "../../localization/localization.js";

/** `{element, chosen()}`: `chosen` returns the places, those of the floor that is shown first. Others stay chosen while a search hides them. */
export function shopChooser(page) {
    const { floors } = page;
    const chosen = new Set();
    const isListed = ({ kind, feature }) => kind === "shop" && !floors.appearance.hides(feature);
    const shops = () => groupedByFloor([floors.placesEverywhere.filter(isListed)], {
        floor: floors.current, floorOf: (place) => floors.floorOf(place),
    });
    const field = h("input", {
        type: "search", id: "edit-shops-search", autocomplete: "off", oninput: () => draw(),
        // Enter ends the step, but not while shops are searched.
        onkeydown: (event) => event.key === "Enter" && event.preventDefault(),
    });
    const all = h("button", { type: "button", class: "quiet small", onclick: () => choose(found().flatMap(({ places }) => places), true) });
    const none = h("button", { type: "button", class: "quiet small", onclick: () => choose([...chosen].map((id) => ({ id })), false) },
        localized("edit.shops.selectNone"));
    const count = h("p", { class: "help", role: "status" });
    const list = h("div", { class: "shop-list" });
    const missing = h("div");
    draw();
    drawMissing();
    return {
        element: h("div", { class: "shop-chooser" },
            h("div", { class: "field" }, h("label", { for: field.id }, localized("edit.shops.find")), field),
            h("div", { class: "shop-tools" }, all, none, count), missing, list),
        chosen: () => shops().flatMap(({ places }) => places).filter(({ id }) => chosen.has(id)),
    };

    /** The shops that the search finds, by floor. */
    function found() {
        const groups = shops();
        const ids = new Set(search(groups.flatMap(({ places }) => places), field.value).flat().map(({ id }) => id));
        return groups.map((group) => ({ ...group, places: group.places.filter(({ id }) => ids.has(id)) })).filter(({ places }) => places.length > 0);
    }

    function draw() {
        const groups = found();
        fill(list, groups.map(({ floor, places }) => h(
            "fieldset", {}, h("legend", {}, h("bdi", {}, floor?.title ?? "")), places.map(item))),
        groups.length === 0 && h("p", { class: "empty" }, localized("edit.shops.noneFound")));
        const n = groups.reduce((sum, { places }) => sum + places.length, 0);
        fill(all, localized("edit.shops.selectAll", { n }));
        all.disabled = n === 0;
        say();
    }

    function item(place) {
        const { hours } = place.feature.properties;
        const input = h("input", {
            type: "checkbox", value: place.id, checked: chosen.has(place.id), onchange: () => choose([place], input.checked),
        });
        return h("label", { class: "choice" }, input, h(
            "span", {}, h("bdi", { class: "place-name" }, place.name),
            h("span", { class: "help" }, hours ? valueText("/properties/hours", hours) : localized("edit.shops.noHours"))));
    }

    function choose(places, isChosen) {
        for (const { id } of places) chosen[isChosen ? "add" : "delete"](id);
        for (const input of list.querySelectorAll("input")) input.checked = chosen.has(input.value);
        say();
    }

    function say() {
        fill(count, localized("edit.shops.selected", { n: chosen.size }));
    }

    function drawMissing() {
        const n = floors.missing.length;
        fill(missing, n > 0 && h("p", { class: "notice" }, localized("edit.shops.missingFloors", { n }), " ", h("button", {
            type: "button", class: "quiet small", onclick: async ({ currentTarget }) => {
                currentTarget.disabled = true;
                await floors.loadMissing().catch(() => {});
                drawMissing();
                draw();
                field.focus();
            },
        }, localized("edit.shops.loadFloors"))));
    }
}
