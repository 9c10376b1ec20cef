// Tells a page of the desk that its venue has a new revision, whoever made it.

import { followEvents } from "../sync/follow.js";
import { session } from "../session.js";
import { word } from "../words/words.js";

/** Calls `onRevision(number)` until the page is left. The number beside the venue's name follows by itself. */
export function followRevisions(desk, onRevision) {
    if (!session.isSignedIn) return;
    const news = (number) => {
        if (desk.venue && number > desk.venue.head) desk.venue = { ...desk.venue, head: number };
        const tag = document.getElementById("desk-head-revision");
        if (tag && desk.venue) tag.textContent = word("desk.revision", { n: desk.venue.head });
        onRevision(number);
    };
    followEvents({
        signal: desk.signal,
        onRevision: ({ venue, revision }) => venue === desk.key && news(revision),
    }).catch(() => {}); // a key that is revoked is told by the next question
}
