// Prunes the history of a venue, after a confirmation that shows what would be deleted.

import { requestJSON } from "../../api.js";
import { fill, h } from "../../ui/element.js";
import { formatBytes, formatNumber } from "../formats.js";
import { openDialog } from "../../ui/dialog.js";
import { problemLine } from "../problem-messages.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

export function pruning(desk) {
    const count = h("input", {
        id: "prune-keep", type: "number", min: 1, max: 1e9, value: 20, required: true, inputmode: "numeric",
    });
    const errorMessage = h("p", { class: "error-message", role: "alert" });
    return h(
        "form", {
            class: "desk-section",
            onsubmit: async (event) => {
                event.preventDefault();
                fill(errorMessage);
                try {
                    await prune(desk, Number(count.value));
                } catch (error) {
                    fill(errorMessage, problemLine(error));
                }
            },
        },
        h("h2", {}, localized("desk.prune.title")),
        h("p", { class: "help" }, localized("desk.prune.help")),
        h("div", { class: "inline-field" },
            h("label", { for: "prune-keep" }, localized("desk.prune.keep")), count,
            h("button", { class: "quiet" }, localized("desk.prune.preview"))),
        errorMessage);
}

async function prune(desk, keep) {
    const plan = await requestPruning(desk, keep, true);
    if (plan.revisions === 0) return toast(localized("desk.prune.nothing"));
    const done = await confirm(plan, async () => {
        // If a revision was published in the meantime, more would be deleted than the user has confirmed.
        const currentPlan = await requestPruning(desk, keep, true);
        return currentPlan.first === plan.first ? requestPruning(desk, keep, false) : { changed: true };
    });
    if (!done) return undefined;
    if (done.changed) {
        toast(localized("desk.prune.changed"), "problem");
        return prune(desk, keep);
    }
    desk.venue = { ...desk.venue, first: done.first };
    return toast(localized("desk.prune.done", { n: done.first }), "done");
}

/** Asks for confirmation if keeping this number of revisions would delete any. Resolves with whether to go on. */
export async function confirmKeeping(desk, keep) {
    const plan = await requestPruning(desk, keep, true);
    return plan.revisions === 0 || Boolean(await confirm(plan, async () => true));
}

const requestPruning = (desk, keep, dryRun) => requestJSON(`/venues/${encodeURIComponent(desk.venueKey)}/prune`, {
    method: "POST", json: { keep_revisions: keep, dry_run: dryRun }, signal: desk.signal,
});

function confirm(plan, act) {
    const values = {
        revisions: formatNumber(plan.revisions), versions: formatNumber(plan.versions), bytes: formatBytes(plan.bytes),
        first: plan.first,
    };
    return openDialog({
        title: localized("desk.prune.confirmTitle", values),
        body: [h("p", {}, localized("desk.prune.would", values)), h("p", { class: "help" }, localized("desk.prune.permanent"))],
        actions: [{
            label: localized("desk.prune.confirm"), kind: "danger",
            act: () => act().catch((error) => { throw new Error(problemLine(error)); }),
        }],
    });
}
