package io.venuesync.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When to retry a failed request: exponential backoff with jitter, so that clients that failed together do not retry together.
 * {@code Retry-After} is respected.
 *
 * @param attempts how often the request for a later page or a level is sent, because the pages read so far would be lost otherwise; the first
 *     request of a change set is sent once
 * @param shortest the pause after the first failure
 * @param longest the upper bound for pauses: nobody waits longer than this after an outage
 * @param longestRetryAfter the upper bound for {@code Retry-After}
 */
public record RetryPolicy(int attempts, Duration shortest, Duration longest, Duration longestRetryAfter) {
    public RetryPolicy() {
        this(4, Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofHours(1));
    }

    /**
     * The pause after this number of consecutive failures. {@code requested}: the value of {@code Retry-After}, or null. The random part is at
     * most half of it. Less than the shortest pause, such as 0 or a date in the past, counts as null.
     */
    Duration pause(int failures, Duration requested) {
        Duration retryAfter = requested == null || requested.compareTo(shortest) < 0 ? null : requested;
        int doublings = Math.min(Math.max(failures, 1) - 1, 30);
        long wanted = retryAfter == null ? shortest.toMillis() << doublings : retryAfter.toMillis();
        long span = Math.min(Math.max(wanted, shortest.toMillis()), longest.toMillis());
        long first = retryAfter == null ? span / 2 : Math.min(retryAfter.toMillis(), longestRetryAfter.toMillis());
        return Duration.ofMillis(first + (long) (span / 2.0 * ThreadLocalRandom.current().nextDouble()));
    }

    /** Parses {@code Retry-After}: seconds or an HTTP date (RFC 9110 §10.2.3); null for anything else. */
    Duration retryAfter(String header, Instant now) {
        String text = header == null ? "" : header.trim();
        try {
            if (text.matches("[0-9]{1,12}")) {
                return bounded(Duration.ofSeconds(Long.parseLong(text)));
            }
            Duration left = Duration.between(now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME));
            return left.isNegative() ? Duration.ZERO : bounded(left);
        } catch (DateTimeException | ArithmeticException error) {
            return null;
        }
    }

    private Duration bounded(Duration duration) {
        return duration.compareTo(longestRetryAfter) < 0 ? duration : longestRetryAfter;
    }
}
