// The section of a place's card for publishers: what was edited by hand, and the buttons to change the place.

import "../../desk/messages.js";
import "./messages.js";
import { canBeOccupied } from "../categories.js";
import { isClosure } from "./closure.js";
import { attribution } from "./override-note.js";
import { changeTable, planNotes } from "./review.js";
import { editPlace } from "./place-editor.js";
import { isolated, withNames } from "../../ui/names.js";
import { mergePatch } from "./changes.js";
import { endOverride, overridesOf, sendEdits, undoChanges } from "./requests.js";
import { fill, h, icon } from "../../ui/element.js";
import { languagesOf } from "./languages.js";
import { hasHours, isEditable } from "./place-form.js";
import { partName, shortText } from "./value-text.js";
import { problemLine } from "../../desk/problem-messages.js";
import { publishedToast } from "./undo.js";
import { StepDialog } from "./step-dialog.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

export class CardSection {
    #page;
    #editing;
    #place = null;
    #onAddShop;
    #notes;
    #buttons;
    #overrides = [];
    #shownRevision = null;

    /** Fills the elements `actions` and `notes`, which are on the card. */
    constructor({ actions, notes }, page, editing, { onAddShop }) {
        this.#buttons = actions;
        this.#notes = notes;
        this.#page = page;
        this.#editing = editing;
        this.#onAddShop = onAddShop;
        actions.setAttribute("aria-label", localized("edit.section"));
    }

    /** Shows the section for a place, again after every revision: an upload may contest an edit without changing the feature. */
    show(place) {
        this.#place = place;
        const { revision } = this.#page.live;
        if (this.#shownRevision === revision) return;
        this.#shownRevision = revision;
        this.#fillButtons();
        this.#loadNotes().catch(() => {});
    }

    /** The feature that has the position of a shop. */
    #anchor() {
        const id = this.#place.kind === "shop" ? this.#place.feature.properties.anchor_id : null;
        return typeof id === "string" ? this.#page.live.feature(id.toLowerCase()) : null;
    }

