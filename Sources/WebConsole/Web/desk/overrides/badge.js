// The number of contested overrides, beside the tab of the edits.

import { requestJSON } from "../../api.js";
import { fill, h } from "../../ui/element.js";
import { localized } from "../../localization/localization.js";

/** More are not counted. */
const limit = 100;

/** A badge that fills itself, and stays empty if there is nothing to decide. `update()` counts again. */
export function contestedBadge(venueKey, signal) {
    const element = h("span", { class: "tab-badge" });
    const update = async () => {
        const path = `/venues/${encodeURIComponent(venueKey)}/overrides?state=contested&limit=${limit}`;
        const { overrides, next } = await requestJSON(path, { signal });
        fill(element, overrides.length > 0 && h(
            "span", { class: "badge" }, `${overrides.length}${next ? "+" : ""}`,
            h("span", { class: "visually-hidden" }, ` ${localized("edit.toDecide")}`)));
    };
    element.update = () => update().catch(() => {}); // Without a number, the tab works all the same.
    element.update();
    return element;
}
