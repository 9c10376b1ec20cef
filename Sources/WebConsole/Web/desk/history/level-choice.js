// Which floors go back: all of the venue, or those that are ticked.

import { choice } from "../fields.js";
import { fill, h } from "../../ui/element.js";
import { labelText } from "../../map/labels.js";
import { levelName } from "../names.js";
import { word } from "../../words/words.js";

/** `{element, read(), add(ids), all()}`; `read` gives null for the whole venue. */
export function levelChoice(levels, onChange) {
    const ordered = [...levels].sort((a, b) => (b.ordinal ?? -1e9) - (a.ordinal ?? -1e9));
    const boxes = ordered.map(({ level_id: id }) =>
        h("input", { type: "checkbox", id: `level-${id}`, value: id, onchange: () => onChange() }));
    const list = h("div", { class: "level-boxes" }, ordered.map((level, i) => {
        const more = [labelText(level.name), level.isGone && word("desk.restore.goneLevel")];
        return choice(boxes[i], levelName(level.level_id, levels), more.filter(Boolean).join(" · "));
    }));
    const radios = ["all", "some"].map((value) => h("input", {
        type: "radio", name: "scope", value, id: `scope-${value}`, checked: value === "all",
        onchange: () => {
            adapt();
            onChange();
        },
    }));
    const adapt = () => fill(place, radios[1].checked && list);
    const place = h("div");
    return {
        element: h(
            "fieldset", { class: "level-choice" }, h("legend", {}, word("desk.restore.scope")),
            radios.map((radio) => choice(
                radio, word(`desk.restore.scope.${radio.value}`), word(`desk.restore.scope.${radio.value}Help`))),
            place),
        read: () => (radios[0].checked ? null : boxes.filter((box) => box.checked).map((box) => box.value)),
        add: (ids) => {
            for (const box of boxes) if (ids.includes(box.value)) box.checked = true;
            onChange();
        },
        all: () => {
            radios[0].checked = true;
            adapt();
            onChange();
        },
    };
}
