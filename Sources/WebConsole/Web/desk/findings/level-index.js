// Finds the level of a feature of an upload: from its changes, or else from the published features.

import { requestAll, requestJSON } from "../../api.js";
import { hasChanges } from "../upload/upload-entry.js";

/** Further changes are not searched. */
const maximumChanges = 100_000;

export class LevelIndex {
    #desk;
    #upload;
    #changes = null;

    constructor(desk, upload) {
        this.#desk = desk;
        this.#upload = upload;
    }

    /** The id of the level; null if the feature is unknown or belongs to no level. */
    async find(id) {
        if (!id) return null;
        const changed = await this.#levelsOfChanges();
        return changed.has(id) ? changed.get(id) : this.#publishedLevel(id);
    }

    /** The levels of the changed features by their ids. */
    #levelsOfChanges() {
        const { id } = this.#upload;
        this.#changes ??= hasChanges(this.#upload)
            ? requestAll(`/uploads/${id}/changes?bodies=false&limit=10000`, "changes", { signal: this.#desk.signal, limit: maximumChanges })
                .then((all) => new Map(all.map((change) => [change.id, change.level_id])))
            : Promise.resolve(new Map());
        return this.#changes;
    }

    async #publishedLevel(id) {
        if (!this.#desk.venue) return null;
        const path = `/venues/${encodeURIComponent(this.#desk.venueKey)}/features/${id}/history?limit=1`;
        try {
            const { versions } = await requestJSON(path, { signal: this.#desk.signal });
            return versions[0]?.level_id ?? null;
        } catch (error) {
            if (error.status === 404) return null;
            throw error;
        }
    }
}
