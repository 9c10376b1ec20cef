// Separates the bodies of a response from the rest of the document while it is read.

import { malformed } from "./sync-error.js";

const opening = '"features":[';

/**
 * Splits a response into its bodies, one per line, and the document without them.
 *
 * Bodies follow a line that ends in `"features":[`. Each except the last ends with a comma. The first line that does not begin with
 * `{` ends the list.
 */
export class BodyLines {
    /** A feature has at most 32 MiB. */
    static maximumLine = 48 * 2 ** 20;
    /** The document without bodies, mostly removals. */
    static maximumDocument = 16 * 2 ** 20;

    /** How many lists of bodies have begun. */
    listCount = 0;
    #document = [];
    #documentLength = 0;
    /** The parts of a line whose end has not arrived yet. */
    #parts = [];
    #partsLength = 0;
    #isInside = false;

    /** Processes the next part of the text. `onBody(list, body)` is called for every complete body with the index of its list. */
    feed(text, onBody) {
        let start = 0;
        for (let end; (end = text.indexOf("\n", start)) >= 0; start = end + 1) {
            const line = this.#parts.length > 0 ? this.#parts.join("") + text.slice(start, end) : text.slice(start, end);
            this.#parts.length = this.#partsLength = 0;
            this.#line(line, onBody);
        }
        if (start === text.length) return;
        this.#partsLength += text.length - start;
        if (this.#partsLength > BodyLines.maximumLine) throw malformed("a line that is too long");
        this.#parts.push(text.slice(start));
    }

    /** The document, in which all lists of bodies are empty. A truncated response is not valid JSON. */
    finish() {
        this.#add(this.#parts.join(""));
        return parseJSON(this.#document.join(""));
    }

    #line(line, onBody) {
        if (!this.#isInside || line[0] !== "{") return this.#add(line);
        onBody(this.listCount - 1, line.endsWith(",") ? line.slice(0, -1) : line);
    }

    #add(line) {
        this.#documentLength += line.length;
        if (this.#documentLength > BodyLines.maximumDocument) throw malformed("too much data besides features");
        this.#document.push(line);
        this.#isInside = line.endsWith(opening);
        if (this.#isInside) this.listCount += 1;
    }
}

/** The deepest nesting of a document. Functions of the language that are recursive then cannot exhaust the stack. */
const maximumDepth = 512;

/** Parses untrusted JSON. */
export function parseJSON(text) {
    checkDepth(text);
    try {
        return JSON.parse(text);
    } catch {
        throw malformed("invalid or truncated JSON");
    }
}

function checkDepth(text) {
    // A shorter text cannot be deeper.
    if (text.length < maximumDepth) return;
    let depth = 0;
    for (let index = 0; index < text.length; index += 1) {
        switch (text.charCodeAt(index)) {
            case 0x22: // A string: skip to its end.
                for (index += 1; index < text.length && text.charCodeAt(index) !== 0x22; index += 1) {
                    if (text.charCodeAt(index) === 0x5c) index += 1;
                }
                break;
            case 0x5b: case 0x7b:
                depth += 1;
                if (depth > maximumDepth) throw malformed("a document that is nested too deeply");
                break;
            case 0x5d: case 0x7d:
                depth -= 1;
                break;
        }
    }
}
