// Adds a shop to an empty unit: the unit is chosen on the map or in a list, then the form is filled in. The shop is an occupant with an
// anchor at the unit's label point.

import "../../desk/messages.js";
import "./messages.js";
import { changeTable, planNotes, problemsOf, problemsOfPlan } from "./review.js";
import { chooseUnit } from "./unit-chooser.js";
import { isolated } from "../../ui/names.js";
import { languagesOf } from "./languages.js";
import { labelPointOf } from "../../client/map/label-point.js";
import { PlaceForm } from "./place-form.js";
import { problemLine } from "../../desk/problem-messages.js";
import { publishedToast } from "./undo.js";
import { randomID, sendEdits } from "./requests.js";
import { StepDialog } from "./step-dialog.js";
import { toast } from "../../ui/toast.js";
import { valueAt } from "./changes.js";
import { localized } from "../../localization/localization.js";

/** `unit` is the unit of the shop; null to let the user choose one. */
export async function addShop(page, editing, unit = null) {
    if (editing.isBusy) return;
    editing.isBusy = true;
    try {
        const chosen = unit ?? await chooseUnit(page);
        if (chosen) await new ShopForm(page, chosen).open();
    } catch (error) {
        toast(error.status === undefined ? error.message : problemLine(error), "problem");
    } finally {
        editing.isBusy = false;
    }
}

class ShopForm {
    #page;
    #dialog;
    #form;
    #anchor;
    #occupant;
    /** Makes a repeated request have the first outcome. */
    #requestID = randomID();

    constructor(page, unit) {
        this.#page = page;
        const { about } = page.live;
        const position = labelPointOf(unit)?.position;
        this.#anchor = {
            id: randomID(), type: "Feature", feature_type: "anchor", geometry: { type: "Point", coordinates: position },
            properties: { address_id: null, unit_id: unit.id },
        };
        this.#occupant = {
            id: randomID(), type: "Feature", feature_type: "occupant", geometry: null,
            properties: {
                anchor_id: this.#anchor.id, category: null, correlation_id: null, hours: null, name: null, phone: null, validity: null,
                website: null,
            },
        };
        const state = { feature: this.#occupant, overrides: [], timeZone: about.timeZone };
        this.#form = new PlaceForm(state, { languages: languagesOf(page.live) });
        this.#dialog = new StepDialog({ hasChanges: () => this.#form.changes.length > 0, isWide: true });
    }

    async open() {
        this.#showForm();
        this.#form.focus();
        await this.#dialog.closed;
    }

    #showForm(problems = []) {
        this.#dialog.show({
            title: localized("edit.addShop"), body: this.#form.element,
            actions: [
                this.#dialog.cancelAction,
                { label: localized("edit.review"), kind: "primary", act: () => this.#review() },
            ],
        });
        const rest = this.#form.showProblems(problems);
        if (rest.length > 0) this.#dialog.showError(rest.join(" "));
        if (problems.length > 0) this.#form.focusOn(problems[0].pointer);
    }

    /** The occupant with what was entered. */
    #filled(changes) {
        const feature = structuredClone(this.#occupant);
        for (const { pointer, value } of changes) feature.properties[pointer.split("/")[2]] = value;
        return feature;
    }

    async #review() {
        this.#form.check();
        const { changes } = this.#form;
        const missing = ["/properties/name", "/properties/category"].filter((pointer) => !changes.some((change) => change.pointer === pointer))
            .map((pointer) => ({ pointer, text: localized(`edit.missing.${pointer.split("/")[2]}`) }));
        if (missing.length > 0) return this.#showForm(missing);
        const until = this.#form.until;
        const edits = [{ add: this.#anchor }, { add: this.#filled(changes) }];
        const plan = await this.#send(edits, { until, isDryRun: true });
        if (!plan) return null;
        return this.#dialog.show({
            title: localized("edit.review.title", { name: isolated(this.#name(changes)) }),
            body: [changeTable(changes), planNotes(plan, { until, timeZone: this.#page.live.about.timeZone })],
            actions: [
                this.#dialog.cancelAction,
                { label: localized("edit.back"), act: () => this.#showForm(problemsOfPlan(plan)) },
                { label: localized("edit.publish"), kind: "primary", act: () => this.#publish(edits, until, changes) },
            ],
        });
    }

    #name(changes) {
        const name = changes.find(({ pointer }) => pointer === "/properties/name").value;
        return name[this.#page.live.about.language] ?? Object.values(name)[0];
    }

    async #send(edits, { until, isDryRun }) {
        try {
            const id = isDryRun ? undefined : this.#requestID;
            return await sendEdits(this.#page.venueKey, edits, { id, until, message: this.#form.message, isDryRun });
        } catch (error) {
            if (error.type !== "edit-refused") throw new Error(problemLine(error));
            this.#showForm(problemsOf(error));
            return null;
        }
    }

    async #publish(edits, until, changes) {
        const result = await this.#send(edits, { until, isDryRun: false });
        if (!result) return;
        this.#dialog.close();
        const { venueKey } = this.#page;
        const added = [this.#occupant.id, this.#anchor.id].map((id) => ({ hide: id }));
        publishedToast(localized("edit.added", { name: isolated(this.#name(changes)) }), result,
            () => this.#takeBack(venueKey, added, localized("edit.undoMessage", { n: result.revision })));
        this.#page.pickWhenShown(this.#occupant.id);
    }

    /** Null if somebody has changed the shop since, or has taken it back. */
    async #takeBack(venueKey, edits, message) {
        const occupant = this.#page.live.feature(this.#occupant.id);
        if (occupant && valueAt(occupant.geojson, "/properties/anchor_id") !== this.#anchor.id) return null;
        try {
            return await sendEdits(venueKey, edits, { message });
        } catch (error) {
            if (error.type === "feature-not-found") return null;
            throw error;
        }
    }
}
