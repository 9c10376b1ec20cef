// The legend: the colours and pictograms of the groups.

import { h, icon } from "../ui/element.js";
import { placeGroupName, placeGroups } from "./place-groups.js";
import { groupSwatch } from "./swatch.js";
import { localized } from "../localization/localization.js";

export function legend() {
    return h(
        "details", { class: "legend" },
        h("summary", {}, icon("layers"), h("span", {}, localized("map.legend"))),
        h("ul", {}, placeGroups.map((group) => h("li", {}, groupSwatch(group), placeGroupName(group)))));
}
