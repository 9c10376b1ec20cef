package io.venuesync.client;

import java.time.Duration;

/** A failed synchronization. The replica is unchanged. */
public final class SyncException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The kind of failure, and whether a retry may help. */
    public enum Kind {
        /** There was no response, or it was incomplete. */
        UNREACHABLE(true),
        /** 429 or 5xx; see {@link SyncException#retryAfter()}. */
        UNAVAILABLE(true),
        /** 401 or 403 from the server: no key, a wrong or revoked one, or one that may not read this venue. */
        UNAUTHORIZED(false),
        /** 404 from the server: there is no such venue, or the key may not see it. */
        UNKNOWN_VENUE(false),
        /** The venue was deleted. */
        VENUE_GONE(false),
        /**
         * Another status: the request is invalid, or something between client and server responded. A 401, 403, 404 or 410 without a
         * problem document is not from the server and belongs here.
         */
        REFUSED(true),
        /** The response is invalid: truncated, about something else, or different from its digests. */
        INVALID_RESPONSE(true),
        /**
         * What was received is not proven to be the newest revision of the operator: it is unsigned, wrongly signed, expired, older than what
         * is held, or not what was signed. Only if keys are trusted.
         */
        UNTRUSTED(true),
        /** The disk is full. */
        DISK_FULL(false),
        /** Another process was writing to the store until the timeout. */
        BUSY(true),
        /** The store cannot be used: it is damaged, open in another process, or not a replica of this venue. */
        STORE(false);

        private final boolean isRetryable;

        Kind(boolean isRetryable) {
            this.isRetryable = isRetryable;
        }
    }

    private final Kind kind;
    private final transient Duration retryAfter;
    private final String location;

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
        this.location = null;
    }

    private SyncException(String message, String location) {
        super(message);
        this.kind = Kind.REFUSED;
        this.retryAfter = null;
        this.location = location;
    }

    /** @param location the header of a response with a status below 400; null if there is none */
    static SyncException redirect(int status, String location) {
        String target = location == null ? "" : ": a redirect to " + location.substring(0, Math.min(location.length(), 200));
        return new SyncException("the server responded with status " + status + target, location);
    }

    static SyncException invalidResponse(String message) {
        return new SyncException(Kind.INVALID_RESPONSE, message);
    }

    static SyncException untrusted(String message) {
        return new SyncException(Kind.UNTRUSTED, message);
    }

    public Kind kind() {
        return kind;
    }

    /** The value of {@code Retry-After}; null if there was none. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** The target of a redirect, which is not followed; null for other errors. */
    public String location() {
        return location;
    }

    /** True if the same request may succeed later. */
    public boolean isRetryable() {
        return kind.isRetryable;
    }
}
