// What the colours mean.

import { h, icon } from "../ui/element.js";
import { legendGroups } from "./categories.js";
import { word } from "../words/words.js";

export function legend() {
    return h(
        "details", { class: "legend" },
        h("summary", {}, icon("layers"), h("span", {}, word("map.legend"))),
        h("ul", {}, legendGroups.map((group) =>
            h("li", {}, h("span", { class: `swatch ${group}`, "aria-hidden": "true" }), word(`group.${group}`)))));
}
