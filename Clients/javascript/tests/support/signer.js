// Signs statements with a key of Node.

import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";

const revisionDigest = `sha-256:${"0".repeat(64)}`;

export class Signer {
    #key;

    constructor(seed) {
        const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
        this.#key = createPrivateKey({ key: Buffer.concat([prefix, Buffer.alloc(32, seed)]), format: "der", type: "pkcs8" });
        const bytes = createPublicKey(this.#key).export({ format: "der", type: "spki" }).subarray(-32);
        this.key = `ed25519:${bytes.toString("base64url")}`;
        this.id = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    }

    /** The members of a signed head. `changes` are other values of members, which are signed. */
    members(revision, levels, changes = {}) {
        const statement = {
            as_of: "2026-04-01T09:00:00.000Z", bytes: 100_000, digest: revisionDigest, epoch: "A", expires: "2026-04-01T09:10:00.000Z",
            key_id: this.id, levels, manifest_digest: null, protocol: 1, published_at: "2026-04-01T08:00:00.000Z", revision,
            venue: "mall", ...changes,
        };
        return { ...statement, signature: sign(null, Buffer.from(canonical(statement)), this.#key).toString("base64url") };
    }

    /** The response to `GET /venues/mall/head`. */
    head(...values) {
        return documentOf(canonical(this.members(...values)));
    }
}

export function canonical(members) {
    return JSON.stringify(Object.fromEntries(Object.keys(members).sort().map((name) => [name, members[name]])));
}

export function documentOf(text) {
    return { status: 200, body: [], base64: Buffer.from(text).toString("base64") };
}
