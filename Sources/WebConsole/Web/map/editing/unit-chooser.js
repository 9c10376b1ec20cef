// Chooses an empty unit of the current floor: in a list, or by a tap on the map, where the empty units are highlighted.

import { areaOf, containsPosition, metresBetween, shapeOf } from "../../client/map/geometry.js";
import { categoryName } from "./categories.js";
import { h, icon } from "../../ui/element.js";
import { isolated } from "../../ui/names.js";
import { labelPointOf } from "../../client/map/label-point.js";
import { labelText } from "../labels.js";
import { unitGroup } from "../categories.js";
import { formatNumber, localized } from "../../localization/localization.js";

const source = "empty-units";
/** Metres per degree of latitude. */
const degree = 111_195;

/** Resolves with a unit, a `ReplicaFeature`; null if the user has cancelled. */
export async function chooseUnit(page) {
    const units = emptyUnits(page);
    const { mapLibre: map } = page.map();
    const frame = page.frame().element;
    const focused = document.activeElement;
    let choose;
    const choice = new Promise((resolve) => { choose = resolve; });
    const panel = chooserPanel(page, units, choose);
    const onKey = (event) => event.key === "Escape" && choose(null);
    const onLeave = () => choose(null);
    const onTap = ({ lngLat }) => {
        const found = units.find(({ polygons }) => containsPosition(polygons, lngLat.toArray()));
        if (found) choose(found.unit);
    };
    showHighlight(map, units);
    map.on("click", onTap);
    document.addEventListener("keydown", onKey);
    page.signal.addEventListener("abort", onLeave);
    frame.classList.add("is-editing");
    frame.append(panel);
    panel.querySelector("h2").focus();
    const unit = await choice;
    document.removeEventListener("keydown", onKey);
    page.signal.removeEventListener("abort", onLeave);
    frame.classList.remove("is-editing");
    panel.remove();
    // The map is gone if the user has left the page.
    if (page.signal.aborted) return null;
    map.off("click", onTap);
    hideHighlight(map);
    page.map().select(null);
    if (!unit) (focused.isConnected ? focused : document.querySelector("[data-id=add-shop]"))?.focus();
    return unit;
}

function chooserPanel(page, units, choose) {
    const { mapLibre: map } = page.map();
    const item = ({ unit, name, text, point }) => {
        const highlight = () => page.map().select({ id: unit.id, unit: unit.id });
        const onfocus = () => {
            highlight();
            if (!map.getBounds().contains(point)) map.jumpTo({ center: point });
        };
        return h("li", {}, h(
            "button", { type: "button", class: "place", "data-id": unit.id, onclick: () => choose(unit), onmouseenter: highlight, onfocus },
            h("span", { class: `swatch ${unitGroup(unit.category)}`, "aria-hidden": "true" }),
            h("span", { class: "place-text" }, h("span", { class: "place-name" }, name), h("span", { class: "place-sub" }, text))));
    };
    const help = localized(units.length > 0 ? "edit.chooseUnitHelp" : "edit.noEmptyUnit", { n: units.length, floor: page.floor().title });
    return h(
        "section", { class: "panel edit-panel expanded", "aria-labelledby": "choose-title" },
        h("div", { class: "panel-body" },
            h("header", {},
                h("h2", { id: "choose-title", tabindex: "-1" }, localized("edit.chooseUnit")),
                h("button", { type: "button", class: "bare", "aria-label": localized("dialog.cancel"), onclick: () => choose(null) }, icon("close"))),
            h("p", { class: "help" }, help),
            h("ul", { class: "places" }, units.map(item))));
}

/** The units of the floor that have no occupant and could have one, the largest first: `{unit, name, text, point, polygons}`. */
function emptyUnits(page) {
    const places = page.places();
    const occupied = new Set(places.filter(({ kind }) => kind === "shop").map(({ unit }) => unit));
    const shops = places.filter(({ kind }) => kind === "shop");
    return page.floor().levels.flatMap(({ id }) => page.live.featuresOf(id))
        .filter((unit) => unit.type === "unit" && !occupied.has(unit.id) && ["room", "food"].includes(unitGroup(unit.category)))
        .flatMap((unit) => {
            const point = labelPointOf(unit)?.position;
            if (!point) return [];
            const { polygons } = shapeOf(unit.geometry);
            const area = areaOf(polygons) * degree ** 2 * Math.cos((point[1] * Math.PI) / 180);
            const nearest = shops.map((shop) => [metresBetween(shop.point, point), shop]).sort(([one], [other]) => one - other)[0]?.[1];
            const size = localized("edit.squareMetres", { n: formatNumber(Math.round(area)) });
            return [{
                unit, point, polygons, area, name: labelText(unit.properties.name, page.live.about.language) ?? categoryName(unit.category),
                text: nearest ? localized("edit.nextTo", { size, name: isolated(nearest.name) }) : size,
            }];
        })
        .sort((one, other) => other.area - one.area);
}

function showHighlight(map, units) {
    const colour = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    const features = units.map(({ polygons }) => ({ type: "Feature", properties: {}, geometry: { type: "MultiPolygon", coordinates: polygons } }));
    map.addSource(source, { type: "geojson", data: { type: "FeatureCollection", features } });
    map.addLayer({ id: `${source}-fill`, source, type: "fill", paint: { "fill-color": colour, "fill-opacity": 0.3 } });
    map.addLayer({ id: `${source}-line`, source, type: "line", paint: { "line-color": colour, "line-width": 2, "line-dasharray": [2, 1] } });
}

function hideHighlight(map) {
    for (const layer of ["fill", "line"]) map.removeLayer(`${source}-${layer}`);
    map.removeSource(source);
}
