// Digests: SHA-256, by the platform where it offers that, otherwise in JavaScript.

import { sha256 } from "./sha256.js";

/** The digest of bytes as it is on the wire: `sha-256:` and 64 hexadecimal digits. */
export async function digestOf(bytes) {
    // Browsers offer hash functions only in secure contexts: HTTPS and localhost.
    const subtle = globalThis.crypto?.subtle;
    const hash = subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : sha256(bytes);
    return `sha-256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

const encoder = new TextEncoder();

/** The text of a level whose SHA-256 is its digest: the bodies in the order of their ids, each followed by a line feed. */
export function levelText(features) {
    const lines = [...features.keys()].sort().map((id) => features.get(id).body);
    return encoder.encode(lines.length === 0 ? "" : `${lines.join("\n")}\n`);
}
