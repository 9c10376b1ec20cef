// Ending a venue's history: what would go is shown before anything goes.

import { askJSON } from "../../api.js";
import { fill, h } from "../../ui/element.js";
import { formatBytes, formatNumber } from "../formats.js";
import { openDialog } from "../../ui/dialog.js";
import { problemLine } from "../problem-words.js";
import { toast } from "../../ui/toast.js";
import { word } from "../../words/words.js";

export function pruning(desk) {
    const count = h("input", {
        id: "prune-keep", type: "number", min: 1, max: 1e9, value: 20, required: true, inputmode: "numeric",
    });
    const told = h("p", { class: "told", role: "alert" });
    return h(
        "form", {
            class: "desk-section",
            onsubmit: async (event) => {
                event.preventDefault();
                fill(told);
                try {
                    await prune(desk, Number(count.value));
                } catch (error) {
                    fill(told, problemLine(error));
                }
            },
        },
        h("h2", {}, word("desk.prune.title")),
        h("p", { class: "help" }, word("desk.prune.help")),
        h("div", { class: "inline-field" },
            h("label", { for: "prune-keep" }, word("desk.prune.keep")), count,
            h("button", { class: "quiet" }, word("desk.prune.look"))),
        told);
}

async function prune(desk, keep) {
    const plan = await request(desk, keep, true);
    if (plan.revisions === 0) return toast(word("desk.prune.nothing"));
    const done = await confirm(plan, async () => {
        // How many are kept counts from the newest: with what was published since, more would go than what was shown.
        const now = await request(desk, keep, true);
        return now.first === plan.first ? request(desk, keep, false) : { changed: true };
    });
    if (!done) return undefined;
    if (done.changed) {
        toast(word("desk.prune.changed"), "problem");
        return prune(desk, keep);
    }
    desk.venue = { ...desk.venue, first: done.first };
    return toast(word("desk.prune.done", { n: done.first }), "done");
}

/** Whether somebody who was shown what would go if only so many revisions were kept wants that. */
export async function agreesToKeep(desk, keep) {
    const plan = await request(desk, keep, true);
    return plan.revisions === 0 || Boolean(await confirm(plan, async () => true));
}

const request = (desk, keep, dryRun) => askJSON(`/venues/${encodeURIComponent(desk.key)}/prune`, {
    method: "POST", json: { keep_revisions: keep, dry_run: dryRun }, signal: desk.signal,
});

function confirm(plan, act) {
    const values = {
        revisions: formatNumber(plan.revisions), versions: formatNumber(plan.versions), bytes: formatBytes(plan.bytes),
        first: plan.first,
    };
    return openDialog({
        title: word("desk.prune.confirmTitle", values),
        body: [h("p", {}, word("desk.prune.would", values)), h("p", { class: "help" }, word("desk.prune.forEver"))],
        actions: [{
            label: word("desk.prune.do"), kind: "danger",
            act: () => act().catch((error) => { throw new Error(problemLine(error)); }),
        }],
    });
}
