// What the fields of settings have in common: the place of the message about a value, at the input that holds it.

import { fill, h } from "../../ui/element.js";
import { rebased } from "./settings-values.js";
import { isSame } from "../../map/editing/changes.js";
import { formatNumber, localized } from "../../localization/localization.js";

/**
 * `{element, fail(text)}`: `content` with a message below it. `fail` shows what is wrong with the value of `input`, and moves the focus there;
 * null removes the message.
 */
export function withMessage(input, content) {
    const id = `${input.id}-error`;
    const message = h("p", { class: "error-message", id });
    const description = input.getAttribute("aria-describedby");
    return {
        element: h("div", { class: "setting" }, content, message),
        fail(text) {
            fill(message, text);
            if (text === null) {
                input.removeAttribute("aria-invalid");
                if (description) input.setAttribute("aria-describedby", description);
                else input.removeAttribute("aria-describedby");
                return;
            }
            input.setAttribute("aria-invalid", "true");
            input.setAttribute("aria-describedby", description ? `${description} ${id}` : id);
            input.focus();
        },
    };
}

/** The title and the help text of a setting. */
export const texts = (name) => [localized(`desk.settings.${name}`), localized(`desk.settings.${name}.help`)];

/** What is wrong with a value of `numberOf`, where none is permitted; null if nothing is. */
export function numberProblem(value, { least, most, isWhole = false }) {
    const isValid = value === null || (typeof value === "number" && value >= least && value <= most && (!isWhole || Number.isInteger(value)));
    const name = isWhole ? "desk.settings.number.notWhole" : "desk.settings.number.invalid";
    return isValid ? null : localized(name, { least: formatNumber(least), most: formatNumber(most) });
}

/**
 * A setting whose value is an object with inputs for its members. `read()` returns the value of the inputs, null for none; `show(object)` shows
 * one; `parts()` are `{pointer, fail}`, which a pointer into the value leads to; `problems()` are pairs of a part and what is wrong with it.
 * `rebase(value, base, current)` applies to the current value what was changed from `base` to `value`.
 */
export function objectSetting(name, content, { read, show, parts, problems, rebase = rebased }) {
    const [title, help] = texts(name);
    const group = h("fieldset", { class: "setting-members", id: `set-${name}`, tabindex: "-1" },
        h("legend", {}, title), h("p", { class: "help" }, help), content);
    const whole = withMessage(group, group);
    /**
     * The value that was shown, and what the inputs made of it: defaults that a value spells out are no change, and members without an input,
     * those of a newer server, are kept.
     */
    let [shown, unchanged] = [null, null];
    return {
        name, element: whole.element, isObject: true, rebase,
        get value() {
            const value = read();
            return isSame(value, unchanged) ? shown : rebase(value, unchanged, shown);
        },
        show(value) {
            show(value ?? {});
            [shown, unchanged] = [value ?? null, read()];
        },
        fail(text, pointer = "") {
            for (const part of [whole, ...parts()]) part.fail(null);
            if (text === null) return;
            const leading = parts().filter((part) => pointer === part.pointer || pointer.startsWith(`${part.pointer}/`))
                .sort((one, other) => other.pointer.length - one.pointer.length);
            (leading[0] ?? whole).fail(text);
        },
        /** Shows the first thing that is wrong with the value; returns whether there is one. */
        showProblem() {
            const [first] = problems();
            if (first) first[0].fail(first[1]);
            return first !== undefined;
        },
    };
}

/** Tells the form that something was changed without an input, such as by a button. */
export const announceInput = (element) => element.dispatchEvent(new Event("input", { bubbles: true }));
