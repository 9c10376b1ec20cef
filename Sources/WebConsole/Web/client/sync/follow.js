// Keeps a replica up to date with long polls.

import { SyncError, endsFollowing } from "./sync-error.js";

/** Seconds for which the server may delay a response until something changes. */
const longPollTimeout = 25;

/**
 * Calls `poll(seconds)` until `signal` is aborted, and then resolves. `poll` resolves to a report, or to null if the replica has changed in
 * the meantime; the first one after the start or a failure does not wait, so that the connection is known at once. Failures are retried after
 * growing pauses, or at once when the browser reports that the network is back or another call has reached the server; those that a retry
 * cannot help against are thrown. `report` is called with the events of `VenueReplica.follow`.
 */
export async function followLoop({ poll, report, tracker, policy, signal }) {
    let isConnected = false;
    for (let failures = 0; !signal?.aborted; ) {
        const start = policy.now();
        try {
            const hasWaited = isConnected;
            const outcome = await poll(isConnected ? longPollTimeout : undefined);
            if (outcome === null) continue;
            tracker.succeeded(policy.now());
            if (!isConnected) report({ kind: "connected", isBack: failures > 0 });
            isConnected = true;
            failures = 0;
            const isEarly = hasWaited && policy.now() - start < policy.minimumPause;
            if (outcome.hasCommitted) report({ kind: "synced", report: outcome });
            // If the server does not delay its responses, pause between requests.
            else if (isEarly) await policy.sleep(policy.pause(1, policy.minimumPause), signal);
        } catch (error) {
            if (signal?.aborted) return;
            if (endsFollowing(error)) {
                if (error instanceof SyncError) tracker.failed(error, null);
                throw error;
            }
            isConnected = false;
            failures += 1;
            const pause = policy.pause(failures, error.retryAfter);
            tracker.failed(error, new Date(policy.now() + pause));
            report({ kind: "failed", error, pause });
            await sleepUnlessOnline({ policy, tracker, signal, mayWake: error.retryAfter === null }, pause);
        }
    }
}

/**
 * Pauses until another call has reached the server; with `mayWake`, also until the browser reports that the network is back. Resolves when
 * `signal` is aborted.
 */
async function sleepUnlessOnline({ policy, tracker, signal, mayWake }, milliseconds) {
    const waking = new AbortController();
    const wake = () => waking.abort();
    const end = tracker.onSuccess(wake);
    if (mayWake) globalThis.addEventListener?.("online", wake);
    signal?.addEventListener("abort", wake);
    if (signal?.aborted) wake();
    try {
        await policy.sleep(milliseconds, waking.signal);
    } catch (error) {
        if (!waking.signal.aborted) throw error;
    } finally {
        end();
        globalThis.removeEventListener?.("online", wake);
        signal?.removeEventListener("abort", wake);
    }
}
