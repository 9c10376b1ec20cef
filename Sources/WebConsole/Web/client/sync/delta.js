// Reads the delta form of a change set: docs/protocol/delta-form.md.

import { parseJSON } from "./body-lines.js";
import { inflate } from "./inflate.js";
import { malformed } from "./sync-error.js";
import { wayfindingOf } from "./wire.js";

/** The largest document. The server stays far below this and the other bounds. */
export const maximumDelta = 48 * 2 ** 20;
const maximumBodies = 64 * 2 ** 20;
const maximumIndex = 4 * 2 ** 20;
const maximumItems = 100_000;
const maximumGroups = 10_000;
const maximumCursor = 65_536;
const maximumContext = 24 * 2 ** 10;
const windowSize = 32 * 2 ** 10;
const magic = [0x56, 0x53, 0x44, 0x01];
const kinds = ["changes", "snapshot", "gone"];
const lineFeed = 0x0a;

/**
 * Reads a page. `contents` is what the replica held before the synchronization, `since` the cursor of the request. Throws a
 * `SyncError` of the kind `malformed` for a document that is damaged or does not fit it. The result is like that of `pageOf`, but the
 * digests of levels are only the beginnings.
 */
export function pageOfDelta(document, contents, since) {
    return new Decoder(document, contents).page(since ?? "");
}

class Reader {
    #bytes;
    #offset = 0;

    constructor(bytes) {
        this.#bytes = bytes;
    }

