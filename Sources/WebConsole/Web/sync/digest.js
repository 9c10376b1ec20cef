// The proof that a replica is right: SHA-256 over a level's bodies in the order of their ids, each followed by a line feed.

/** Browsers hash in secure contexts only: HTTPS and this machine. Elsewhere a replica cannot be verified, and says so. */
export const canVerify = globalThis.crypto?.subtle !== undefined;

/** The digest of what is held under a level: a map of entries with a `line`, by id. */
export async function levelDigest(entries) {
    const lines = [...entries.keys()].sort().map((id) => entries.get(id).line);
    const bytes = new TextEncoder().encode(lines.length === 0 ? "" : `${lines.join("\n")}\n`);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return `sha-256:${[...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
