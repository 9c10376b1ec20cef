// The pictogram of a place or a group as an element, in the colours of the map.

import { h } from "../ui/element.js";
import { groupPictogram, pictogram as pictogramOf } from "./pictograms.js";

/** The pictogram of a place, hidden from assistive technology. */
export function swatch({ kind, group, facility, pictogram }) {
    return element(facility === "emergency" ? "emergency" : kind === "amenity" && group === "room" ? "restroom" : group, pictogram);
}

/** The pictogram of a group, for the legend. */
export const groupSwatch = (group) => element(group, groupPictogram(group));

const element = (group, name) => h("span", { class: `swatch ${group}`, "aria-hidden": "true" }, pictogramElement(name));

/** A pictogram alone, in the colour of the text around it. */
export function pictogramElement(name) {
    const { box, fill, stroke } = pictogramOf(name);
    return h(
        "svg", { class: "pictogram", viewBox: `0 0 ${box} ${box}`, "aria-hidden": "true", focusable: "false", "data-pictogram": name },
        fill && h("path", { class: "pictogram-fill", d: fill }), stroke && h("path", { d: stroke }));
}
