// What to do about an upload that is staged: why it waits, publish it, discard it.

import { ask, askJSON } from "../../api.js";
import { button, choice } from "../fields.js";
import { countsLine } from "./upload-entry.js";
import { fill, h, icon } from "../../ui/element.js";
import { formatTime } from "../formats.js";
import { language } from "./follow-upload.js";
import { openDialog } from "../../ui/dialog.js";
import { problemLine } from "../problem-words.js";
import { toast } from "../../ui/toast.js";
import { word } from "../../words/words.js";

export function decision(desk, upload) {
    if (upload.state !== "staged") return null;
    const { reasons, base, publish_at: time } = upload;
    const head = desk.venue?.head ?? 0;
    const told = h("p", { class: "told", role: "alert" });
    return h(
        "section",
        { class: `decision ${reasons.length > 0 ? "is-stopped" : ""}`, tabindex: -1, "aria-labelledby": "decision-title" },
        h("h2", { id: "decision-title" }, word(`desk.decision.${time ? "timed" : reasons.length > 0 ? "stopped" : "held"}`)),
        time && h("p", {}, word("desk.decision.timedAt", { time: formatTime(time, { dateStyle: "full", timeStyle: "short" }) })),
        reasons.length > 0 && h("ul", { class: "reasons" }, reasons.map((reason) => h(
            "li", {}, icon("alert"),
            h("span", {}, h("strong", {}, word(`desk.reason.${reason}`)), " ", word(`desk.reason.${reason}.advice`))))),
        h("p", {}, base > 0 ? word("desk.decision.base", { n: base }) : word("desk.decision.first")),
        head > base && base > 0 && h("p", { class: "notice" }, icon("alert"), word("desk.decision.behind", { base, head })),
        h("p", { class: "desk-actions" },
            button("primary", word("desk.decision.publish"), () => publish(desk, upload, told)),
            button("quiet", word("desk.decision.discard"), () => discard(desk, upload))),
        told);
}

async function publish(desk, upload, told) {
    // That the venue moved on needs no confirmation: the base says what was looked at. Nor does a revoked key: another one asks.
    const guards = upload.reasons.filter((reason) => reason !== "head_moved" && reason !== "key_revoked");
    const boxes = guards.map((reason) => h("input", { type: "checkbox", id: `confirm-${reason}`, name: "confirm", value: reason }));
    fill(told);
    const answer = await openDialog({
        title: word("desk.publish.title", { venue: upload.venue }),
        body: [
            h("p", {}, upload.changes ? countsLine(upload.changes) : ""),
            h("p", { class: "help" }, word("desk.publish.help")),
            boxes.map((box, i) => choice(box, word(`desk.reason.${guards[i]}.confirm`, upload.changes ?? {}))),
        ],
        actions: [{
            label: word("desk.decision.publish"), kind: "primary",
            act: () => {
                const open = boxes.find((box) => !box.checked);
                if (open) {
                    open.focus();
                    throw new Error(word("desk.publish.unconfirmed"));
                }
                return send(upload, guards);
            },
        }],
    });
    if (!answer) return;
    if (answer.error) {
        fill(told, problemLine(answer.error));
        toast(problemLine(answer.error), "problem");
    } else if (answer.state === "published") {
        toast(word("desk.publish.done", { n: answer.revision }), "done");
    } else if (answer.state === "unchanged") {
        toast(word("desk.outcome.unchanged"));
    }
    await showNews(desk);
}

/** Brings the page up to date; the keyboard goes on at what came of it, because the button that was pressed is gone. */
async function showNews(desk) {
    await desk.refresh();
    (desk.root.querySelector(".outcome") ?? desk.root.querySelector(".decision"))?.focus();
}

/** The upload as it is then, or `{error}` when it was not published after all. */
async function send(upload, confirm) {
    try {
        return await askJSON(`/uploads/${upload.id}/publish?wait=30`, {
            method: "POST", json: { base: upload.base, confirm }, headers: language(),
        });
    } catch (error) {
        // Something else would change now, or the upload was dealt with elsewhere: the page below has the news.
        if (error.status === 409) return { error };
        throw Object.assign(new Error(problemLine(error)), { status: error.status });
    }
}

async function discard(desk, upload) {
    const done = await openDialog({
        title: word("desk.discard.title"),
        body: h("p", {}, word("desk.discard.help")),
        actions: [{
            label: word("desk.decision.discard"), kind: "danger",
            act: async () => {
                await ask(`/uploads/${upload.id}`, { method: "DELETE" });
                return true;
            },
        }],
    });
    if (!done) return;
    toast(word("desk.discard.done"), "done");
    await showNews(desk);
}
