// Sets the opening hours of several shops at once: they are chosen, the hours are entered, and a review lists whose hours change from what
// to what before all of it is published as one revision.

import "../../desk/messages.js";
import "./messages.js";
import { h } from "../../ui/element.js";
import { hoursField } from "./hours-field.js";
import { isSame, mergePatch, pointerOf, valueAt } from "./changes.js";
import { overridesOfAll, randomID, sendEdits, undoAll } from "./requests.js";
import { planNotes, problemsOf } from "./review.js";
import { problemLine } from "../../desk/problem-messages.js";
import { publishedToast } from "./undo.js";
import { shopChooser } from "./shop-chooser.js";
import { StepDialog } from "./step-dialog.js";
import { timeField } from "./time-field.js";
import { toast } from "../../ui/toast.js";
import { valueText } from "./value-text.js";
import { localized } from "../../localization/localization.js";

const pointer = pointerOf("properties", "hours");

export async function setHoursOfShops(page, editing) {
    if (editing.isBusy) return;
    editing.isBusy = true;
    try {
        if (!page.floors.isLarge) await page.floors.loadMissing();
        await new ShopHours(page).open();
    } catch (error) {
        toast(error.status === undefined ? error.message : problemLine(error), "problem");
    } finally {
        editing.isBusy = false;
        if (document.activeElement === document.body) document.querySelector("[data-id=shop-hours]")?.focus();
    }
}

class ShopHours {
    #page;
    #chooser;
    #field = null;
    #until;
    #message = h("input", { id: "edit-message", name: "message", maxlength: 600, autocomplete: "off" });
    #dialog = new StepDialog({ hasChanges: () => this.#chooser.chosen().length > 0, isWide: true });

    constructor(page) {
        this.#page = page;
        this.#chooser = shopChooser(page);
        this.#until = timeField("edit-until", {
            title: localized("edit.until"), help: localized("edit.untilHelp"), timeZone: page.live.about.timeZone,
        });
    }

    async open() {
        this.#showChooser();
        await this.#dialog.closed;
    }

    #showChooser() {
        this.#dialog.show({
            title: localized("edit.shopHours"), body: this.#chooser.element,
            actions: [
                this.#dialog.cancelAction,
                { label: localized("edit.shops.setHours"), kind: "primary", act: () => this.#showForm() },
            ],
        });
    }

    /** The chosen shops as they are published: `[{place, before}]`. */
    get #shops() {
        const current = (place) => valueAt(this.#page.live.feature(place.id)?.geojson, pointer);
        return this.#chooser.chosen().map((place) => ({ place, before: current(place) }));
    }

    #showForm(problem = null) {
        const shops = this.#shops;
        if (shops.length === 0) throw new Error(localized("edit.shops.none"));
        const isCommon = shops.every(({ before }) => isSame(before, shops[0].before));
        // What was entered stays when other shops are chosen.
        if (!this.#field || this.#field.changes().length === 0) {
            const feature = { properties: { hours: isCommon ? shops[0].before : null } };
            this.#field = hoursField({ feature, overrides: [], timeZone: this.#page.live.about.timeZone });
        }
        this.#dialog.show({
            title: `${localized("edit.field.hours")}${localized("edit.colon")}${localized("edit.shops.count", { n: shops.length })}`,
            body: h("div", { class: "place-form" },
                h("p", { class: "help" }, localized(isCommon ? "edit.shops.sameNow" : "edit.shops.differentNow")),
                this.#field.element,
                h("div", { class: "field" }, h("label", { for: this.#message.id }, localized("edit.message")), this.#message),
                this.#until.element),
            actions: [
                this.#dialog.cancelAction,
                { label: localized("edit.back"), act: () => this.#showChooser() },
                { label: localized("edit.review"), kind: "primary", act: () => this.#review() },
            ],
        });
        this.#field.problem(problem);
        if (problem) this.#field.focus();
    }

    async #review() {
        this.#field.check();
        const all = this.#shops;
        const value = this.#field.value();
        const shops = all.filter(({ before }) => !isSame(before, value));
        // For shops with different hours, a field in which nothing was entered says nothing.
        if (this.#field.changes().length === 0 && (value === null || shops.length === 0)) throw new Error(localized("edit.nothingChanged"));
        if (shops.length === 0) throw new Error(localized("edit.shops.unchanged"));
        const edits = shops.map(({ place }) => ({ feature: place.id, patch: mergePatch([{ pointer, value }]) }));
        const options = { base: this.#page.live.revision, until: this.#until.read(), message: this.#message.value.trim() };
        const plan = await this.#send(edits, { ...options, isDryRun: true });
        if (!plan) return;
        const features = await this.#featuresOf(shops, value);
        // Makes a repeated request have the first outcome.
        const request = { ...options, id: randomID() };
        this.#dialog.show({
            title: localized("edit.review.title", { name: localized("edit.shops.count", { n: shops.length }) }),
            body: [
                this.#table(shops, value),
                shops.length < all.length && h("p", { class: "help" }, localized("edit.shops.already", { n: all.length - shops.length })),
                planNotes(plan, { until: options.until, timeZone: this.#page.live.about.timeZone }),
            ],
            actions: [
                this.#dialog.cancelAction,
                { label: localized("edit.back"), act: () => this.#showForm() },
                { label: localized("edit.publish"), kind: "primary", act: () => this.#publish(edits, request, features) },
            ],
        });
    }

    /** The changes for `undoAll`, with the overrides that they replace. */
    async #featuresOf(shops, value) {
        const { venueKey, signal } = this.#page;
        const overrides = await overridesOfAll(venueKey, shops.map(({ place }) => place.id), { signal });
        return shops.map(({ place: { id }, before }) => (
            { id, changes: [{ pointer, before, value }], overrides: overrides.filter(({ feature }) => feature === id) }));
    }

    #table(shops, value) {
        const { floors } = this.#page;
        return h(
            "table", { class: "change-table" },
            h("caption", { class: "visually-hidden" }, localized("edit.review.changes")),
            h("thead", {}, h("tr", {}, ["edit.shops.shop", "edit.review.before", "edit.review.after"].map((key) => h("th", { scope: "col" }, localized(key))))),
            h("tbody", {}, shops.map(({ place, before }) => h(
                "tr", {}, h("th", { scope: "row" }, h("bdi", {}, place.name), " ", h("span", { class: "help" }, h("bdi", {}, floors.floorOf(place)?.title))),
                h("td", {}, h("del", {}, valueText(pointer, before))), h("td", {}, h("ins", {}, valueText(pointer, value)))))));
    }

    async #publish(edits, request, features) {
        const result = await this.#send(edits, request);
        if (!result) return;
        this.#dialog.close();
        publishedToast(localized("edit.shops.count", { n: features.length }), result,
            () => undoAll(this.#page.venueKey, features, localized("edit.undoMessage", { n: result.revision })));
    }

    /** Returns the response; null if the form is shown again instead, with what the server refuses, or after a change of the venue. */
    async #send(edits, options) {
        try {
            return await sendEdits(this.#page.venueKey, edits, options);
        } catch (error) {
            if (error.type === "edit-refused") this.#showForm(problemsOf(error)[0]?.text ?? problemLine(error));
            else if (error.type === "head-moved") {
                this.#showForm();
                throw new Error(localized("edit.changedMeanwhile"));
            } else throw new Error(problemLine(error));
            return null;
        }
    }
}
