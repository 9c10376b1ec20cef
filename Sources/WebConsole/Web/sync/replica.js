// What a client holds of a venue, in memory, and the five steps that bring it from one revision to the next.

import { canVerify, levelDigest } from "./digest.js";

/** A level's digest differs from what the server says. Nothing was applied; the way out is to start without a cursor. */
export class DigestMismatch extends Error {
    constructor(level) {
        super(`the digest of level ${level ?? "venue"} differs`);
        this.name = "DigestMismatch";
    }
}

export class Replica {
    /** Entries `{line, feature, level}` by id. */
    entries = new Map();
    /** Maps of the same entries by level id; null is the venue-wide part. */
    levels = new Map();
    cursor = null;
    revision = null;
    about = {};
    /** Whether digests were compared; not possible outside of secure contexts. */
    isVerified = false;

    feature(id) {
        return this.entries.get(id)?.feature;
    }

    /** The features of a level; null is the venue-wide part. */
    featuresOf(level) {
        return [...(this.levels.get(level)?.values() ?? [])].map((entry) => entry.feature);
    }

    /**
     * Applies the pages of one complete change set, all or nothing. `isAnew`: they were asked for without a cursor.
     * Returns what differs: `{added, changed, removed}`, lists of `{id, before, after}` with entries as above.
     */
    async apply(pages, { isAnew = false } = {}) {
        const draft = new Draft(this, isAnew);
        const blocks = pages.flatMap((page) => page.levels);
        // 1. Snapshots and levels that are gone: forget. A block that goes on from the page before forgot already.
        for (const block of blocks) {
            const begins = block.kind === "gone" || (block.kind === "snapshot" && !block.continued);
            if (begins) draft.forget(block.level_id);
        }
        // 2. Put every body under its block's level.
        for (const block of blocks) {
            for (const { line, feature } of block.bodies) draft.put({ line, feature, level: block.level_id });
        }
        // 3. Delete what is still held under the block's level.
        for (const block of blocks) {
            for (const { id } of block.removed ?? []) draft.remove(id, block.level_id);
        }
        // 4. Verify.
        if (canVerify) {
            for (const { level_id: level, digest } of blocks) {
                if (digest && (await levelDigest(draft.level(level))) !== digest) throw new DigestMismatch(level);
            }
        }
        // 5. Store, with the cursor.
        const last = pages[pages.length - 1];
        const changes = draft.commit();
        this.cursor = last.cursor;
        this.revision = last.to;
        this.about = last.about ?? {};
        this.isVerified = canVerify;
        return changes;
    }
}

/** What a replica will be, kept apart until it is verified. */
class Draft {
    #replica;
    #isAnew;
    /** Entries that differ, by id; null for none. */
    #entries = new Map();
    /** Copies of the levels that were touched. */
    #levels = new Map();

    constructor(replica, isAnew) {
        this.#replica = replica;
        this.#isAnew = isAnew;
        if (isAnew) for (const level of replica.levels.keys()) this.forget(level);
    }

    level(id) {
        if (!this.#levels.has(id)) this.#levels.set(id, new Map(this.#replica.levels.get(id) ?? []));
        return this.#levels.get(id);
    }

    #entry(id) {
        return this.#entries.has(id) ? this.#entries.get(id) : (this.#replica.entries.get(id) ?? null);
    }

    forget(level) {
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
