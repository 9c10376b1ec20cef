// Notifies a view of new revisions of its venue, by whomever they are published.

import { requestJSON } from "../api.js";
import { followEvents } from "../client/sync/events.js";
import { retryPolicy } from "../retry.js";
import { session } from "../session.js";
import { localized } from "../localization/localization.js";

/** Calls `onRevision(number)` until the user leaves the view. Also updates the revision in the header. */
export function followRevisions(desk, onRevision) {
    if (!session.isSignedIn) return;
    const handle = (number) => {
        // With its first revision a venue gets a name, levels and settings, which this view does not have.
        if (!desk.venue) return reload();
        // Not newer: a late event, or the venue was deleted and created again, and its numbers start at 1.
        if (number <= desk.venue.head) return check();
        desk.venue = { ...desk.venue, head: number, digest: null };
        document.getElementById("desk-header-revision").textContent = localized("desk.revision", { n: number });
        return onRevision(number);
    };
    const check = async () => {
        const known = desk.venue;
        const venue = await requestJSON(`/venues/${encodeURIComponent(desk.venueKey)}`, { signal: desk.signal }).catch(() => null);
        if (!venue || desk.signal.aborted) return;
        if (venue.head > (desk.venue?.head ?? 0)) handle(venue.head);
        // If an event was handled while the request was running, the response is outdated.
        else if (desk.venue === known && isOtherEpoch(venue, known)) reload();
    };
    followEvents({
        // Revisions that were published while the connection was down are not sent as events.
        server: location.origin, key: () => session.key, policy: retryPolicy, signal: desk.signal, onConnect: check,
        onRevision: ({ venue, revision }) => venue === desk.venueKey && handle(revision),
    });
}

const reload = () => window.dispatchEvent(new HashChangeEvent("hashchange"));

/** Whether two states of a venue belong to different epochs. The digest is null if the state comes from an event. */
const isOtherEpoch = (now, before) =>
    now.head < before.head || (now.head === before.head && before.digest !== null && now.digest !== before.digest);
