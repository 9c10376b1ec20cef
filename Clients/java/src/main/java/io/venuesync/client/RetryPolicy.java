package io.venuesync.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When to ask again after a request that failed. Pauses double from failure to failure and are partly chance, so that clients which
 * failed together do not come back together. A server that says when to come back ({@code Retry-After}) is taken at its word.
 *
 * @param attempts how often one request is sent when the pages that were read already would be lost otherwise; the first request of a
 *     change set is sent once
 * @param shortest the pause after the first failure
 * @param longest what pauses grow up to
 * @param longestWish a {@code Retry-After} of more is taken for this
 */
public record RetryPolicy(int attempts, Duration shortest, Duration longest, Duration longestWish) {
    public RetryPolicy() {
        this(4, Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofHours(1));
    }

    /** How long to wait after so many failures in a row. {@code wish}: what the server asked for, or null. */
    Duration pause(int failures, Duration wish) {
        int doublings = Math.min(Math.max(failures, 1) - 1, 30);
        long span = Math.min(shortest.toMillis() << doublings, longest.toMillis());
        long first = wish == null ? span / 2 : Math.min(wish.toMillis(), longestWish.toMillis());
        return Duration.ofMillis(first + (long) (span / 2.0 * ThreadLocalRandom.current().nextDouble()));
    }

    /** Seconds, or a date as HTTP writes it (RFC 9110 §10.2.3); null for anything else. */
    Duration wish(String retryAfter, Instant now) {
        String text = retryAfter == null ? "" : retryAfter.trim();
        try {
            if (text.matches("[0-9]{1,12}")) {
                return shorter(Duration.ofSeconds(Long.parseLong(text)));
            }
            Duration left = Duration.between(now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME));
            return left.isNegative() ? Duration.ZERO : shorter(left);
        } catch (DateTimeException | ArithmeticException error) {
            return null;
        }
    }

    private Duration shorter(Duration wish) {
        return wish.compareTo(longestWish) < 0 ? wish : longestWish;
    }
}
