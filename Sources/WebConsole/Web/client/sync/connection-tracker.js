// What an app shows about the connection of a replica.

import { SyncError } from "./sync-error.js";

/**
 * The current connection, `{state, lastSynced, error, retryAt}`; `onChange(connection)` is called when the state or the kind of error changes. The states are
 *
 * - `connecting`: no response yet
 * - `current`: the last response has confirmed or updated the replica
 * - `retrying`: the server responded with an error that may be temporary; the request is repeated at `retryAt`
 * - `offline`: there was no response, or the browser has no network, or nobody repeats a request that was refused
 */
export class ConnectionTracker {
    #onChange;
    /** What is called after a success. */
    #waiting = new Set();

    /** `syncedAt`: when the stored replica was confirmed, in milliseconds since 1970; null if there is none. */
    constructor(syncedAt, onChange) {
        this.#onChange = onChange;
        const lastSynced = syncedAt === null ? null : new Date(syncedAt);
        this.connection = Object.freeze({ state: "connecting", lastSynced, error: null, retryAt: null });
    }

    /** Performs a synchronization, and records how it ends. */
    async tracking(policy, work) {
        try {
            const outcome = await work();
            this.succeeded(policy.now());
            return outcome;
        } catch (error) {
            if (error instanceof SyncError) this.failed(error, null);
            throw error;
        }
    }

    /** A response has confirmed or updated the replica. */
    succeeded(now) {
        this.#set({ state: "current", lastSynced: new Date(now), error: null, retryAt: null });
        for (const each of this.#waiting) each();
    }

    /** Calls a function after every success; returns a function that ends this. */
    onSuccess(callback) {
        this.#waiting.add(callback);
        return () => this.#waiting.delete(callback);
    }

    failed(error, retryAt) {
        const isRepeated = error.isRetryable || retryAt !== null;
        const isOffline = error.kind === "unreachable" || !isRepeated || globalThis.navigator?.onLine === false;
        this.#set({ state: isOffline ? "offline" : "retrying", lastSynced: this.connection.lastSynced, error, retryAt });
    }

    #set(connection) {
        const before = this.connection;
        this.connection = Object.freeze(connection);
        const isChange = before.state !== connection.state || before.error?.kind !== connection.error?.kind;
        if (isChange) this.#onChange(this.connection);
    }
}
