// Form fields with labels, and buttons.

import { h } from "../ui/element.js";

/** A checkbox or radio button with its label and help text. */
export const choice = (input, title, help) => h(
    "label", { class: "choice", for: input.id },
    input, h("span", {}, h("strong", {}, title), help && h("span", { class: "help" }, help)));

/** A field with its label above and its help text, which describes it, below. */
export function labelled(input, title, help) {
    const id = `${input.id}-help`;
    if (help) input.setAttribute("aria-describedby", id);
    return h("div", { class: "field" }, h("label", { for: input.id }, title), input, help && h("p", { class: "help", id }, help));
}

/** A button that calls `act`. `kind` is one of the button classes of components.css. */
export const button = (kind, label, act) => h("button", { type: "button", class: kind, onclick: act }, label);

/** The attributes of fields for keys and codes, which browsers must not complete or correct. */
export const verbatim = { autocomplete: "off", spellcheck: "false", autocapitalize: "none" };
