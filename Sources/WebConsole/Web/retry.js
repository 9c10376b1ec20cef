// When the console repeats failed requests.

import { RetryPolicy } from "./client/sync/retry-policy.js";

export { pause } from "./client/sync/retry-policy.js";

/** Shorter pauses than those of apps, because somebody is watching: a server that was restarted is noticed within seconds. */
export const retryPolicy = new RetryPolicy({ minimumPause: 500, maximumPause: 8_000 });

/** Milliseconds to wait before the next attempt, counted from 0. */
export function backoffDelay(attempt) {
    return retryPolicy.pause(attempt + 1);
}
