// The choice of what to roll back: the whole venue, or selected levels.

import { choice } from "../fields.js";
import { fill, h } from "../../ui/element.js";
import { labelText } from "../../map/labels.js";
import { levelName } from "../names.js";
import { localized } from "../../localization/localization.js";

/** `{element, selectedLevels(), select(ids), selectAll()}`; `selectedLevels` returns null for the whole venue. */
export function levelChoice(levels, onChange) {
    const ordered = [...levels].sort((a, b) => (b.ordinal ?? -1e9) - (a.ordinal ?? -1e9));
    const checkboxes = ordered.map(({ level_id: id }) =>
        h("input", { type: "checkbox", id: `level-${id}`, value: id, onchange: () => onChange() }));
    const list = h("div", { class: "level-checkboxes" }, ordered.map((level, i) => {
        const help = [labelText(level.name), level.isRemoved && localized("desk.restore.removedLevel")];
        return choice(checkboxes[i], h("bdi", {}, levelName(level.level_id, levels)), help.filter(Boolean).join(" · "));
    }));
    const radios = ["all", "some"].map((value) => h("input", {
        type: "radio", name: "scope", value, id: `scope-${value}`, checked: value === "all",
        onchange: () => {
            update();
            onChange();
        },
    }));
    const update = () => fill(container, radios[1].checked && list);
    const container = h("div");
    return {
        element: h(
            "fieldset", { class: "level-choice" }, h("legend", {}, localized("desk.restore.scope")),
            radios.map((radio) => choice(
                radio, localized(`desk.restore.scope.${radio.value}`), localized(`desk.restore.scope.${radio.value}Help`))),
            container),
        selectedLevels: () => (radios[0].checked ? null : checkboxes.filter((box) => box.checked).map((box) => box.value)),
        select: (ids) => {
            for (const checkbox of checkboxes) if (ids.includes(checkbox.value)) checkbox.checked = true;
            onChange();
        },
        selectAll: () => {
            radios[0].checked = true;
            update();
            onChange();
        },
    };
}
