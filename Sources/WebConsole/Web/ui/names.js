// Names in sentences. A name that is written from right to left would reorder the words around it, so each is an element of its own.

import { h } from "./element.js";

/** First strong isolate and pop directional isolate: they delimit a name in a text, and isolate it also where the text is plain. */
const [start, end] = ["\u2068", "\u2069"];

/** A name as a value for `localized`, whose result `withNames` converts; empty without a name. */
export const isolated = (name) => (name ? `${start}${String(name).replace(/[\u2066-\u2069]/g, "")}${end}` : "");

/** The parts of a text for `h`: the names that were isolated are elements. */
export const withNames = (text) =>
    text.split(new RegExp(`${start}([^${end}]*)${end}`)).map((part, i) => (i % 2 === 1 ? h("bdi", {}, part) : part));
