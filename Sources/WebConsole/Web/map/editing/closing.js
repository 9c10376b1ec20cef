// Closes a place until a time: an edit of its opening hours that ends by itself.

import { changeTable, planNotes, problemsOf } from "./review.js";
import { closedUntil } from "./closure.js";
import { h } from "../../ui/element.js";
import { isolated } from "../../ui/names.js";
import { LocalClock } from "../../client/hours/local-clock.js";
import { patchFeature, readFeature, undoChanges } from "./requests.js";
import { problemLine } from "../../desk/problem-messages.js";
import { publishedToast } from "./undo.js";
import { shortText } from "./value-text.js";
import { StepDialog } from "./step-dialog.js";
import { timeField } from "./time-field.js";
import { valueAt } from "./changes.js";
import { localized } from "../../localization/localization.js";

const pointer = "/properties/hours";

export async function closePlace({ venueKey, id, name, timeZone }) {
    let state = await readFeature(venueKey, id);
    const until = timeField("edit-until", {
        title: localized("edit.closeUntil"), help: localized("edit.closeUntilHelp"), timeZone, isRequired: true,
    });
    const message = h("input", {
        id: "edit-message", name: "message", maxlength: 600, autocomplete: "off", placeholder: localized("edit.closeMessageExample"),
    });
    const dialog = new StepDialog({ hasChanges: () => until.input.value !== "" });
    showForm();
    await dialog.closed;

    /** The edit of the hours that the closure covers; null if there is none. */
    function earlierEdit() {
        return state.overrides.find((override) => override.pointer === pointer && override.kind === "value") ?? null;
    }

    function showForm() {
        const earlier = earlierEdit();
        dialog.show({
            title: localized("edit.closeTitle", { name: isolated(name) }), focus: until.input,
            body: [
                until.element,
                h("div", { class: "field" }, h("label", { for: message.id }, localized("edit.message")), message),
                earlier && h("p", { class: "notice" }, localized("edit.closeCovers", { value: shortText(pointer, earlier.value) })),
            ],
            actions: [
                dialog.cancelAction,
                { label: localized("edit.review"), kind: "primary", act: review },
            ],
        });
    }

    async function review() {
        const end = until.read();
        const changes = [{ pointer, before: valueAt(state.feature, pointer), value: hoursUntil(end) }];
        const plan = await send(changes, end, true);
        dialog.show({
            title: localized("edit.review.title", { name: isolated(name) }), body: [changeTable(changes, { timeZone }), planNotes(plan, { until: end, timeZone })],
            actions: [
                dialog.cancelAction,
                { label: localized("edit.back"), act: showForm },
                { label: localized("edit.publish"), kind: "primary", act: () => publish(changes, end) },
            ],
        });
    }

    /**
     * Those that hold again after the closure, with the closure. An edit that ends before it does not hold again. Without a time zone nobody
     * could tell its dates.
     */
    function hoursUntil(end) {
        if (LocalClock.of(timeZone) === null) return "off";
        const earlier = earlierEdit();
        const edits = earlier ? [earlier, ...earlier.covered ?? []] : [];
        const lasting = edits.find((edit) => !edit.until || new Date(edit.until) > new Date(end));
        const text = lasting ? lasting.value : earlier ? earlier.source : valueAt(state.feature, pointer);
        return closedUntil(text, { now: new Date(), end: new Date(end), timeZone: until.timeZone });
    }

    async function publish(changes, end) {
        const result = await send(changes, end, false);
        dialog.close();
        const undoMessage = localized("edit.undoMessage", { n: result.revision });
        publishedToast(isolated(name), result, () => undoChanges(venueKey, id, changes, state.overrides, undoMessage));
    }

    async function send(changes, end, isDryRun) {
        try {
            return await patchFeature(venueKey, id, changes, { tag: state.tag, until: end, message: message.value.trim(), isDryRun });
        } catch (error) {
            if (error.type !== "feature-changed") throw new Error(problemsOf(error)[0]?.text ?? problemLine(error));
            state = await readFeature(venueKey, id);
            throw new Error(localized("edit.changedMeanwhile"));
        }
    }
}
