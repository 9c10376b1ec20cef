// Reads the features of one venue that are in memory.

/** A venue of a replica. Reading sends no requests and sees one revision. */
export class VenueReader {
    #contents;

    /** `contents` is a function that returns the current `VenueContents`. */
    constructor(contents) {
        this.#contents = contents;
    }

    get venue() {
        return this.#contents().venue;
    }

    /** `{revision, cursor, digest, selection, about, syncedAt}`; the revision is null before the first synchronization. */
    get state() {
        return this.#contents().state;
    }

    /** The venue-wide part and all levels of the venue in ascending order, held or not. */
    levels() {
        const { levels, digests, state } = this.#contents();
        const features = new Map(this.features({ level: null, types: ["level"] }).map((feature) => [feature.id, feature]));
        const ids = [...new Set([...features.keys(), ...digests.keys()])].filter((level) => level !== null);
        const describe = (level) => {
            const feature = features.get(level);
            return {
                level, ordinal: feature?.ordinal ?? null, name: feature?.name([state.about.language]) ?? null,
                shortName: feature?.name([state.about.language], "short_name") ?? null,
                isHeld: digests.has(level), features: levels.get(level)?.size ?? 0, digest: digests.get(level) ?? null,
            };
        };
        const rank = ({ ordinal }) => ordinal ?? 2 ** 31;
        const described = ids.map(describe).sort((one, other) => rank(one) - rank(other) || (one.level < other.level ? -1 : 1));
        return digests.has(null) ? [describe(null), ...described] : described;
    }

    /**
     * The features of a level (null: the venue-wide part), or of all held levels if `level` is undefined; sorted by level and id.
     * `types` selects feature types.
     */
    features({ level, types } = {}) {
        const { levels } = this.#contents();
        const wanted = types && new Set(types);
        const names = level === undefined ? [...levels.keys()].sort((one, other) => ((one ?? "") < (other ?? "") ? -1 : 1)) : [level];
        return names.flatMap((name) => [...(levels.get(name)?.values() ?? [])]
            .filter(({ type }) => !wanted || wanted.has(type))
            .sort((one, other) => (one.id < other.id ? -1 : 1)));
    }

    /** The feature with an id; undefined if it is not held. */
    feature(id) {
        return this.#contents().features.get(id);
    }

    /** The digest of a held level; undefined if it is not held. */
    digest(level) {
        return this.#contents().digests.get(level);
    }
}
