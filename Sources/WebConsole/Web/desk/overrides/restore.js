// Makes an override again that was ended, with its value and its time.

import { isSame, mergePatch, valueAt } from "../../map/editing/changes.js";
import { readFeature, sendEdits } from "../../map/editing/requests.js";
import { localized } from "../../localization/localization.js";

/** Returns the response; null if somebody has changed the same since. */
export async function restoreOverride(venueKey, override, revision) {
    const { kind, feature, pointer, value, source, until } = override;
    const options = { message: localized("edit.undoMessage", { n: revision }), until };
    try {
        if (kind === "hidden") return await sendEdits(venueKey, [{ hide: feature }], options);
        if (kind === "added") return await sendEdits(venueKey, [{ add: value }], options);
        const now = await readFeature(venueKey, feature);
        if (!isSame(valueAt(now.feature, pointer), source)) return null;
        return await sendEdits(venueKey, [{ feature, patch: mergePatch([{ pointer, value }]) }], { ...options, base: revision });
    } catch (error) {
        if (error.type === "feature-exists" || error.type === "feature-not-found" || error.type === "head-moved") return null;
        throw error;
    }
}
