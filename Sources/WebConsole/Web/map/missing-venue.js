// What the map page shows for a venue that readers cannot open.

import { requestJSON } from "../api.js";
import { emptyState } from "../ui/states.js";
import { fill } from "../ui/element.js";
import { session } from "../session.js";
import { localized } from "../localization/localization.js";

/** A venue without a revision is unknown to readers, but its operators can open its uploads. */
export async function showMissing(context, venue, error) {
    const path = `/venues/${encodeURIComponent(venue)}/uploads?limit=1`;
    const newest = error.status === 404 && session.isSignedIn ? await requestJSON(path, { signal: context.signal }).catch(() => null) : null;
    if (!newest) throw error;
    const { id, state } = newest.uploads[0] ?? {};
    const known = ["staged", "rejected", "failed", "discarded"].includes(state) ? state : "processing";
    const hasFailed = known === "rejected" || known === "failed";
    fill(context.root, emptyState({
        title: localized("map.unpublished"), text: localized(`map.unpublished.${known}`), iconName: hasFailed ? "alert" : "clock", isPage: true,
        action: hasFailed ? { label: localized("map.toUpload"), href: `#/${venue}/desk/uploads/${id}` } : { label: localized("map.toUploads"), href: `#/${venue}/desk` },
    }));
    return null;
}
