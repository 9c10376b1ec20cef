package io.venuesync.client;

import java.time.Duration;
import java.time.Instant;

final class RetryPolicyTests {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @Test("Retry-After is seconds or a date, and at most an hour")
    void retryAfter() {
        RetryPolicy policy = new RetryPolicy();
        Check.same(policy.retryAfter("7", NOW), Duration.ofSeconds(7), "seconds");
        Check.same(policy.retryAfter("Sat, 21 Nov 2026 12:00:30 GMT", NOW), Duration.ofSeconds(30), "a date");
        Check.same(policy.retryAfter("Sat, 21 Nov 2026 11:00:30 GMT", NOW), Duration.ZERO, "a date that has passed");
        Check.same(policy.retryAfter("999999999999", NOW), Duration.ofHours(1), "for ever");
        for (String nonsense : new String[] {null, "", "soon", "-1", "1e9"}) {
            Check.same(policy.retryAfter(nonsense, NOW), null, "nonsense");
        }
    }

    @Test("Pauses double up to a limit with jitter, and Retry-After is respected")
    void pauses() {
        RetryPolicy policy = new RetryPolicy();
        for (int failures = 1; failures < 40; failures++) {
            long span = (long) Math.min(1000 * Math.pow(2, failures - 1), 60_000);
            for (Duration none : new Duration[] {null, Duration.ZERO, Duration.ofMillis(999)}) {
                long pause = policy.pause(failures, none).toMillis();
                Check.that(pause >= span / 2 && pause <= span, failures + " failures and " + none + " pause " + pause + " ms");
            }
            Check.that(policy.pause(failures, Duration.ofSeconds(900)).toMillis() >= 900_000, "Retry-After is a minimum");
            Check.that(policy.pause(failures, Duration.ofSeconds(1)).toMillis() <= 1500, "Retry-After counts, not the failures before it");
        }
    }
}
