// The setting `basemap`: the address of a style or of tiles, with a preview on a map.

import { basemapPreview } from "./basemap-preview.js";
import { choice, labelled, verbatim } from "../fields.js";
import { h } from "../../ui/element.js";
import { isSame } from "../../map/editing/changes.js";
import { numberOf, rebased } from "./settings-values.js";
import { isStyleAddress, isTileTemplate } from "./web-address.js";
import { numberProblem, objectSetting, withMessage } from "./setting-element.js";
import { localized } from "../../localization/localization.js";

const kinds = ["", "style", "tiles"];
/** The members that say where the map comes from. */
const sourceNames = ["style", "tiles", "tile_size", "max_zoom"];
const standardZoom = 19;

export function basemapSetting(desk) {
    const preview = basemapPreview(desk);
    const showPreview = () => preview.show(problems().length === 0 ? read() : null);
    const kind = h("select", { id: "set-basemap-kind", onchange: () => update() },
        kinds.map((value) => h("option", { value }, localized(`desk.settings.basemap.kind.${value || "none"}`))));
    const address = addressInput("set-basemap-address");
    const dark = addressInput("set-basemap-dark");
    const differs = h("input", { type: "checkbox", id: "set-basemap-differs", onchange: () => update() });
    const attribution = h("input", { id: "set-attribution", maxlength: 300, placeholder: "© OpenStreetMap contributors" });
    const tileSize = h("select", { id: "set-tile-size" },
        ["", "512"].map((value) => h("option", { value }, localized(`desk.settings.tile_size.${value || "standard"}`))));
    const maxZoom = h("input", { id: "set-max-zoom", maxlength: 20, inputmode: "numeric", ...verbatim });
    const part = (pointer, input, name, help) => ({ ...withMessage(input, labelled(input, localized(`desk.settings.${name}`), help)), pointer });
    const addressPart = part("", address, "basemap.address", localized("desk.settings.basemap.address.help"));
    const darkPart = part("", dark, "basemap.darkAddress");
    const attributionPart = part("/attribution", attribution, "attribution", localized("desk.settings.attribution.help"));
    const sizePart = part("/tile_size", tileSize, "tile_size");
    const zoomPart = part("/max_zoom", maxZoom, "max_zoom", localized("desk.settings.standard", { value: standardZoom }));
    const members = h("div", { class: "setting-members", onchange: showPreview },
        addressPart.element, choice(differs, localized("desk.settings.basemap.differs")), darkPart.element,
        attributionPart.element, h("div", { class: "setting-numbers" }, sizePart.element, zoomPart.element));
    const content = [labelled(kind, localized("desk.settings.basemap.kind")), members, preview.element];
    return objectSetting("basemap", content, {
        read, problems, rebase,
        show(value) {
            kind.value = kinds.find((each) => each in value) ?? "";
            const chosen = value[kind.value] ?? "";
            differs.checked = typeof chosen === "object";
            address.value = differs.checked ? chosen.light : chosen;
            dark.value = differs.checked ? chosen.dark : "";
            attribution.value = value.attribution ?? "";
            tileSize.value = value.tile_size === 512 ? "512" : "";
            maxZoom.value = value.max_zoom ?? "";
            update();
        },
        parts: () => [
            ...["/style", "/tiles"].flatMap((pointer) => [
                { ...addressPart, pointer }, { ...addressPart, pointer: `${pointer}/light` }, { ...darkPart, pointer: `${pointer}/dark` }]),
            attributionPart, sizePart, zoomPart,
        ],
    });

    function update() {
        members.hidden = kind.value === "";
        darkPart.element.hidden = !differs.checked;
        sizePart.element.hidden = zoomPart.element.hidden = kind.value !== "tiles";
        address.placeholder = kind.value === "tiles" ? "https://tiles.example.com/{z}/{x}/{y}.png" : "https://tiles.example.com/style.json";
        showPreview();
    }

    function read() {
        if (kind.value === "") return null;
        const [light, other] = [address.value.trim(), dark.value.trim()];
        const value = { [kind.value]: differs.checked ? { light, dark: other } : light };
        if (attribution.value.trim() !== "") value.attribution = attribution.value.trim();
        if (kind.value === "tiles" && tileSize.value !== "") value.tile_size = Number(tileSize.value);
        const zoom = numberOf(maxZoom.value);
        if (kind.value === "tiles" && zoom !== null) value.max_zoom = zoom;
        return value;
    }

    function problems() {
        if (kind.value === "") return [];
        const isValid = kind.value === "tiles" ? isTileTemplate : isStyleAddress;
        const placeholders = { z: "{z}", x: "{x}", y: "{y}" };
        const text = kind.value === "tiles" ? localized("desk.settings.tiles.invalid", placeholders) : localized("desk.settings.address.invalid");
        const addresses = [[addressPart, address], ...(differs.checked ? [[darkPart, dark]] : [])];
        const zoomProblem = kind.value === "tiles" ? numberProblem(numberOf(maxZoom.value), { least: 0, most: 24, isWhole: true }) : null;
        return [
            ...addresses.filter(([, input]) => !isValid(input.value.trim())).map(([each]) => [each, text]),
            ...(zoomProblem ? [[zoomPart, zoomProblem]] : []),
        ];
    }
}

const addressInput = (id) => h("input", { id, maxlength: 2_000, ...verbatim });

/** As `rebased`, but the members of the source belong together, and without a source there is no basemap. */
function rebase(value, base, current) {
    if (value === null) return null;
    const select = (object, isSource) => Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => sourceNames.includes(name) === isSource));
    const isKept = current !== null && isSame(select(value, true), select(base, true));
    return { ...rebased(select(value, false), select(base, false), select(current, false)), ...select(isKept ? current : value, true) };
}
