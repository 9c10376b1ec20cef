// The pictogram of a place in an SVG drawing, as on the visitor's map: facilities on a square, others on a circle.

import { pictogram as pictogramOf } from "../../map/pictograms.js";
import { svg } from "./svg.js";

/** The part of the side that the pictogram takes. */
const part = 0.62;

/** An element around the origin, with a side in pixels. */
export function pictogramSymbol({ id, pictogram, group, facility }, side) {
    const { box, fill, stroke } = pictogramOf(pictogram);
    const size = side - 2;
    return svg(
        "g", { class: `diff-pictogram ink-${inkOf(group, facility)}`, "data-feature": id, "data-pictogram": pictogram },
        svg("rect", { x: -size / 2, y: -size / 2, width: size, height: size, rx: facility ? size * 0.24 : size / 2 }),
        svg("g", { transform: `scale(${(side * part) / box}) translate(${-box / 2} ${-box / 2})` },
            fill && svg("path", { class: "pictogram-fill", d: fill }), stroke && svg("path", { class: "pictogram-line", d: stroke })));
}

/** The ink of the visitor's map: emergency equipment is red, facilities without a group of their own are blue. */
function inkOf(group, facility) {
    if (facility === "emergency") return "food";
    return facility && ["room", "private", "walkway"].includes(group) ? "restroom" : group;
}
