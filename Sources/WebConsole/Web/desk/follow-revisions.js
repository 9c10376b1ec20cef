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
        if (!desk.venue) return showAnew();
        // No news, unless the venue was deleted and made again: numbers begin at 1 then.
        if (number <= desk.venue.head) return look();
        desk.venue = { ...desk.venue, head: number, digest: null };
        document.getElementById("desk-head-revision").textContent = word("desk.revision", { n: number });
        return onRevision(number);
    };
    const look = async () => {
        const known = desk.venue;
        const venue = await askJSON(`/venues/${encodeURIComponent(desk.key)}`, { signal: desk.signal }).catch(() => null);
        if (!venue || desk.signal.aborted) return;
        if (venue.head > (desk.venue?.head ?? 0)) news(venue.head);
        // What was heard while the answer was on its way is newer than the answer.
        else if (desk.venue === known && isOther(venue, known)) showAnew();
    };
    followEvents({
        // What was published before the line stood is no event any more.
        signal: desk.signal, onReturn: look,
        onRevision: ({ venue, revision }) => venue === desk.key && news(revision),
    }).catch(() => {}); // a key that is revoked is told by the next question
}

const showAnew = () => window.dispatchEvent(new HashChangeEvent("hashchange"));

/** Whether a venue's document is of another history than what is known; of what an event told, the digest is not. */
const isOther = (now, before) =>
    now.head < before.head || (now.head === before.head && before.digest !== null && now.digest !== before.digest);
