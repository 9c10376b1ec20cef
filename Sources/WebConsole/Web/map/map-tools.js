// The buttons beside the map (zoom, whole floor, compass), and the scale.

import { wallPitch } from "./wall-mode.js";
import { fill, h, icon } from "../ui/element.js";
import { metresBetween } from "../client/map/geometry.js";
import { formatNumber, localized } from "../localization/localization.js";

/** The widest scale bar, in CSS pixels. */
const maximumScaleWidth = 110;

/**
 * `{element, scale, retranslate(), follow(map)}`; the callbacks are `onZoom(by)`, `onFit()`, `onNorth()`, `onWalls()` and `onShare()`;
 * `hasWalls()` is whether the map shows three-dimensional walls.
 */
export function mapTools({ onZoom, onFit, onNorth, onWalls, hasWalls, onShare }) {
    const element = h("div", { class: "map-tools", role: "group" });
    const scale = h("div", { class: "map-scale", "aria-hidden": "true" });
    const compass = h("button", { type: "button", "data-tool": "north", hidden: true, onclick: () => onNorth() }, icon("compass"));
    let map = null;

    const walls = h("button", { type: "button", "data-tool": "walls", onclick: () => { onWalls(); update(); } }, icon("cube"));

    const tool = (name, iconName, act) => {
        const label = localized(`map.${name}`);
        return h("button", { type: "button", "data-tool": name, "aria-label": label, title: label, onclick: act }, icon(iconName));
    };

    function retranslate() {
        element.setAttribute("aria-label", localized("map.tools"));
        compass.setAttribute("aria-label", localized("map.north"));
        compass.title = localized("map.north");
        walls.setAttribute("aria-label", localized("map.walls"));
        walls.title = localized("map.walls");
        fill(element, compass, tool("zoomIn", "plus", () => onZoom(1)), tool("zoomOut", "minus", () => onZoom(-1)),
            tool("fit", "fit", () => onFit()), walls, onShare && tool("share", "share", () => onShare()));
        if (map) update();
    }

    function update() {
        const bearing = map.getBearing();
        // A tilt that the user has chosen with two fingers is reset by the compass too.
        compass.hidden = Math.abs(bearing) < 0.5 && Math.abs(map.getPitch() - (hasWalls() ? wallPitch : 0)) < 0.5;
        walls.setAttribute("aria-pressed", String(hasWalls()));
        compass.querySelector(".icon").style.rotate = `${-bearing}deg`;
        const { clientWidth: width, clientHeight: height } = map.getContainer();
        const at = (x) => map.unproject([x, height / 2]).toArray();
        const metres = metresBetween(at(width / 2 - maximumScaleWidth / 2), at(width / 2 + maximumScaleWidth / 2));
        const length = roundLength(metres);
        scale.style.width = `${(length / metres) * maximumScaleWidth}px`;
        scale.textContent = localized("map.metres", { n: formatNumber(length) });
    }

    retranslate();
    return {
        element, scale, retranslate,
        follow(mapLibre) {
            map = mapLibre;
            map.on("move", update);
            update();
        },
    };
}

/** The largest of 1, 2, 5, 10, 20, 50 … that is not larger. */
function roundLength(metres) {
    const power = 10 ** Math.floor(Math.log10(metres));
    return [5, 2, 1].map((factor) => factor * power).find((length) => length <= metres) ?? power;
}
