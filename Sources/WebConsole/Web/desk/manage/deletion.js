// Deleting a venue. Nothing brings it back, so its key has to be typed.

import { ask } from "../../api.js";
import { button, labelled, verbatim } from "../fields.js";
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
        button("danger", word("desk.delete.button"), () => confirm(desk)));
}

async function confirm({ key, venue }) {
    const field = h("input", { id: "delete-key", autofocus: true, ...verbatim });
    const lost = {
        revisions: formatNumber(venue.head - venue.first + 1),
        levels: venue.levels.filter((level) => level.level_id !== null).length,
        features: formatNumber(venue.levels.reduce((sum, level) => sum + level.features, 0)),
    };
    const done = await openDialog({
        title: word("desk.delete.confirmTitle", { key }),
        body: [
            h("p", {}, word("desk.delete.would", lost)),
            labelled(field, word("desk.delete.type", { key })),
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
