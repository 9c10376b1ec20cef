// Links to the map for visitors: a poster with a QR code, the code for a website, and the address of a kiosk.

import { button, labelled, verbatim } from "../fields.js";
import { copyField } from "../manage/copy-field.js";
import { embedCode, visitorLinks } from "./links.js";
import { emptyState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { labelText } from "../../map/labels.js";
import { levelName } from "../names.js";
import { namedLevels } from "../levels.js";
import { parsePosition } from "../../map/map-mode.js";
import { qrPicture } from "../../ui/qr/qr-picture.js";
import { formatNumber, localized } from "../../localization/localization.js";

/** The seconds without a touch after which a kiosk begins again. */
const [leastIdle, mostIdle] = [5, 3600];

export async function show(desk) {
    if (!desk.venue) return fill(desk.root, emptyState({ title: localized("desk.overview.noRevisions"), iconName: "clock" }));
    const floors = floorNames(await namedLevels(desk));
    const title = labelText(desk.venue.name) ?? desk.venueKey;
    const floor = h("select", { id: "link-floor", onchange: () => draw() },
        h("option", { value: "" }, localized("desk.links.anyFloor")),
        [...floors].map(([ordinal, name]) => h("option", { value: String(ordinal) }, name)));
    const position = h("input", { id: "link-at", class: "mono", placeholder: "139.767,35.681", oninput: () => draw(), ...verbatim });
    const idle = h("input", {
        id: "link-idle", type: "number", min: leastIdle, max: mostIdle, placeholder: "60", "aria-describedby": "link-idle-error", oninput: () => draw(),
    });
    position.setAttribute("aria-describedby", "link-at-help link-at-error");
    const errors = new Map([position, idle].map((input) => [input, h("p", { class: "error-message", id: `${input.id}-error` })]));
    const mark = (input, isInvalid, text) => {
        input.setAttribute("aria-invalid", String(isInvalid));
        fill(errors.get(input), isInvalid && text);
    };
    const poster = h("section", { class: "poster", "aria-label": localized("desk.links.poster") });
    const addresses = h("div", { class: "links-addresses" });
    const draw = () => {
        const at = parsePosition(position.value)?.join();
        mark(position, position.value.trim() !== "" && !at, localized("desk.links.positionInvalid"));
        const hasIdle = isSeconds(idle);
        mark(idle, !hasIdle, localized("desk.links.idleInvalid", { least: leastIdle, most: formatNumber(mostIdle) }));
        const links = visitorLinks({
            origin: location.origin, venue: desk.venueKey, floor: floor.value, at, idle: hasIdle ? idle.value : "" });
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
            field(position, errors.get(position), localized("desk.links.position"), localized("desk.links.positionHelp")),
            field(idle, errors.get(idle), localized("desk.links.idle")),
            addresses),
        h("div", { class: "links-poster" },
            !desk.venue.public && h("p", { class: "notice" }, icon("alert"), h("span", {}, localized("desk.links.private"))),
            poster, h("p", { class: "desk-actions" }, button("primary", [icon("download"), localized("desk.links.print")], () => window.print())))));
}

/** A field with its help text and what is wrong with its value. */
const field = (input, error, title, help) => h(
    "div", { class: "field" }, h("label", { for: input.id }, title), input, help && h("p", { class: "help", id: `${input.id}-help` }, help), error);

/** Whether a field has seconds that a kiosk can wait, or nothing. A browser says of other text that it is nothing, and that it is no number. */
const isSeconds = ({ value, validity }) =>
    !validity?.badInput && (value === "" || (Number.isInteger(Number(value)) && value >= leastIdle && value <= mostIdle));

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