    get #timeZone() {
        return this.#page.live.about.timeZone;
    }

    /** What was edited by hand about the place and its position. */
    async #loadNotes() {
        const place = this.#place;
        const anchor = this.#anchor();
        const [own, position] = await Promise.all([place.id, anchor?.id].map((id) =>
            (id ? overridesOf(this.#page.venueKey, id, { signal: this.#page.signal }) : [])));
        if (place.id !== this.#place.id) return;
        // A shop that was added by hand has an anchor that was.
        this.#overrides = [...own, ...position.filter(({ kind }) => kind === "value")];
        fill(this.#notes, this.#overrides.map((override) => this.#note(override)));
        this.#fillButtons();
    }

    #note(override) {
        const isContested = override.state === "contested";
        const title = override.kind === "value" ? partName(override.pointer) : localized(`edit.kind.${override.kind}`);
        return h(
            "div", { class: `override-note ${isContested ? "is-contested" : ""}`, "data-pointer": override.pointer },
            icon("pencil"),
            h("span", {},
                h("strong", {}, title), localized("edit.colon"), attribution(override, this.#timeZone),
                override.kind === "value" && [" ", localized(isContested ? "edit.sourceSaysNow" : "edit.sourceSays", {
                    value: shortText(override.pointer, override.source),
                })],
                override.message && h("span", { class: "override-message" }, withNames(`“${isolated(override.message)}”`))),
            isContested
                ? h("a", { class: "button bare small", href: `#/${this.#page.venueKey}/desk/overrides?state=contested` }, localized("edit.decide"))
                : override.kind === "value" && h("button", {
                    type: "button", class: "bare small", onclick: () => this.#revert(override),
                    "aria-label": localized("edit.revertPart", { part: title }),
                }, localized("edit.revert")));
    }

    /** The edit that closes the place until a time, if there is one. */
    get #closing() {
        const isClosing = ({ pointer, until, value }) =>
            pointer === "/properties/hours" && until && isClosure(value, new Date(until), this.#timeZone);
        return this.#overrides.find(isClosing);
    }

    #fillButtons() {
        const { kind, feature } = this.#place;
        const button = (name, iconName, act, kindOf = "quiet") => h(
            "button", { type: "button", class: kindOf, "data-id": `edit-${name}`, onclick: act }, icon(iconName), localized(`edit.${name}`));
        const buttons = [
            isEditable(feature.type) && button("edit", "pencil", () => this.#edit()),
            kind === "room" && canBeOccupied(feature.category) && button("addShopHere", "plus", () => this.#onAddShop(this.#place.feature)),
            this.#movable() && button("move", "move", () => this.#move()),
            hasHours(feature.type) && (this.#closing
                ? button("reopen", "clock", () => this.#revert(this.#closing, this.#closing.covered[0]))
                : button("close", "clock", () => this.#close())),
            button("hide", "hide", () => this.#hide()),
        ].filter(Boolean);
        const names = (elements) => [...elements].map(({ dataset }) => dataset.id).join();
        // A button that is replaced while it is pressed is not clicked. What buttons act on is read when they are.
        if (names(buttons) === names(this.#buttons.children)) return;
        const focused = this.#buttons.contains(document.activeElement) ? document.activeElement.dataset.id : null;
        fill(this.#buttons, buttons);
        if (focused) this.#buttons.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true });
    }

    /** What moves when the position of the place is dragged: `{feature, pointer}`. */
    #movable() {
        const anchor = this.#anchor();
        if (anchor) return { feature: anchor, pointer: "/geometry" };
        const { feature } = this.#place;
        if (feature.geometry?.type === "Point") return { feature, pointer: "/geometry" };
        return isEditable(feature.type) && this.#place.kind !== "shop" ? { feature, pointer: "/properties/display_point" } : null;
    }

    /** Runs a part of the editor, and shows the problem if it cannot begin. */
    async #run(act) {
        if (this.#editing.isBusy) return;
        this.#editing.isBusy = true;
        const focused = document.activeElement?.dataset?.id;
        try {
            await act();
        } catch (error) {
            toast(error.status === undefined ? error.message : problemLine(error), "problem");
        } finally {
            this.#editing.isBusy = false;
            this.#shownRevision = null;
            this.show(this.#place);
            if (focused && document.activeElement === document.body) this.#buttons.querySelector(`[data-id="${focused}"]`)?.focus();
        }
    }

    #edit() {
        return this.#run(() => editPlace({
            venueKey: this.#page.venueKey, id: this.#place.id, name: this.#place.name, languages: languagesOf(this.#page.live),
            timeZone: this.#timeZone,
        }));
    }

    #close() {
        return this.#run(async () => {
            const { closePlace } = await import("./closing.js");
            await closePlace({ venueKey: this.#page.venueKey, id: this.#place.id, name: this.#place.name, timeZone: this.#timeZone });
        });
    }

    #hide() {
        return this.#run(async () => {
            const { hidePlace } = await import("./hiding.js");
            await hidePlace({ page: this.#page, id: this.#place.id, name: this.#place.name, timeZone: this.#timeZone });
        });
    }

    #move() {
        return this.#run(async () => {
            const { movePlace } = await import("./moving.js");
            await movePlace({ page: this.#page, place: this.#place, ...this.#movable() });
        });
    }

    /** Goes back to what the source says, or to an earlier edit. */
    #revert(override, earlier) {
        return this.#run(async () => {
            const { venueKey } = this.#page;
            const { pointer, value, source, feature } = override;
            const changes = [{ pointer, before: value, value: earlier ? earlier.value : source }];
            const edits = [earlier ? { feature, patch: mergePatch(changes) } : { revert: feature, pointer }];
            const plan = await sendEdits(venueKey, edits, { until: earlier?.until, isDryRun: true });
            const dialog = new StepDialog();
            dialog.show({
                title: localized("edit.revertTitle", { name: isolated(this.#place.name) }), body: [changeTable(changes, { timeZone: this.#timeZone }), planNotes(plan)],
                actions: [
                    dialog.cancelAction,
                    {
                        label: localized("edit.publish"), kind: "primary",
                        act: async () => {
                            const result = earlier
                                ? await sendEdits(venueKey, edits, { until: earlier.until }) : await endOverride(venueKey, override.id);
                            dialog.close();
                            const message = localized("edit.undoMessage", { n: result.revision });
                            publishedToast(isolated(this.#place.name), result,
                                () => undoChanges(venueKey, feature, changes, [override], message));
                        },
                    },
                ],
            });
            await dialog.closed;
        });
    }
}
