package io.venuesync.client;

import java.time.Duration;

/** A synchronization that failed. The replica is as it was before. */
public final class SyncException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What went wrong, and whose move it is. */
    public enum Kind {
        /** There was no reply, or it broke off. */
        UNREACHABLE(true),
        /** 429 or 5xx; see {@link SyncException#retryAfter()}. */
        UNAVAILABLE(true),
        /** 401 or 403: no key, a wrong or revoked one, or one that may not read this venue. */
        UNAUTHORIZED(false),
        /** 404: there is no such venue, or the key may not see it. */
        UNKNOWN_VENUE(false),
        /** The venue was deleted. */
        VENUE_GONE(false),
        /** Another status. The request itself is at fault, or something between here and the server answered. */
        REFUSED(false),
        /** The reply is not what it should be: cut short, about something else, or not what its digests say. */
        WRONG_REPLY(true),
        /** There is no room for the change. */
        DISK_FULL(false),
        /** Something else writes to the store, and went on for as long as was waited. */
        BUSY(true),
        /** The store cannot be used: it is damaged, open elsewhere, or of something else. */
        STORE(false);

        private final boolean isRetryable;

        Kind(boolean isRetryable) {
            this.isRetryable = isRetryable;
        }
    }

    private final Kind kind;
    private final transient Duration retryAfter;

    SyncException(Kind kind, String message) {
        this(kind, message, null, null);
    }

    SyncException(Kind kind, String message, Throwable cause) {
        this(kind, message, null, cause);
    }

    SyncException(Kind kind, String message, Duration retryAfter, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    static SyncException wrongReply(String message) {
        return new SyncException(Kind.WRONG_REPLY, message);
    }

    public Kind kind() {
        return kind;
    }

    /** For how long the server asked not to be asked again; null when it did not. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** Whether the same request may succeed later without anybody's help. */
    public boolean isRetryable() {
        return kind.isRetryable;
    }
}
