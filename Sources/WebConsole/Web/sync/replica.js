// A replica of a venue in memory, and the five steps that apply a change set to it.

import { canVerify, levelDigest } from "./digest.js";

/** The digest of a level differs from the one the server sent. Nothing was applied; recover by syncing without a cursor. */
export class DigestMismatch extends Error {
    constructor(level) {
        super(`the digest of level ${level ?? "venue"} differs`);
        this.name = "DigestMismatch";
    }
}

export class Replica {
    /** Entries `{line, feature, level}` by id. */
    entries = new Map();
    /** The same entries by level id, then by id; the level id of the venue-wide part is null. */
    levels = new Map();
    cursor = null;
    revision = null;
    about = {};
    /** Whether the digests were verified, which is only possible in secure contexts. */
    isVerified = false;

    feature(id) {
        return this.entries.get(id)?.feature;
    }

    /** The features of a level; null for the venue-wide part. */
    featuresOf(level) {
        return [...(this.levels.get(level)?.values() ?? [])].map((entry) => entry.feature);
    }

    /**
     * Applies all pages of one change set, or nothing. `isFull` says that they were requested without a cursor and replace everything.
     * Returns the differences `{added, changed, removed}` as lists of `{id, before, after}`, where `before` and `after` are entries.
     */
    async apply(pages, { isFull = false } = {}) {
        const transaction = new Transaction(this, isFull);
        const blocks = pages.flatMap((page) => page.levels);
        // 1. Clear the levels that are gone or sent as snapshots. A block continued from the previous page was cleared there.
        for (const block of blocks) {
            const isCleared = block.kind === "gone" || (block.kind === "snapshot" && !block.continued);
            if (isCleared) transaction.clear(block.level_id);
        }
        // 2. Store every body under the level of its block.
        for (const block of blocks) {
            for (const { line, feature } of block.bodies) transaction.put({ line, feature, level: block.level_id });
        }
        // 3. Delete removed features, unless they have moved to another level.
        for (const block of blocks) {
            for (const { id } of block.removed ?? []) transaction.remove(id, block.level_id);
        }
        // 4. Verify.
        if (canVerify) {
            for (const { level_id: level, digest } of blocks) {
                if (digest && (await levelDigest(transaction.level(level))) !== digest) throw new DigestMismatch(level);
            }
        }
        // 5. Commit, together with the cursor.
        const last = pages[pages.length - 1];
        const changes = transaction.commit();
        this.cursor = last.cursor;
        this.revision = last.to;
        this.about = last.about ?? {};
        this.isVerified = canVerify;
        return changes;
    }
}

/** The changes to a replica, kept apart until they are verified. */
class Transaction {
    #replica;
    /** New entries by id; null for deleted ones. */
    #entries = new Map();
    /** Copies of the levels that are changed. */
    #levels = new Map();

    constructor(replica, isFull) {
        this.#replica = replica;
        if (isFull) for (const level of replica.levels.keys()) this.clear(level);
    }

    level(id) {
        if (!this.#levels.has(id)) this.#levels.set(id, new Map(this.#replica.levels.get(id) ?? []));
        return this.#levels.get(id);
    }

    #entry(id) {
        return this.#entries.has(id) ? this.#entries.get(id) : (this.#replica.entries.get(id) ?? null);
    }

    clear(level) {
        for (const id of this.level(level).keys()) this.#entries.set(id, null);
        this.level(level).clear();
    }

    put(entry) {
        const { id } = entry.feature;
        const before = this.#entry(id);
        if (before && before.level !== entry.level) this.level(before.level).delete(id);
        this.level(entry.level).set(id, entry);
        this.#entries.set(id, entry);
    }

    remove(id, level) {
        if (this.#entry(id)?.level !== level) return;
        this.level(level).delete(id);
        this.#entries.set(id, null);
    }

    commit() {
        const replica = this.#replica;
        const changes = { added: [], changed: [], removed: [] };
        for (const [id, after] of this.#entries) {
            const before = replica.entries.get(id) ?? null;
            if (after) replica.entries.set(id, after);
            else replica.entries.delete(id);
            if (before && after && (before.line !== after.line || before.level !== after.level)) {
                changes.changed.push({ id, before, after });
            } else if (!before && after) changes.added.push({ id, before, after });
            else if (before && !after) changes.removed.push({ id, before, after });
        }
        for (const [id, entries] of this.#levels) {
            if (entries.size === 0) replica.levels.delete(id);
            else replica.levels.set(id, entries);
        }
        return changes;
    }
}
