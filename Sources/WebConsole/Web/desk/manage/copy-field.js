// A read-only field with a button that copies its text.

import { button } from "../fields.js";
import { h } from "../../ui/element.js";
import { localized } from "../../localization/localization.js";

export function copyField(id, label, text) {
    const field = h("input", { id, value: text, readonly: true, class: "mono", onfocus: () => field.select() });
    const status = h("span", { class: "help", role: "status" });
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(text);
            status.textContent = localized("desk.copied");
        } catch {
            // Browsers give access to the clipboard only in secure contexts.
            field.focus();
            field.select();
            status.textContent = localized("desk.copyByHand");
        }
    };
    return h(
        "div", { class: "field" },
        h("label", { for: id }, label),
        h("div", { class: "copy" }, field, button("quiet", localized("desk.copy"), copy)), status);
}
