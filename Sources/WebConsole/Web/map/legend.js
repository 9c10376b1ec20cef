// The legend: the colours of the groups.

import { h, icon } from "../ui/element.js";
import { legendGroups } from "./categories.js";
import { localized } from "../localization/localization.js";

export function legend() {
    return h(
        "details", { class: "legend" },
        h("summary", {}, icon("layers"), h("span", {}, localized("map.legend"))),
        h("ul", {}, legendGroups.map((group) =>
            h("li", {}, h("span", { class: `swatch ${group}`, "aria-hidden": "true" }), localized(`group.${group}`)))));
}
