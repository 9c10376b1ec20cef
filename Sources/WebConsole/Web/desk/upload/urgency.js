// The order in which an operator looks at uploads.

/**
 * Those that wait for a decision come first, then failures after which nothing was published, what is being processed, what is published at
 * a set time, and the others; the newest first.
 */
export function byUrgency(uploads) {
    const newestFirst = [...uploads].sort((one, other) => -compare(one.received_at, other.received_at));
    // What was received before a failure may be published after it.
    const published = uploads.filter(({ state }) => state === "published").map(endOf).sort(compare).at(-1);
    const ranks = new Map(uploads.map((upload) => [upload, rank(upload, !published || endOf(upload) > published)]));
    return newestFirst.sort((one, other) => ranks.get(one) - ranks.get(other));
}

function rank({ state, publish_at: at }, isSincePublication) {
    switch (state) {
        case "staged": return at ? 3 : 0;
        case "rejected":
        case "failed": return isSincePublication ? 1 : 4;
        case "received":
        case "processing": return 2;
        default: return 4;
    }
}

/** When it was published, or failed. */
const endOf = ({ finished_at: at, received_at: receivedAt }) => at ?? receivedAt;

const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
