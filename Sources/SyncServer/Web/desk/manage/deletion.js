// Deleting a venue. Nothing brings it back, so its key has to be typed.

import { ask } from "../../api.js";
import { h } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { openDialog } from "../../ui/dialog.js";
import { problemLine } from "../problem-words.js";
import { toast } from "../../ui/toast.js";
import { word } from "../../words/words.js";

export function deletion(desk) {
    return h(
        "section", { class: "desk-section danger-zone" },
        h("h2", {}, word("desk.delete.title")),
        h("p", {}, word("desk.delete.help")),
        h("button", { type: "button", class: "danger", onclick: () => confirm(desk) }, word("desk.delete.button")));
}

async function confirm({ key, venue }) {
    const field = h("input", { id: "delete-key", autocomplete: "off", spellcheck: "false", autocapitalize: "none", autofocus: true });
    const features = venue.levels.reduce((sum, level) => sum + level.features, 0);
    const levels = venue.levels.filter((level) => level.level_id !== null).length;
    const done = await openDialog({
        title: word("desk.delete.confirmTitle", { key }),
        body: [
            h("p", {}, word("desk.delete.would", { revisions: formatNumber(venue.head - venue.first + 1), features: formatNumber(features), levels })),
            h("label", { for: "delete-key" }, word("desk.delete.type", { key })), field,
        ],
        actions: [{
            label: word("desk.delete.button"), kind: "danger",
            act: async () => {
                if (field.value.trim() !== key) {
                    field.select();
                    throw new Error(word("desk.delete.wrong", { key }));
                }
                try {
                    await ask(`/venues/${encodeURIComponent(key)}`, { method: "DELETE", json: { confirm: key } });
                } catch (error) {
                    throw new Error(problemLine(error));
                }
                return true;
            },
        }],
    });
    if (!done) return;
    toast(word("desk.delete.done", { key }), "done");
    location.hash = "#/";
}
