// The list of descriptions of changes that the server sends, the most noticeable first. Only the first ones are visible at once.

import { h } from "../../ui/element.js";
import { withForeignNames } from "../../ui/names.js";
import { localized } from "../../localization/localization.js";

export function descriptionList(descriptions, limit = 8) {
    if (descriptions.length === 0) return null;
    const list = (texts) => h("ul", { class: "descriptions" }, texts.map((text) => h("li", {}, withForeignNames(text))));
    // A single hidden line would take as much space as the line that hides it.
    const visible = descriptions.length > limit + 1 ? limit : descriptions.length;
    return [
        list(descriptions.slice(0, visible)),
        visible < descriptions.length && h(
            "details", {}, h("summary", {}, localized("desk.changes.moreDescriptions", { n: descriptions.length - visible })),
            list(descriptions.slice(visible))),
    ];
}
