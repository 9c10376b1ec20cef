// Signed statements about revisions, and the keys that an app trusts: docs/protocol/signatures.md.

import { parseJSON } from "./body-lines.js";
import { SyncError } from "./sync-error.js";

/** More than the statement about a venue with 100,000 levels. */
export const maximumStatement = 16 * 2 ** 20;
/** How long the statement about the newest revision counts, in milliseconds. */
const lifetime = 600_000;

const digestPattern = /^sha-256:[0-9a-f]{64}$/;
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const texts = ["as_of", "digest", "epoch", "expires", "key_id", "published_at", "signature", "venue"];
const integers = ["bytes", "protocol", "revision"];

export function untrusted(message) {
    return new SyncError("untrusted", `the revision is not proven to be the operator's newest: ${message}`);
}

/** Public keys by the id that statements name them by. */
export class TrustedKeys {
    #keys = new Map();

    /**
     * Reads keys such as `ed25519:PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw`. Rejects with a `TypeError` for anything else, and where
     * signatures cannot be verified: in pages without TLS, and in browsers without Ed25519.
     */
    static async of(list) {
        const keys = new TrustedKeys();
        const { subtle } = globalThis.crypto ?? {};
        if (!subtle) throw new TypeError("signatures can only be verified in a secure context");
        for (const text of list) {
            const bytes = String(text).startsWith("ed25519:") ? bytesOf(text.slice(8)) : null;
            if (bytes?.length !== 32) throw new TypeError(`“${text}” is not a public key`);
            const hash = new Uint8Array(await subtle.digest("SHA-256", bytes));
            const id = [...hash.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
            try {
                keys.#keys.set(id, await subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]));
            } catch (error) {
                throw new TypeError("this browser cannot verify Ed25519 signatures", { cause: error });
            }
        }
        return keys;
    }

    /** Reads a signed head and verifies its signature. Rejects with a `SyncError` of the kind `untrusted`. */
    async head(document, venue) {
        let members;
        try {
            members = parseJSON(document);
        } catch {
            throw untrusted("the statement is not JSON");
        }
        // Only the canonical form is accepted, so that no other reader can understand the signed bytes differently.
        if (!isHead(members) || canonical(members) !== document) throw untrusted("the statement has an unknown form");
        const key = this.#keys.get(members.key_id);
        if (!key) throw untrusted(`the statement is signed with the key ${members.key_id.slice(0, 16)}, which is not trusted`);
        const { signature, ...signed } = members;
        const message = new TextEncoder().encode(canonical(signed));
        const bytes = bytesOf(signature);
        if (bytes === null || !(await globalThis.crypto.subtle.verify("Ed25519", key, bytes, message))) {
            throw untrusted("the signature of the statement is wrong");
        }
        if (members.venue !== venue) throw untrusted(`the statement is about the venue ${members.venue.slice(0, 64)}`);
        return new SignedHead(document, members);
    }
}

/** A verified statement about the newest revision of a venue. */
export class SignedHead {
    constructor(document, members) {
        this.document = document;
        this.epoch = members.epoch;
        this.revision = members.revision;
        this.digest = members.digest;
        /** The digests of the venue-wide part (null) and of all levels. */
        this.levels = new Map(members.levels);
        /** The size of all bodies in bytes. */
        this.bytes = members.bytes;
        this.asOf = Date.parse(members.as_of);
        this.expires = Date.parse(members.expires);
    }

    checkTime(now) {
        if (now >= this.expires) throw untrusted("the statement about the newest revision has expired");
    }

    /** Whether the statement counts for another while, so that a long poll without changes needs no other one. */
    isRecent(now) {
        return this.expires - now >= lifetime / 2 && this.expires - now <= 2 * lifetime;
    }

    /** Refuses an older revision of the same epoch, and an earlier epoch. */
    checkSuccession(known) {
        if (this.epoch !== known.epoch) {
            if (this.asOf <= known.asOf) throw untrusted("the statement is about an earlier history");
        } else if (this.revision < known.revision) {
            throw untrusted(`the statement is about revision ${this.revision}, which is older than ${known.revision}`);
        } else if (this.revision === known.revision && this.digest !== known.digest) {
            throw untrusted(`revision ${this.revision} has two digests`);
        }
    }

