// The changes to the features of one venue, kept apart until they are verified and stored.

import { digestOf, levelText } from "./digest.js";
import { ReplicaFeature } from "./feature.js";
import { identify } from "./wire.js";

export class ReplicaTransaction {
    #contents;
    /** Copies of the levels that are changed. */
    #levels = new Map();
    /** New features by id; null for deleted ones. */
    #features = new Map();
    /** The digest that a level must have at the end; null if it is not held then. */
    #expected = new Map();
    /** The texts of changed levels and their digests; a level is removed when it changes again. */
    #texts = new Map();

    constructor(contents) {
        this.#contents = contents;
    }

    /** Applies the blocks of one page: the first three of the five steps. */
    apply(blocks) {
        for (const block of blocks) {
            if (block.kind !== "changes" && !block.isContinued) this.clear(block.level);
        }
        for (const block of blocks) this.put(block.level, block.bodies);
        for (const block of blocks) {
            for (const id of block.removed) this.#remove(block.level, id);
            if (block.kind === "gone" || block.digest !== null) this.expect(block.level, block.digest);
        }
    }

    /** Puts features under a level by their ids, and replaces their previous versions on any level. */
    put(level, bodies) {
        for (const body of bodies) {
            const { id, type } = identify(body);
            const current = this.#feature(id);
            if (current?.level === level && current.body === body) continue;
            if (current && current.level !== level) {
                this.#level(current.level).delete(id);
                this.#expectAsBefore(current.level);
            }
            const before = this.#contents.features.get(id);
            const isSame = before?.level === level && before.body === body;
            const feature = isSame ? before : new ReplicaFeature(id, type, level, body);
            this.#level(level).set(id, feature);
            this.#features.set(id, feature);
        }
    }

    /** Deletes a feature if it is still on this level; it may have moved. */
    #remove(level, id) {
        if (this.#feature(id)?.level !== level) return;
        this.#level(level).delete(id);
        this.#features.set(id, null);
    }

    clear(level) {
        const features = this.#level(level);
        for (const id of features.keys()) this.#features.set(id, null);
        features.clear();
    }

    /** Deletes all levels except these. */
    clearAll(except = new Set()) {
        for (const level of this.#contents.levels.keys()) {
            if (except.has(level)) continue;
            this.clear(level);
            this.expect(level, null);
        }
    }

    /** Sets the digest that the level must have at the end, or its beginning; null if the level is not held then. */
    expect(level, digest) {
        this.#expected.set(level, digest);
    }

    /** A level that loses a feature without being mentioned must keep its digest. So it will differ, and be fetched again. */
    #expectAsBefore(level) {
        const before = this.#contents.digests.get(level);
        if (!this.#expected.has(level) && before !== undefined) this.#expected.set(level, before);
    }

    /** The levels whose features do not have the expected digest, the venue-wide part first. The others then expect the computed one. */
    async mismatches() {
        const wrong = [];
        for (const [level, expected] of this.#expected) {
            if (expected === null) continue;
            const digest = await this.#digest(level);
            if (digest.startsWith(expected)) this.#expected.set(level, digest);
            else wrong.push(level);
        }
        return wrong.sort((one, other) => ((one ?? "") < (other ?? "") ? -1 : 1));
    }

    async #digest(level) {
        if (!this.#levels.has(level) && this.#contents.digests.has(level)) return this.#contents.digests.get(level);
        if (!this.#texts.has(level)) {
            const bytes = levelText(this.#level(level));
            this.#texts.set(level, { bytes, digest: await digestOf(bytes) });
        }
        return this.#texts.get(level).digest;
    }

    /** The texts of the changed levels by digest. All digests have to match. */
    get texts() {
        const changed = [...this.#expected].filter(([level, digest]) => digest !== null && this.#texts.has(level));
        return new Map(changed.map(([level, digest]) => [digest, this.#texts.get(level).bytes]));
    }

    /** The digests of the levels that are held after the commit. */
    get digests() {
        const digests = new Map(this.#contents.digests);
        for (const [level, digest] of this.#expected) {
            if (digest === null) digests.delete(level);
            else digests.set(level, digest);
        }
        return digests;
    }

    /** The features of a level after the commit. */
    features(level) {
        return (this.#levels.get(level) ?? this.#contents.levels.get(level) ?? new Map()).values();
    }

    /** Changes the features in memory, at once, and returns the changes. Call it after the store has committed. */
    commit(state) {
        const { levels, features, digests } = this.#contents;
        const after = this.digests;
        const touched = [...this.#levels.keys()].filter((level) => digests.get(level) !== after.get(level));
        const changes = this.#changes(after);
        for (const [id, feature] of this.#features) {
            if (feature) features.set(id, feature);
            else features.delete(id);
        }
        for (const [level, own] of this.#levels) levels.set(level, own);
        for (const level of levels.keys()) if (!after.has(level)) levels.delete(level);
        // A held level may be without features.
        for (const level of after.keys()) if (!levels.has(level)) levels.set(level, new Map());
        this.#contents.digests = after;
        this.#contents.state = state;
        return { ...changes, touchedLevels: touched };
    }

    #changes(after) {
        const before = this.#contents;
        const levelsAdded = [...after.keys()].filter((level) => !before.digests.has(level))
            .map((level) => ({ level, features: this.#level(level).size }));
        const levelsDropped = [...before.digests.keys()].filter((level) => !after.has(level))
            .map((level) => ({ level, features: before.levels.get(level).size }));
        const [added, dropped] = [levelsAdded, levelsDropped].map((counts) => new Set(counts.map(({ level }) => level)));
        const changes = [];
        for (const [id, next] of this.#features) {
            const previous = before.features.get(id) ?? null;
            if (previous === next) continue;
            if (!previous && added.has(next.level)) continue;
            if (!next && dropped.has(previous.level)) continue;
            changes.push(new ReplicaChange(id, previous, next));
        }
        return { changes, levelsAdded, levelsDropped };
    }

    #feature(id) {
        return this.#features.has(id) ? this.#features.get(id) : (this.#contents.features.get(id) ?? null);
    }

    /** A copy of a level, to be changed. */
    #level(level) {
        this.#texts.delete(level);
        if (!this.#levels.has(level)) this.#levels.set(level, new Map(this.#contents.levels.get(level) ?? []));
        return this.#levels.get(level);
    }
}

/** The net change of one feature. */
export class ReplicaChange {
    constructor(id, before, after) {
        /** `added`, `changed` or `removed`. */
        this.kind = before ? (after ? "changed" : "removed") : "added";
        this.id = id;
        this.type = (after ?? before).type;
        /** The current level, or the last one of a removed feature. Null is the venue-wide part. */
        this.level = (after ?? before).level;
        /** The previous level, or the current one of an added feature. */
        this.fromLevel = (before ?? after).level;
        /** The features before and after; null for none. */
        this.before = before;
        this.after = after;
    }

    /** Whether the level changed. */
    get isMove() {
        return this.level !== this.fromLevel;
    }
}
