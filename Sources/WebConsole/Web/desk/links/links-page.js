// Links to the map for visitors: a poster with a QR code, the code for a website, and the address of a kiosk.

import { button, labelled, verbatim } from "../fields.js";
import { copyField } from "../manage/copy-field.js";
import { embedCode, parsePosition, visitorLinks } from "./links.js";
import { emptyState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { labelText } from "../../map/labels.js";
import { levelName } from "../names.js";
import { namedLevels } from "../levels.js";
import { qrPicture } from "../../ui/qr/qr-picture.js";
import { localized } from "../../localization/localization.js";

export async function show(desk) {
    if (!desk.venue) return fill(desk.root, emptyState({ title: localized("desk.overview.noRevisions"), iconName: "clock" }));
    const floors = floorNames(await namedLevels(desk));
    const title = labelText(desk.venue.name) ?? desk.venueKey;
    const floor = h("select", { id: "link-floor", onchange: () => draw() },
        h("option", { value: "" }, localized("desk.links.anyFloor")),
        [...floors].map(([ordinal, name]) => h("option", { value: String(ordinal) }, name)));
    const position = h("input", { id: "link-at", class: "mono", placeholder: "139.767,35.681", oninput: () => draw(), ...verbatim });
    const idle = h("input", { id: "link-idle", type: "number", min: 5, max: 3600, placeholder: "60", oninput: () => draw() });
    const poster = h("section", { class: "poster", "aria-label": localized("desk.links.poster") });
    const addresses = h("div", { class: "links-addresses" });
    const draw = () => {
        const at = parsePosition(position.value);
        position.setAttribute("aria-invalid", String(position.value.trim() !== "" && !at));
        const links = visitorLinks({
            origin: location.origin, venue: desk.venueKey, floor: floor.value, at, idle: idle.validity?.valid === false ? "" : idle.value });
        fill(poster,
            h("p", { class: "poster-title" }, h("bdi", {}, title)),
            floor.value !== "" && h("p", { class: "poster-floor" }, h("bdi", {}, floors.get(Number(floor.value)))),
            qrPicture(links.map, localized("map.qrCode")),
            h("p", { class: "poster-help" }, localized("map.qrHelp")), h("p", { class: "poster-link" }, links.map));
        fill(addresses,
            copyField("link-map", localized("map.link"), links.map),
            copyField("link-embed", localized("desk.links.embed"), embedCode(links.embed, title)),
            h("p", { class: "help" }, localized(desk.venue.public ? "desk.links.embedHelp" : "desk.links.embedPrivate")),
            copyField("link-kiosk", localized("desk.links.kiosk"), links.kiosk));
    };
    draw();
    fill(desk.root, h(
        "section", { class: "desk-section links" },
        h("div", { class: "links-form" },
            h("h2", {}, localized("desk.links.title")),
            labelled(floor, localized("desk.links.floor")),
            labelled(position, localized("desk.links.position"), localized("desk.links.positionHelp")),
            labelled(idle, localized("desk.links.idle")),
            addresses),
        h("div", { class: "links-poster" },
            poster, h("p", { class: "desk-actions" }, button("primary", [icon("download"), localized("desk.links.print")], () => window.print())))));
}

/** The names of the floors by ordinal, from top to bottom; floors of several buildings are one. */
function floorNames(levels) {
    const names = new Map();
    for (const level of levels.filter(({ ordinal }) => Number.isInteger(ordinal)).sort((one, other) => other.ordinal - one.ordinal)) {
        const known = names.get(level.ordinal);
        const name = levelName(level.level_id, levels.map(({ building, ...rest }) => rest));
        if (!known) names.set(level.ordinal, name);
        else if (!known.split(" / ").includes(name)) names.set(level.ordinal, `${known} / ${name}`);
    }
    return names;
}
