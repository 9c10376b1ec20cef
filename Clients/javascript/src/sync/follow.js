// Keeps a replica up to date with long polls.

import { SyncError } from "./sync-error.js";

/** Seconds for which the server may delay a response until something changes. */
export const longPollTimeout = 25;

/**
 * Calls `poll(seconds)` until `signal` is aborted, and then resolves. `poll` resolves to whether something has changed. Temporary failures are
 * retried after growing pauses, or at once when the browser reports that the network is back; all others are thrown.
 *
 * `onFailure(error, pause)` is called after every temporary failure.
 */
export async function followLoop({ poll, policy, signal, onFailure }) {
    for (let failures = 0; !signal?.aborted; ) {
        const start = policy.now();
        try {
            const hasChanges = await poll(longPollTimeout);
            failures = 0;
            // If the server does not delay its responses, pause between requests.
            const isIdle = !hasChanges && policy.now() - start < policy.minimumPause;
            if (isIdle) await policy.sleep(policy.pause(1, policy.minimumPause), signal);
        } catch (error) {
            if (signal?.aborted) return;
            if (!(error instanceof SyncError && error.isRetryable)) throw error;
            failures += 1;
            const pause = policy.pause(failures, error.retryAfter);
            onFailure(error, pause);
            await sleepUnlessOnline(policy, pause, error.retryAfter === null, signal);
        }
    }
}

/** Pauses; with `mayWake` only until the browser reports that the network is back. Resolves when `signal` is aborted. */
async function sleepUnlessOnline(policy, milliseconds, mayWake, signal) {
    const waking = new AbortController();
    const wake = () => waking.abort();
    if (mayWake) globalThis.addEventListener?.("online", wake);
    signal?.addEventListener("abort", wake);
    if (signal?.aborted) wake();
    try {
        await policy.sleep(milliseconds, waking.signal);
    } catch (error) {
        if (!waking.signal.aborted) throw error;
    } finally {
        globalThis.removeEventListener?.("online", wake);
        signal?.removeEventListener("abort", wake);
    }
}

/** Whether the browser reports that there is no network. */
export function isNetworkAbsent() {
    return globalThis.navigator?.onLine === false;
}
