// Edits what a place says: the form, the review of what will change, and the decision when somebody else has changed the place
// meanwhile.

import { isolated } from "../../ui/names.js";
import { StepDialog } from "./step-dialog.js";
import { PlaceForm } from "./place-form.js";
import { changeTable, planNotes, problemsOf, problemsOfPlan } from "./review.js";
import { conflictsOf, conflictStep } from "./conflict.js";
import { h } from "../../ui/element.js";
import { isSame, valueAt } from "./changes.js";
import { patchFeature, readFeature, undoChanges } from "./requests.js";
import { problemLine } from "../../desk/problem-messages.js";
import { publishedToast } from "./undo.js";
import { localized } from "../../localization/localization.js";

/** Opens the editor. `languages` are those in which names are asked for. Resolves when it has closed. */
export async function editPlace({ venueKey, id, name, languages, timeZone }) {
    const state = { ...await readFeature(venueKey, id), timeZone };
    await new PlaceEditor(venueKey, id, name, languages, state).open();
}

class PlaceEditor {
    #form;

    constructor(venueKey, id, name, languages, state) {
        this.venueKey = venueKey;
        this.id = id;
        this.name = name;
        this.languages = languages;
        /** The feature as it was published when it was read last. */
        this.state = state;
        this.#form = new PlaceForm(state, { languages });
        this.dialog = new StepDialog({ hasChanges: () => this.#form.changes.length > 0, isWide: true });
    }

    async open() {
        this.#showForm();
        this.#form.focus();
        await this.dialog.closed;
    }

    #showForm(problems = []) {
        this.dialog.show({
            title: localized("edit.title", { name: isolated(this.name) }), body: this.#form.element,
            actions: [
                this.dialog.cancelAction,
                { label: localized("edit.review"), kind: "primary", act: () => this.#review(this.#form.changes) },
            ],
        });
        const rest = this.#form.showProblems(problems);
        if (rest.length > 0) this.dialog.showError(rest.join(" "));
        if (problems.length > 0) this.#form.focusOn(problems[0].pointer);
    }

    /** Plans the changes without publishing them. */
    async #review(changes) {
        this.#form.check();
        if (changes.length === 0) {
            this.#form.focus();
            throw new Error(localized("edit.nothingChanged"));
        }
        const until = this.#form.until;
        const plan = await this.#send(changes, { until, isDryRun: true });
        if (!plan) return;
        const back = () => this.#showForm(problemsOfPlan(plan));
        this.dialog.show({
            title: localized("edit.review.title", { name: isolated(this.name) }),
            body: [changeTable(changes), planNotes(plan, { until, timeZone: this.state.timeZone })],
            actions: [
                this.dialog.cancelAction,
                { label: localized("edit.back"), act: back },
                { label: localized("edit.publish"), kind: "primary", act: () => this.#publish(changes, until) },
            ],
        });
    }

    async #publish(changes, until) {
        const { overrides } = this.state;
        const result = await this.#send(changes, { until, isDryRun: false });
        if (!result) return;
        this.dialog.close();
        const message = localized("edit.undoMessage", { n: result.revision });
        publishedToast(isolated(this.name), result, () => undoChanges(this.venueKey, this.id, changes, overrides, message));
    }

    /** Returns the response; null if another step is shown instead: the form with a problem, or the decision about a conflict. */
    async #send(changes, { until, isDryRun }) {
        const { tag } = this.state;
        try {
            return await patchFeature(this.venueKey, this.id, changes, { tag, message: this.#form.message, until, isDryRun });
        } catch (error) {
            if (error.type === "feature-changed") await this.#decide(changes);
            else if (error.type === "edit-refused") this.#showForm(problemsOf(error));
            else throw new Error(problemLine(error));
            return null;
        }
    }

    /** Somebody else has changed the feature since it was read: shows what, and asks whose values to take where both changed one. */
    async #decide(changes) {
        const now = { ...await readFeature(this.venueKey, this.id), timeZone: this.state.timeZone };
        const before = this.state.feature;
        this.state = now;
        // A request whose response was lost has changed the feature itself.
        if (changes.every(({ pointer, value }) => isSame(valueAt(now.feature, pointer), value))) {
            return this.#showAlreadyPublished();
        }
        const found = conflictsOf(before, now.feature, changes);
        const step = await conflictStep(this.venueKey, this.id, now, found);
        return this.dialog.show({
            title: localized("edit.conflict.title"), body: step.element,
            actions: [
                this.dialog.cancelAction,
                { label: localized("edit.conflict.continue"), kind: "primary", act: () => this.#continue(step.decided(changes)) },
            ],
        });
    }

    /** Goes on with a form for the feature as it is now, in which the decided changes are entered. */
    async #continue(changes) {
        const form = new PlaceForm(this.state, { languages: this.languages });
        form.enter(changes, this.#form);
        this.#form = form;
        if (changes.length === 0) return this.#showForm();
        return this.#review(form.changes);
    }

    #showAlreadyPublished() {
        this.dialog.show({
            title: localized("edit.conflict.same"), body: h("p", {}, localized("edit.conflict.sameHelp")),
            actions: [{ label: localized("dialog.close"), kind: "primary", act: () => this.dialog.close() }],
        });
    }
}