    /** Checks a page before anything of it is applied. */
    checkPage({ frame, blocks }) {
        if (frame.to !== this.revision || frame.digest !== this.digest) {
            throw untrusted(`the change set does not lead to the signed revision ${this.revision}`);
        }
        for (const { level, digest } of blocks) {
            // The delta form has the beginnings of digests.
            if (digest !== null && !this.levels.get(level)?.startsWith(digest)) throw otherDigest(level);
        }
    }

    /** Checks that exactly the selected levels are held, as they were signed. `ordinals`: of all levels of the revision. */
    checkHeld(digests, selection, ordinals) {
        for (const [level, digest] of digests) {
            if (this.levels.get(level) !== digest) throw otherDigest(level);
        }
        for (const level of this.levels.keys()) {
            const isSelected = level === null || selection === "everything" || selection.includes(level)
                || selection.includes(`ordinal:${ordinals.get(level)}`);
            if (isSelected && !digests.has(level)) throw untrusted(`the server leaves out ${nameOf(level)}`);
        }
    }
}

/** Ends a download that is larger than the signed revision. */
export class DownloadLimit {
    #bytes;
    #removed;

    /** `held`: the number of held features, which bounds what can be removed. */
    constructor(head, held) {
        this.#bytes = head.bytes;
        this.#removed = 2 * held;
    }

    receive({ isComplete, blocks }) {
        let isEmpty = true;
        for (const { bodies, removed } of blocks) {
            // A character takes at least one byte in UTF-8.
            for (const body of bodies) this.#bytes -= body.length;
            this.#removed -= removed.length;
            isEmpty &&= bodies.length === 0 && removed.length === 0;
        }
        if (this.#bytes < 0 || (!isComplete && this.#removed < 0)) throw untrusted("the response is larger than the signed revision");
        if (!isComplete && isEmpty) throw untrusted("a page without content that is not the last one");
    }
}

/** The ordinals of all levels of a revision by id, from the bodies of the venue-wide part. */
export function ordinalsOf(features) {
    const levels = [...features].filter(({ type }) => type === "level");
    return new Map(levels.map(({ id, body }) => [id, JSON.parse(body).properties?.ordinal]));
}

function otherDigest(level) {
    return untrusted(`the statement has another digest of ${nameOf(level)}`);
}

function nameOf(level) {
    return level === null ? "the venue-wide part" : `level ${level}`;
}

/** RFC 8785 for what statements consist of: ASCII texts, integers, lists, null and one object. */
function canonical(members) {
    return `{${Object.keys(members).sort().map((name) => `${JSON.stringify(name)}:${JSON.stringify(members[name])}`).join(",")}}`;
}

function isHead(members) {
    if (members === null || typeof members !== "object" || Array.isArray(members)) return false;
    const names = [...texts, ...integers, "levels", "manifest_digest"];
    return Object.keys(members).length === names.length && texts.every((name) => typeof members[name] === "string")
        && integers.every((name) => Number.isSafeInteger(members[name])) && members.protocol === 1 && members.revision > 0
        && members.bytes >= 0 && digestPattern.test(members.digest)
        && (members.manifest_digest === null || digestPattern.test(members.manifest_digest))
        && ["as_of", "expires", "published_at"].every((name) => timePattern.test(members[name]) && !Number.isNaN(Date.parse(members[name])))
        && areLevels(members.levels);
}

/** The venue-wide part first, then the levels in ascending order, each once. */
function areLevels(levels) {
    if (!Array.isArray(levels) || levels.length === 0) return false;
    if (!levels.every((pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[1] === "string" && digestPattern.test(pair[1]))) return false;
    const [[wide], ...rest] = levels;
    return wide === null && rest.every(([id], index) => idPattern.test(id) && (index === 0 || rest[index - 1][0] < id));
}

/** The bytes of base64url without padding; null unless the text is the only spelling of them. */
function bytesOf(text) {
    try {
        const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
        const again = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
        return again === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
    } catch {
        return null;
    }
}
