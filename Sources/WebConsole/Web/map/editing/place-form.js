// The form for what a place says: names, category, opening hours, phone, website. Which fields there are depends on the feature type.

import { categoriesOf, categoryName } from "./categories.js";
import { categoryField, namesField, textField } from "./fields.js";
import { h } from "../../ui/element.js";
import { hoursField } from "./hours-field.js";
import { timeField } from "./time-field.js";
import { localized } from "../../localization/localization.js";

const fieldsByType = {
    occupant: ["name", "category", "hours", "phone", "website"],
    amenity: ["name", "category", "hours", "phone", "website"],
    unit: ["name", "category"],
    kiosk: ["name"],
};

export const isEditable = (type) => Object.hasOwn(fieldsByType, type);

/** Whether features of a type have opening hours. */
export const hasHours = (type) => fieldsByType[type]?.includes("hours") ?? false;

export class PlaceForm {
    #fields;
    #message = h("input", { id: "edit-message", name: "message", maxlength: 600, autocomplete: "off" });
    #until;

    /** `state` is `{feature, overrides, timeZone}`, `languages` those in which names are asked for. */
    constructor(state, { languages, hasUntil = true }) {
        const make = {
            name: () => namesField(state, languages),
            category: () => categoryField(state, categoriesOf(state.feature.feature_type), categoryName),
            hours: () => hoursField(state),
            phone: () => textField("phone", state, {
                title: localized("edit.field.phone"), type: "tel", inputmode: "tel", placeholder: "+81312345678",
                help: localized("edit.phoneHelp"),
            }),
            website: () => textField("website", state, {
                title: localized("edit.field.website"), type: "url", inputmode: "url", placeholder: "https://", spellcheck: "false",
            }),
        };
        this.#fields = fieldsByType[state.feature.feature_type].map((name) => make[name]());
        this.#until = hasUntil
            ? timeField("edit-until", { title: localized("edit.until"), help: localized("edit.untilHelp"), timeZone: state.timeZone }) : null;
        // A problem is about the value that was sent, so it ends when the value changes.
        for (const field of this.#fields) field.element.addEventListener("input", () => field.problem(null));
        this.element = h("div", { class: "place-form" },
            this.#fields.map(({ element }) => element),
            h("div", { class: "field" },
                h("label", { for: "edit-message" }, localized("edit.message")), this.#message,
                h("p", { class: "help" }, localized("edit.messageHelp"))),
            this.#until?.element);
    }

    get changes() {
        return this.#fields.flatMap((field) => field.changes());
    }

    /** Throws an error with a localized message, and focuses the field, if what is entered in one cannot be saved. */
    check() {
        for (const field of this.#fields) field.check?.();
    }

    /** Enters changes, and what was entered in another form besides. */
    enter(changes, other) {
        for (const { pointer, value } of changes) this.#fields.find((each) => each.covers(pointer))?.enter(pointer, value);
        this.#message.value = other.#message.value;
        if (this.#until) this.#until.input.value = other.#until.input.value;
    }

    get message() {
        return this.#message.value.trim();
    }

    /** Throws an error with a localized message if the time is not in the future. */
    get until() {
        return this.#until?.read() ?? null;
    }

    /** Shows texts at the fields of pointers, `[{pointer, text}]`, and removes others. Returns those that belong to no field. */
    showProblems(problems) {
        for (const field of this.#fields) field.problem(null);
        const rest = [];
        for (const { pointer, text } of problems) {
            const field = this.#fields.find((each) => each.covers(pointer));
            if (field) field.problem(text, pointer);
            else rest.push(text);
        }
        return rest;
    }

    focusOn(pointer) {
        this.#fields.find((each) => each.covers(pointer))?.focus(pointer);
    }

    focus() {
        this.#fields[0].focus();
    }
}
