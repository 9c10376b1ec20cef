// The outlines of the floors of a difference. They are venue-wide features, so they are not among the changes and surroundings of a floor.

import { requestAll, requestJSON } from "../../api.js";

/** Further venue-wide changes are not searched for floors. */
const changeLimit = 20_000;

export class LevelOutlines {
    #loaded = null;
    #load;

    /**
     * @param source the path of the difference in the API; null for none.
     * @param surroundings a revision that has the floors that did not change; 0 for none.
     */
    constructor(venueKey, source, surroundings, signal) {
        this.#load = async () => {
            const features = `/venues/${encodeURIComponent(venueKey)}/revisions/${surroundings}/features?level=venue&type=level`;
            const changes = source && `${source}${source.includes("?") ? "&" : "?"}level=venue&bodies=true&limit=1000`;
            const [unchanged, changed] = await Promise.all([
                // Without the revision, which may have been pruned, there are the outlines of changed floors.
                surroundings > 0 ? requestJSON(features, { signal, cache: "no-cache" }).catch(() => ({ features: [] })) : { features: [] },
                changes ? requestAll(changes, "changes", { signal, limit: changeLimit }) : []]);
            const outlines = new Map(unchanged.features.map((level) => [level.id, { before: level, after: level }]));
            for (const { feature_type: type, id, before, after } of changed) if (type === "level") outlines.set(id, { before, after });
            return outlines;
        };
    }

    /** The level feature in both states, `{before, after}`, which are the same object if it did not change; null if it is unknown. */
    async of(level) {
        if (level === null) return null;
        this.#loaded ??= this.#load().catch(() => new Map()); // Without them, the floor is drawn without its outline.
        return (await this.#loaded).get(level) ?? null;
    }
}
