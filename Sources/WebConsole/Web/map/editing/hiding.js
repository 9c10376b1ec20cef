// Hides a feature, with everything that refers to it, which is listed before.

import { categoryName } from "./categories.js";
import { fill, h, icon } from "../../ui/element.js";
import { isolated, withNames } from "../../ui/names.js";
import { labelText } from "../labels.js";
import { loadingState } from "../../ui/states.js";
import { planNotes, problemsOf } from "./review.js";
import { problemLine } from "../../desk/problem-messages.js";
import { publishedToast } from "./undo.js";
import { randomID, readFeature, sendEdits } from "./requests.js";
import { StepDialog } from "./step-dialog.js";
import { timeField } from "./time-field.js";
import { typeName } from "../../desk/names.js";
import { localized } from "../../localization/localization.js";

/** How many of the features that are hidden with another one are named. */
const namedDependents = 30;

export async function hidePlace({ page, id, name, timeZone }) {
    const { venueKey } = page;
    const dialog = new StepDialog();
    const operation = { hide: id, dependents: "hide" };
    const requestID = randomID();
    const until = timeField("edit-until", { title: localized("edit.hideUntil"), help: localized("edit.hideUntilHelp"), timeZone });
    const message = h("input", { id: "edit-message", name: "message", maxlength: 600, autocomplete: "off" });
    const consequences = h("div", { class: "consequences" }, loadingState());
    const confirm = h("input", { type: "checkbox", id: "edit-dependents" });
    let plan = null;
    dialog.show({
        title: localized("edit.hideTitle", { name: isolated(name) }),
        body: [
            h("p", {}, localized("edit.hideHelp")), consequences, until.element,
            h("div", { class: "field" }, h("label", { for: message.id }, localized("edit.message")), message),
        ],
        actions: [
            dialog.cancelAction,
            { label: localized("edit.hideNow"), kind: "danger", act: publish },
        ],
    });
    // Not awaited: who closes the dialog before the answer can go on with something else.
    loadPlan();
    await dialog.closed;

    async function loadPlan() {
        try {
            plan = await sendEdits(venueKey, [operation], { isDryRun: true });
            fill(consequences, await dependentList(), planNotes(plan));
        } catch (error) {
            fill(consequences);
            dialog.showError(problemsOf(error)[0]?.text ?? problemLine(error));
        }
    }

    async function dependentList() {
        if (plan.dependents.length === 0) return null;
        const names = await Promise.all(plan.dependents.slice(0, namedDependents).map((dependent) => nameOf(dependent)));
        return [
            h("p", { class: "notice" }, icon("alert"), localized("edit.dependents", { n: plan.dependents.length })),
            h("ul", { class: "dependents" }, names.map((text) => h("li", {}, withNames(text))),
                plan.dependents.length > names.length && h("li", {}, localized("edit.more", { n: plan.dependents.length - names.length }))),
            h("label", { class: "choice", for: confirm.id }, confirm, h("span", {}, localized("edit.dependentsConfirm"))),
        ];
    }

    async function nameOf(dependent) {
        const feature = page.live.feature(dependent)?.geojson ?? await readFeature(venueKey, dependent).then((each) => each.feature, () => null);
        if (!feature) return dependent;
        const { name: label, category } = feature.properties ?? {};
        const text = labelText(label, page.live.about.language) ?? (typeof category === "string" ? categoryName(category) : null);
        return text ? localized("edit.dependent", { name: isolated(text), type: typeName(feature.feature_type) }) : typeName(feature.feature_type);
    }

    async function publish() {
        if (!plan) throw new Error(localized("edit.notPlanned"));
        if (plan.dependents.length > 0 && !confirm.checked) {
            confirm.focus();
            throw new Error(localized("edit.dependentsUnconfirmed"));
        }
        const end = until.read();
        // What was listed is what happens: another revision may have added something that refers to the feature.
        const options = { id: requestID, base: plan.base, until: end, message: message.value.trim() };
        let result;
        try {
            result = await sendEdits(venueKey, [operation], options);
        } catch (error) {
            if (error.type !== "head-moved") throw new Error(problemsOf(error)[0]?.text ?? problemLine(error));
            plan = await sendEdits(venueKey, [operation], { isDryRun: true });
            fill(consequences, await dependentList(), planNotes(plan));
            throw new Error(localized("edit.changedMeanwhile"));
        }
        dialog.close();
        document.getElementById("main").focus();
        const edits = [id, ...result.dependents].map((each) => ({ show: each }));
        const undoMessage = localized("edit.undoMessage", { n: result.revision });
        publishedToast(localized("edit.hidden", { name: isolated(name) }), result, () => sendEdits(venueKey, edits, { message: undoMessage }));
    }
}
