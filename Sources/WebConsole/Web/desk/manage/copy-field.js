// A text to take elsewhere, with a button that copies it.

import { button } from "../fields.js";
import { h } from "../../ui/element.js";
import { word } from "../../words/words.js";

export function copyField(id, label, text) {
    const field = h("input", { id, value: text, readonly: true, class: "mono", onfocus: () => field.select() });
    const told = h("span", { class: "help", role: "status" });
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(text);
            told.textContent = word("desk.copied");
        } catch {
            // Browsers lend the clipboard in secure contexts only.
            field.focus();
            field.select();
            told.textContent = word("desk.copyByHand");
        }
    };
    return h(
        "div", { class: "field" },
        h("label", { for: id }, label),
        h("div", { class: "copy" }, field, button("quiet", word("desk.copy"), copy)), told);
}
