// The desk's fields and buttons with their words.

import { h } from "../ui/element.js";

/** A box to tick, or one of several to choose. */
export const choice = (input, title, help) => h(
    "label", { class: "choice", for: input.id },
    input, h("span", {}, h("strong", {}, title), help && h("span", { class: "help" }, help)));

/** A field with its name above and what it is for below. */
export const labelled = (input, title, help) => h(
    "div", { class: "field" }, h("label", { for: input.id }, title), input, help && h("p", { class: "help" }, help));

/** A button that does something here. `kind` is one of those of components.css. */
export const button = (kind, label, act) => h("button", { type: "button", class: kind, onclick: act }, label);

/** For fields that take keys and codes, which no browser should complete or correct. */
export const verbatim = { autocomplete: "off", spellcheck: "false", autocapitalize: "none" };