    take(count) {
        if (count > this.#bytes.length - this.#offset) throw malformed("a document that ends early");
        this.#offset += count;
        return this.#bytes.subarray(this.#offset - count, this.#offset);
    }

    byte() {
        return this.take(1)[0];
    }

    /** Seven bits a byte, the lowest first. Not with bit operations, which have 32 bits. */
    number() {
        let value = 0;
        for (let factor = 1; factor < 2 ** 50; factor *= 128) {
            const byte = this.byte();
            value += (byte & 0x7f) * factor;
            if (value > Number.MAX_SAFE_INTEGER) break;
            if (byte < 0x80) return value;
        }
        throw malformed("a number that is too large");
    }

    text(length) {
        return textOf(this.take(length));
    }

    optionalText() {
        const length = this.number();
        return length === 0 ? null : this.text(length - 1);
    }

    /** A digest, or its first bytes. */
    digest(length = 32) {
        return `sha-256:${hexOf(this.take(length))}`;
    }

    expectEnd() {
        if (this.#offset !== this.#bytes.length) throw malformed("bytes after the end");
    }
}

class Decoder {
    #document;
    #contents;
    /** The ids of the held levels, ascending, without the venue-wide part. */
    #levels;
    /** The ids of the features of levels, ascending. */
    #orders = new Map();
    /** Held bodies by id, as UTF-8. */
    #held = new Map();
    #heldBytes = 0;
    #newBytes = 0;
    #items = 0;
    /** The first features of a level with one type; null until they were read. */
    #context = null;

    constructor(document, contents) {
        this.#document = document;
        this.#contents = contents;
        this.#levels = [...contents.digests.keys()].filter((level) => level !== null).sort();
    }

    page(since) {
        const reader = new Reader(this.#document);
        const isKnown = this.#document.length <= maximumDelta && reader.take(4).every((byte, index) => byte === magic[index]);
        if (!isKnown) throw malformed("another format or version, or a document that is too large");
        const flags = reader.byte();
        if (flags > 63) throw malformed("unknown flags");
        const venue = reader.text(reader.number());
        const from = flags & 2 ? reader.number() : null;
        const to = (from ?? 0) + reader.number();
        if (!Number.isSafeInteger(to)) throw malformed("a number that is too large");
        const digest = reader.digest();
        if (flags & 4) reader.number();
        const about = { language: reader.optionalText(), timeZone: reader.optionalText(), country: reader.optionalText() };
        if (flags & 16) Object.assign(about, wayfindingOf(parseJSON(reader.text(reader.number()))));
        const unchanged = 4 * reader.number();
        if (unchanged > since.length) throw malformed("more of the cursor than the request has");
        const cursor = since.slice(0, unchanged) + base64Of(reader.take(Math.min(reader.number(), maximumCursor)));
        let index = reader.take(reader.number());
        if (flags & 8) index = inflate(index, new Uint8Array(), maximumIndex);
        const blocks = this.#blocks(new Reader(index), reader, (flags & 32) !== 0);
        reader.expectEnd();
        return { frame: { venue, from, to, digest, about }, isComplete: (flags & 1) === 1, cursor, blocks };
    }

    #blocks(index, streams, hasCompanions) {
        const blocks = Array.from({ length: this.#count(index.number()) }, () => this.#block(index));
        const owners = blocks.flatMap((block) => Array(block.count).fill(block));
        const bodies = [];
        const context = index.number();
        const example = context > 0 ? { level: this.#level(index), rank: context - 1 } : null;
        for (let groups = 0; bodies.length < owners.length; groups += 1) {
            if (groups === maximumGroups) throw malformed("too many groups");
            const number = index.number();
            const size = Math.floor(number / 2);
            if (size === 0 || bodies.length + size > owners.length) throw malformed("more bodies than announced");
            const sources = this.#sources(index, owners.slice(bodies.length, bodies.length + size));
            const others = [...(number % 2 === 1 ? this.#contextBodies(example) : []), ...(hasCompanions ? this.#companions(index) : [])];
            for (const body of this.#group(sources, others, streams.take(index.number()))) bodies.push(body);
        }
        index.expectEnd();
        let start = 0;
        return blocks.map(({ count, ...block }) => {
            start += count;
            return { ...block, bodies: bodies.slice(start - count, start) };
        });
    }

    #count(number) {
        this.#items += number;
        if (this.#items > maximumItems) throw malformed("too many features");
        return number;
    }

    #block(index) {
        const flags = index.byte();
        if (flags > 31 || (flags & 3) === 3) throw malformed("a block of an unknown kind");
        const level = this.#level(index);
        const digest = flags & 8 ? index.digest(8) : null;
        const removed = [];
        const removedCount = flags & 16 ? this.#count(index.number()) : 0;
        if (flags & 16 && removedCount === 0) throw malformed("no removals");
        for (let [left, rank] = [removedCount, -1]; left > 0; left -= 1) {
            const difference = index.number();
            if (difference === 0) throw malformed("ranks that do not ascend");
            rank += difference;
            removed.push(this.#id(level, rank));
        }
        return { level, kind: kinds[flags & 3], isContinued: (flags & 4) !== 0, digest, removed, count: this.#count(index.number()) };
    }

    #level(index) {
        const number = index.number();
        if (number === 0) return null;
        if (number === 1) return hexOf(index.take(16)).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
        if (number - 2 >= this.#levels.length) throw malformed("a level that is not held");
        return this.#levels[number - 2];
    }

    #id(level, rank) {
        if (!this.#orders.has(level)) this.#orders.set(level, [...(this.#contents.levels.get(level)?.keys() ?? [])].sort());
        const ids = this.#orders.get(level);
        if (rank >= ids.length) throw malformed("a rank that is out of range");
        return ids[rank];
    }

    #body(id) {
        if (!this.#held.has(id)) {
            const body = bytesOf(this.#contents.features.get(id).body);
            this.#heldBytes += body.length;
            if (this.#heldBytes > maximumBodies) throw malformed("too much that is held");
            this.#held.set(id, body);
        }
        return this.#held.get(id);
    }

    /** The sources of the bodies of a group; `owners` are their blocks. */
    #sources(index, owners) {
        let last = -1;
        return owners.map((owner, position) => {
            if (owner !== owners[position - 1]) last = -1;
            const number = index.number();
            if (number === 0) return null;
            let [level, rank] = [owner.level, last + number - 1];
            if (number === 1) [level, rank] = [this.#level(index), index.number()];
            else last = rank;
            const id = this.#id(level, rank);
            const [prefix, suffix] = [index.number(), index.number()];
            if (prefix + suffix > this.#body(id).length) throw malformed("more bytes in common than the held body has");
            return { level, id, prefix, suffix, body: this.#body(id) };
        });
    }

    /** The bodies of held features that the sources of a group refer to. */
    #companions(index) {
        return Array.from({ length: this.#count(index.number()) }, () => this.#body(this.#id(this.#level(index), index.number())));
    }

    /** `others`: what the dictionary begins with. */
    #group(sources, others, stream) {
        const held = sources.filter((source) => source !== null);
        const parts = [
            ...others, ...held.map(({ body }) => body),
            ...held.map(({ body, prefix, suffix }) => body.subarray(prefix, body.length - suffix))];
        const middles = linesOf(inflate(stream, dictionaryOf(parts), maximumBodies - this.#newBytes), sources.length);
        return sources.map((source, position) => {
            const middle = middles[position];
            const parts = source === null
                ? [middle]
                : [source.body.subarray(0, source.prefix), middle, source.body.subarray(source.body.length - source.suffix)];
            const body = joined(parts);
            this.#newBytes += body.length;
            if (this.#newBytes > maximumBodies) throw malformed("a text that is too large");
            return textOf(body);
        });
    }

    /** The first features of a level with the type of the one with this rank. */
    #contextBodies(example) {
        if (example === null) throw malformed("a document without a context");
        if (this.#context !== null) return this.#context;
        const { type } = this.#contents.features.get(this.#id(example.level, example.rank));
        this.#context = [];
        let left = maximumContext;
        for (const id of this.#orders.get(example.level)) {
            const feature = this.#contents.features.get(id);
            if (feature.type !== type) continue;
            const body = bytesOf(feature.body);
            left -= body.length + 1;
            if (left < 0) break;
            this.#context.push(body);
        }
        return this.#context;
    }
}

/** The last 32 KiB of the parts, with a line feed after each. */
function dictionaryOf(parts) {
    const text = new Uint8Array(windowSize);
    let start = windowSize;
    for (const part of [...parts].reverse()) {
        if (start === 0) break;
        start -= 1;
        text[start] = lineFeed;
        const rest = part.subarray(Math.max(0, part.length - start));
        start -= rest.length;
        text.set(rest, start);
    }
    return text.subarray(start);
}

function linesOf(text, count) {
    const lines = [];
    for (let start = 0; start < text.length; ) {
        const end = text.indexOf(lineFeed, start);
        if (end < 0) throw malformed("a body without an end");
        lines.push(text.subarray(start, end));
        start = end + 1;
    }
    if (lines.length !== count) throw malformed("the number of bodies differs from the announced one");
    return lines;
}

export function joined(parts) {
    const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let offset = 0;
    for (const part of parts) {
        bytes.set(part, offset);
        offset += part.length;
    }
    return bytes;
}

const encoder = new TextEncoder();

function bytesOf(text) {
    return encoder.encode(text);
}

function textOf(bytes) {
    try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
        throw malformed("text that is not UTF-8");
    }
}

function hexOf(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** base64url without padding. */
function base64Of(bytes) {
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
