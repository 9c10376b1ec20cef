// Why a synchronization failed. After any error, the replica is unchanged.

const retryable = new Set(["unreachable", "unavailable", "refused", "malformed", "contradiction", "wrongDigest", "untrusted", "busy"]);

/**
 * A synchronization that failed. The replica is unchanged. `kind` is one of:
 *
 * - `unreachable`: there was no response, or it was incomplete
 * - `unavailable`: 429 or 5xx; `status`, and `retryAfter` in milliseconds or null
 * - `unauthorized`: 401 or 403: no key, a wrong or revoked one, or one that may not read this venue
 * - `unknownVenue`: 404: there is no such venue, or the key may not see it
 * - `venueGone`: the venue was deleted
 * - `refused`: any other status, in `status`; redirects too, and 401, 403, 404 and 410 from something between client and server, such as
 *   a proxy: the body of these is not a problem of VenueSync
 * - `malformed`: the response violates the protocol, for example because it is truncated
 * - `contradiction`: the response belongs to another venue or revision, or repeats a page
 * - `wrongDigest`: the digest of `level` (null: the venue-wide part) differs, also after the level was fetched again
 * - `untrusted`: what was received is unsigned, wrongly signed, expired, older than what is held, or not what was signed; only with
 *   trusted keys
 * - `diskFull`: there is no space for the stored replica
 * - `busy`: others keep writing to the store
 * - `file`: the store cannot be used: it is damaged, or not the replica of this venue
 */
export class SyncError extends Error {
    constructor(kind, message, { status = null, retryAfter = null, level = null, cause } = {}) {
        super(message, cause === undefined ? undefined : { cause });
        this.name = "SyncError";
        this.kind = kind;
        this.status = status;
        this.retryAfter = retryAfter;
        this.level = level;
    }

    /** Whether the same request may succeed later. */
    get isRetryable() {
        return retryable.has(this.kind);
    }
}

/**
 * Whether following has to end: a store that cannot be used, or an error of the program. A revoked key may be granted again, a venue created
 * again, and a full disk emptied.
 */
export function endsFollowing(error) {
    return !(error instanceof SyncError) || error.kind === "file";
}

/** 410: the cursor cannot be continued. `problem` is the parsed body, which has the digests of all levels. */
export class HistoryLost extends Error {
    constructor(problem) {
        super("the history of the cursor is lost");
        this.problem = problem;
    }
}

/** Another writer has changed the store since its state was read. */
export class StateChanged extends Error {
    constructor() {
        super("another writer has changed the store");
    }
}

export function malformed(message) {
    return new SyncError("malformed", `the response is malformed: ${message}`);
}

export function contradiction(message) {
    return new SyncError("contradiction", `the response does not fit the replica: ${message}`);
}
