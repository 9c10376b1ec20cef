// What the map page shows for a venue that readers cannot open.

import { requestJSON } from "../api.js";
import { emptyState } from "../ui/states.js";
import { fill } from "../ui/element.js";
import { session } from "../session.js";
import { localized } from "../localization/localization.js";

/** A venue without a revision is unknown to readers, but its operators can open its uploads. */
export async function showMissing(context, venue, error) {
    const isOperator = error.status === 404 && session.isSignedIn
        && await requestJSON(`/venues/${encodeURIComponent(venue)}/uploads?limit=1`, { signal: context.signal }).then(() => true, () => false);
    if (!isOperator) throw error;
    fill(context.root, emptyState({
        title: localized("map.unpublished"), text: localized("map.unpublishedHelp"), iconName: "clock", isPage: true,
        action: { label: localized("map.toUploads"), href: `#/${venue}/desk` },
    }));
    return null;
}
