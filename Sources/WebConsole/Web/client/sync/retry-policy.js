// When to retry a failed request.

/** Resolves after a number of milliseconds; rejects with the reason of `signal` as soon as that is aborted. */
export function pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const timer = setTimeout(finish, milliseconds);
        signal?.addEventListener("abort", cancel, { once: true });
        function finish() {
            signal?.removeEventListener("abort", cancel);
            resolve();
        }
        function cancel() {
            clearTimeout(timer);
            reject(signal.reason);
        }
    });
}

/**
 * Exponential backoff with jitter, so that clients that failed together do not retry together; or the `Retry-After` of the server.
 * All times are in milliseconds.
 */
export class RetryPolicy {
    /** How often a request is sent whose failure would lose pages that were already received. The first request is sent once. */
    attempts = 4;
    minimumPause = 1_000;
    /** Nobody waits longer than this after an outage. */
    maximumPause = 60_000;
    /** The upper bound for `Retry-After`. */
    maximumRetryAfter = 3_600_000;
    // Replaced by tests.
    sleep = pause;
    randomFraction = Math.random;
    now = Date.now;

    constructor(values = {}) {
        Object.assign(this, values);
    }

    /**
     * The pause after a number of consecutive failures: half of a span that doubles each time, and a random part of the other half. If the
     * server asks for a pause, the random part is at most half of that. Less than the minimum, such as 0 or a date in the past, is no such
     * request.
     */
    pause(failures, requested = null) {
        const retryAfter = requested !== null && requested >= this.minimumPause ? requested : null;
        const wanted = retryAfter ?? this.minimumPause * 2 ** Math.min(Math.max(failures, 1) - 1, 30);
        const span = Math.min(Math.max(wanted, this.minimumPause), this.maximumPause);
        return Math.min(retryAfter ?? span / 2, this.maximumRetryAfter) + (span / 2) * this.randomFraction();
    }

    /** Parses `Retry-After`: seconds or an HTTP date (RFC 9110 §10.2.3); null for anything else. */
    retryAfter(header) {
        const text = (header ?? "").trim();
        if (/^[0-9]+$/.test(text)) return Math.min(Number(text) * 1000, this.maximumRetryAfter);
        if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
        const date = Date.parse(text);
        return Number.isNaN(date) ? null : Math.min(Math.max(0, date - this.now()), this.maximumRetryAfter);
    }

    /** Repeats an operation until it succeeds, the number of attempts is reached, or a retry cannot help. */
    async attempting(attempts, signal, operation) {
        for (let failures = 1; ; failures += 1) {
            try {
                return await operation();
            } catch (error) {
                if (failures >= attempts || error.isRetryable !== true) throw error;
                await this.sleep(this.pause(failures, error.retryAfter), signal);
            }
        }
    }
}
