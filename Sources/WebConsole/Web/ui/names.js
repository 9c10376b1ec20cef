// Names in sentences. A name that is written from right to left would reorder the words around it, so each is an element of its own.

import { h } from "./element.js";

/** First strong isolate and pop directional isolate: they delimit a name in a text, and isolate it also where the text is plain. */
const [start, end] = ["\u2068", "\u2069"];

/** A name as a value for `localized`, whose result `withNames` converts; empty without a name. */
export const isolated = (name) => (name ? `${start}${String(name).replace(/[\u2066-\u2069]/g, "")}${end}` : "");

/** The parts of a text for `h`: the names that were isolated are elements. */
export const withNames = (text) =>
    text.split(new RegExp(`${start}([^${end}]*)${end}`)).map((part, i) => (i % 2 === 1 ? h("bdi", {}, part) : part));

/** A run of letters that are written from right to left, with the digits and marks that belong to it. */
const letters = "[\\p{sc=Hebr}\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Thaa}\\p{sc=Nkoo}]";
const rightToLeft = new RegExp(`${letters}(?:[\\s\\p{M}.'"()/-]*(?:${letters}|\\p{N}))*`, "gu");
const quoted = /([“「])([^“”「」]+)([”」])/g;

/** The parts of a sentence of the server, which isolates no names: some are in quotation marks, others are recognized by their script. */
export function withForeignNames(text) {
    if (text.includes(start)) return withNames(text);
    const parts = text.split(quoted);
    // Every fourth part is between quotations: text, opening mark, name, closing mark.
    return withNames(parts.map((part, i) => {
        if (i % 4 === 0) return part.replace(rightToLeft, isolated);
        return i % 4 === 2 ? isolated(part) : part;
    }).join(""));
}
