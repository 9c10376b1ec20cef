// Deletes a venue. This cannot be undone, so the user must type the venue key.

import { request } from "../../api.js";
import { button, labelled, verbatim } from "../fields.js";
import { h } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { openDialog } from "../../ui/dialog.js";
import { problemLine } from "../problem-messages.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

/** `onDeleted` is called when the venue was deleted. */
export function deletion(desk, onDeleted) {
    return h(
        "section", { class: "desk-section danger-zone" },
        h("h2", {}, localized("desk.delete.title")),
        h("p", {}, localized("desk.delete.help")),
        button("danger", localized("desk.delete.button"), () => confirm(desk, onDeleted)));
}

async function confirm({ venueKey: key, venue }, onDeleted) {
    const field = h("input", { id: "delete-key", autofocus: true, ...verbatim });
    const counts = venue && {
        revisions: formatNumber(venue.head - venue.first + 1),
        levels: venue.levels.filter((level) => level.level_id !== null).length,
        features: formatNumber(venue.levels.reduce((sum, level) => sum + level.features, 0)),
    };
    const done = await openDialog({
        title: localized("desk.delete.confirmTitle", { key }),
        body: [
            h("p", {}, counts ? localized("desk.delete.would", counts) : localized("desk.delete.wouldUnpublished")),
            labelled(field, localized("desk.delete.type", { key })),
        ],
        actions: [{
            label: localized("desk.delete.button"), kind: "danger",
            act: async () => {
                if (field.value.trim() !== key) {
                    field.select();
                    throw new Error(localized("desk.delete.wrong", { key }));
                }
                try {
                    await request(`/venues/${encodeURIComponent(key)}`, { method: "DELETE", json: { confirm: key } });
                } catch (error) {
                    throw new Error(problemLine(error));
                }
                return true;
            },
        }],
    });
    if (!done) return;
    onDeleted();
    toast(localized("desk.delete.done", { key }), "done");
    location.hash = "#/";
}
