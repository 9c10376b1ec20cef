// Tells a page of the desk that its venue has a new revision, whoever made it.

import { askJSON } from "../api.js";
import { followEvents } from "../sync/follow.js";
import { session } from "../session.js";
import { word } from "../words/words.js";

/** Calls `onRevision(number)` until the page is left. The number beside the venue's name follows by itself. */
export function followRevisions(desk, onRevision) {
    if (!session.isSignedIn) return;
    const news = (number) => {
        // With its first revision a venue has a name, floors and settings, and so more to show than this page began with.
        if (!desk.venue) return window.dispatchEvent(new HashChangeEvent("hashchange"));
        if (number <= desk.venue.head) return undefined;
        desk.venue = { ...desk.venue, head: number };
        document.getElementById("desk-head-revision").textContent = word("desk.revision", { n: number });
        return onRevision(number);
    };
    // What was published before the line stood is no event any more.
    const catchUp = async () => {
        const venue = await askJSON(`/venues/${encodeURIComponent(desk.key)}`, { signal: desk.signal }).catch(() => null);
        if (venue && !desk.signal.aborted) news(venue.head);
    };
    followEvents({
        signal: desk.signal, onReturn: catchUp,
        onRevision: ({ venue, revision }) => venue === desk.key && news(revision),
    }).catch(() => {}); // a key that is revoked is told by the next question
}
