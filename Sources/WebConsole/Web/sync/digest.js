// The digest of a level: SHA-256 over the bodies of its features in the order of their ids, each followed by a line feed.

/** Browsers offer hash functions only in secure contexts: HTTPS and localhost. Elsewhere a replica cannot be verified. */
export const canVerify = globalThis.crypto?.subtle !== undefined;

/** The digest of a level. `entries` maps ids to entries with the member `line`. */
export async function levelDigest(entries) {
    const lines = [...entries.keys()].sort().map((id) => entries.get(id).line);
    const bytes = new TextEncoder().encode(lines.length === 0 ? "" : `${lines.join("\n")}\n`);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return `sha-256:${[...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
