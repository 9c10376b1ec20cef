// The fields of the editor. A field is `{element, covers(pointer), changes(), enter(pointer, value), problem(text), focus()}`: `changes()`
// are the differences from the published feature as `{pointer, before, value}`, `enter` enters a value as if it had been typed, and
// `problem` shows a text at the field, or removes it. A field whose values may have no text also has `check()`: see `PlaceForm`.

import { contains, isSame, pointerOf, tokensOf, valueAt } from "./changes.js";
import { fill, h } from "../../ui/element.js";
import { labelLanguage } from "../../client/map/label-language.js";
import { overrideNotes } from "./override-note.js";
import { localization, localized } from "../../localization/localization.js";

/** Shows a problem below an input. Returns `{element, show(text)}`. */
export function problemLine(input) {
    const element = h("p", { class: "error-message", id: `${input.id}-problem` });
    return {
        element,
        show(text) {
            fill(element, text);
            if (text) {
                input.setAttribute("aria-invalid", "true");
                input.setAttribute("aria-describedby", element.id);
            } else {
                input.removeAttribute("aria-invalid");
                input.removeAttribute("aria-describedby");
            }
        },
    };
}

/** A property that is a text. `state` is `{feature, overrides}` as published. */
export function textField(name, state, { title, help, onRevert, ...attributes }) {
    const pointer = pointerOf("properties", name);
    const before = valueAt(state.feature, pointer);
    const input = h("input", { id: `edit-${name}`, name, value: textOf(before), autocomplete: "off", ...attributes });
    const line = problemLine(input);
    const value = () => input.value.trim() || null;
    const enter = (text) => {
        input.value = textOf(text);
        input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    return {
        element: h("div", { class: "field" },
            h("label", { for: input.id }, title), input, help && h("p", { class: "help" }, help), line.element,
            overrideNotes(state, pointer, (source) => {
                enter(source);
                input.focus();
            })),
        input,
        covers: (other) => contains(pointer, other),
        // Compared with what was shown: a value that is no text, or has spaces around it, stays unless somebody changes it.
        changes: () => (input.value === textOf(before) || isSame(value(), before) ? [] : [{ pointer, before, value: value() }]),
        enter: (_, text) => enter(text),
        problem: (text) => line.show(text),
        focus: () => input.focus(),
    };
}

/** The text that an input shows for a value; archives are untrusted, so it may be anything. */
export const textOf = (value) => (typeof value === "string" ? value : "");

/** The category, with suggestions. `categories` are those of the feature type. */
export function categoryField(state, categories, nameOf) {
    const list = h("datalist", { id: "edit-categories" }, categories.map((category) => h("option", { value: category }, nameOf(category))));
    const reading = h("p", { class: "help", id: "edit-category-name" });
    const field = textField("category", state, {
        title: localized("edit.field.category"), list: list.id, spellcheck: "false", autocapitalize: "none",
        oninput: () => update(),
    });
    const update = () => {
        const category = field.input.value.trim();
        const isKnown = categories.includes(category);
        fill(reading, category === "" ? "" : isKnown ? nameOf(category) : localized("edit.category.unknown"));
    };
    field.input.after(list, reading);
    update();
    return field;
}

/** Languages that are offered besides those that the venue uses. */
const frequentLanguages = ["en", "ja", "zh-Hans", "zh-Hant", "ko", "fr", "de", "es", "it", "pt", "th", "vi", "id", "ru", "ar"];

/** Whether two tags stand for the same language in the same script: `no` and `nb-NO`, but not `zh-TW` and `zh-Hans`. */
function isSameLanguage(...tags) {
    const [one, other] = tags.map(labelLanguage);
    return one.language === other.language && one.script === other.script;
}

/** The name in every language. `languages` are those that are shown even if the name does not have them. */
export function namesField(state, languages) {
    const pointer = pointerOf("properties", "name");
    const before = valueAt(state.feature, pointer);
    const isLabel = typeof before === "object" && before !== null;
    const rows = h("div", { class: "name-rows" });
    const inputs = new Map();
    const line = h("p", { class: "error-message", id: "edit-name-problem" });
    const others = h("select", { id: "edit-name-language", "aria-label": localized("edit.addLanguage"), onchange: () => add() });
    const names = new Intl.DisplayNames(localization.language, { type: "language" });
    const languageName = (tag) => {
        try {
            return names.of(tag);
        } catch {
            return tag;
        }
    };
    const row = (tag, text) => {
        const input = h("input", { id: `edit-name-${tag}`, name: `name.${tag}`, lang: tag, value: text, autocomplete: "off", spellcheck: "false" });
        inputs.set(tag, input);
        const problem = problemLine(input);
        input.problem = problem.show;
        rows.append(h("div", { class: "field name-row" },
            h("label", { for: input.id }, languageName(tag)), input, problem.element,
            overrideNotes(state, pointerOf("properties", "name", tag), (source) => {
                input.value = source ?? "";
                input.focus();
            })));
        return input;
    };
    const update = () => fill(
        others, h("option", { value: "" }, localized("edit.addLanguage")),
        frequentLanguages.filter((tag) => !inputs.has(tag)).map((tag) => h("option", { value: tag }, languageName(tag))));
    const add = () => {
        if (!others.value) return;
        const input = row(others.value, "");
        update();
        input.focus();
    };
    const texts = Object.fromEntries(Object.entries(isLabel ? before : {}).filter(([, text]) => typeof text === "string"));
    const missing = languages.filter((tag) => !Object.keys(texts).some((other) => isSameLanguage(tag, other)));
    for (const tag of new Set([...Object.keys(texts), ...missing])) row(tag, texts[tag] ?? "");
    update();
    const values = () => Object.fromEntries([...inputs].map(([tag, input]) => [tag, input.value.trim()]).filter(([, text]) => text !== ""));
    return {
        element: h("fieldset", { class: "names" },
            h("legend", {}, localized("edit.field.name")), rows, others, line, overrideNotes(state, pointer)),
        covers: (other) => contains(pointer, other),
        changes() {
            const now = values();
            // A label that has no text at all is a whole value; otherwise the languages are changed one by one.
            if (!isLabel || Object.keys(now).length === 0) {
                const value = Object.keys(now).length === 0 ? null : now;
                return isSame(value, before) ? [] : [{ pointer, before, value }];
            }
            return [...inputs.keys()].filter((tag) => (now[tag] ?? null) !== (texts[tag] ?? null))
                .map((tag) => ({ pointer: pointerOf("properties", "name", tag), before: texts[tag], value: now[tag] ?? null }));
        },
        enter(at, value) {
            const entered = at === pointer ? Object.entries(value ?? {}) : [[tokensOf(at)[2], value]];
            for (const [tag, text] of entered) (inputs.get(tag) ?? row(tag, "")).value = textOf(text);
            if (at === pointer) for (const [tag, input] of inputs) if (!Object.hasOwn(value ?? {}, tag)) input.value = "";
            update();
        },
        problem(text, at = pointer) {
            const input = [...inputs].find(([tag]) => contains(pointerOf("properties", "name", tag), at))?.[1];
            if (input) input.problem(text);
            else {
                fill(line, text);
                if (!text) for (const each of inputs.values()) each.problem(null);
            }
        },
        focus: (at = pointer) => {
            const found = [...inputs].find(([tag]) => contains(pointerOf("properties", "name", tag), at));
            (found?.[1] ?? inputs.values().next().value)?.focus();
        },
    };
}
