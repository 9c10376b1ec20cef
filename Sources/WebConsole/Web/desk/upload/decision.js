// The decision about a staged upload: the buttons to publish or discard it, and why it is staged.

import { request, requestJSON } from "../../api.js";
import { button, choice } from "../fields.js";
import { countsLine } from "./upload-entry.js";
import { fill, h, icon } from "../../ui/element.js";
import { formatMoment } from "../formats.js";
import { guardFacts } from "./guard-facts.js";
import { acceptLanguage } from "./follow-upload.js";
import { openDialog } from "../../ui/dialog.js";
import { overridesLink } from "../overrides/staged.js";
import { problemLine } from "../problem-messages.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

/** The buttons that decide about a staged upload. */
export function decision(desk, upload) {
    if (upload.state !== "staged") return null;
    const { reasons, publish_at: time } = upload;
    const errorMessage = h("p", { class: "error-message", role: "alert" });
    return h(
        "section", { class: "decision", tabindex: -1, "aria-label": localized("desk.decision.held") },
        h("p", { class: "desk-actions" },
            button(publishKind(reasons), localized(time ? "desk.decision.publishNow" : "desk.decision.publish"), () => publish(desk, upload, errorMessage)),
            button("quiet", localized("desk.decision.discard"), () => discard(desk, upload, errorMessage))),
        errorMessage);
}

/** Whether a revision was published after the comparison that the user sees. */
export const isBehind = (desk, { base }) => base > 0 && (desk.venue?.head ?? 0) > base;

/** What to know before the decision: when it is published without one, what guards have stopped, and what was published since. */
export function checks(desk, upload) {
    const { reasons, base, publish_at: time } = upload;
    const head = desk.venue?.head ?? 0;
    if (upload.state !== "staged" || !(time || isBehind(desk, upload) || reasons.length > 0)) return null;
    return h(
        "section", {
            class: "upload-checks", tabindex: -1, "aria-label": localized(`desk.decision.${time && reasons.length === 0 ? "scheduled" : "guarded"}`),
        },
        time && h("p", {}, localized("desk.decision.scheduledAt", { time: formatMoment(time, desk.venue?.about.time_zone) })),
        reasons.length > 0 && h("ul", { class: "reasons" }, reasons.map((reason) => h(
            "li", {}, icon("alert"),
            h("span", {}, h("strong", {}, localized(`desk.reason.${reason}`)), " ",
                guardFacts(desk, upload, reason, localized(`desk.reason.${reason}.advice`)), question(reason),
                reason === "overrides" && overridesLink(desk, upload))))),
        isBehind(desk, upload) && h("p", { class: "notice" }, icon("alert"), localized("desk.decision.behind", { base, head })));
}

async function publish(desk, upload, errorMessage) {
    const guards = upload.reasons.filter(isGuard);
    const checkboxes = guards.map((reason) => h("input", { type: "checkbox", id: `confirm-${reason}`, name: "confirm", value: reason }));
    fill(errorMessage);
    const outcome = await openDialog({
        title: localized(upload.publish_at ? "desk.publish.titleNow" : "desk.publish.title", { venue: upload.venue }),
        body: [
            h("p", {}, upload.changes ? countsLine(upload.changes) : ""),
            upload.publish_at && h("p", { class: "notice" }, icon("alert"),
                localized("desk.publish.early", { time: formatMoment(upload.publish_at, desk.venue?.about.time_zone) })),
            h("p", { class: "help" }, localized("desk.publish.help")),
            checkboxes.map((checkbox, i) => choice(
                checkbox, localized(`desk.reason.${guards[i]}.confirm`, upload.changes ?? {}), guardFacts(desk, upload, guards[i], ""))),
        ],
        actions: [{
            label: localized(upload.publish_at ? "desk.decision.publishNow" : "desk.decision.publish"), kind: publishKind(upload.reasons),
            act: () => {
                const unchecked = checkboxes.find((checkbox) => !checkbox.checked);
                if (unchecked) {
                    unchecked.focus();
                    throw new Error(localized("desk.publish.unconfirmed"));
                }
                return requestPublish(upload, guards);
            },
        }],
    });
    if (!outcome) return;
    if (outcome.error) showError(outcome.error, errorMessage);
    else if (outcome.state === "published") toast(localized("desk.publish.done", { n: outcome.revision }), "done");
    else if (outcome.state === "unchanged") toast(localized("desk.outcome.unchanged"));
    await refresh(desk);
}

/** Refreshes the page and focuses the outcome, because the button that had the focus is gone. */
async function refresh(desk) {
    try {
        await desk.refresh();
    } catch (error) {
        // With its first revision a venue gets a new page, which aborts what this one still requests.
        if (desk.signal.aborted) return;
        throw error;
    }
    (desk.root.querySelector(".outcome") ?? desk.root.querySelector(".decision"))?.focus();
}

/**
 * Whether publishing needs a confirmation of the reason. `head_moved` does not, because `base` says which comparison the user has seen,
 * nor `key_revoked`, because the request is authorized by another key.
 */
const isGuard = (reason) => reason !== "head_moved" && reason !== "key_revoked";

const publishKind = (reasons) => (reasons.some(isGuard) ? "danger" : "primary");

/** What the user should ask themselves before they publish it. */
const question = (reason) => (["removal", "other_venue"].includes(reason) ? [" ", localized(`desk.reason.${reason}.question`)] : null);

/** Returns the upload after publishing, or `{error}` if it was not published. */
const requestPublish = (upload, confirm) => orConflict(requestJSON(`/uploads/${upload.id}/publish?wait=30`, {
    method: "POST", json: { base: upload.base, confirm }, headers: acceptLanguage(),
}));

/** The response to a decision; `{error}` if the state of the upload does not allow it any more. */
async function orConflict(response) {
    try {
        return await response;
    } catch (error) {
        // The changes are different now, or the upload was decided elsewhere, or by a request whose response was lost. The page shows the
        // new state.
        if (error.status === 409) return { error };
        throw Object.assign(new Error(problemLine(error)), { status: error.status });
    }
}

function showError(error, errorMessage) {
    fill(errorMessage, problemLine(error));
    toast(problemLine(error), "problem");
}

async function discard(desk, upload, errorMessage) {
    fill(errorMessage);
    const outcome = await openDialog({
        title: localized("desk.discard.title"),
        body: h("p", {}, localized("desk.discard.help")),
        actions: [{
            label: localized("desk.decision.discard"), kind: "danger",
            act: () => orConflict(request(`/uploads/${upload.id}`, { method: "DELETE" })),
        }],
    });
    if (!outcome) return;
    if (outcome.error) showError(outcome.error, errorMessage);
    else toast(localized("desk.discard.done"), "done");
    await refresh(desk);
}
