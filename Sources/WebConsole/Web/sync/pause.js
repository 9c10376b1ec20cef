// Delays that can be cancelled.

/** Resolves after a number of milliseconds; rejects as soon as `signal` is aborted. */
export function pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(finish, milliseconds);
        signal?.addEventListener("abort", cancel, { once: true });
        if (signal?.aborted) cancel();
        function finish() {
            signal?.removeEventListener("abort", cancel);
            resolve();
        }
        function cancel() {
            clearTimeout(timer);
            reject(new DOMException("The delay was cancelled.", "AbortError"));
        }
    });
}

/** Milliseconds to wait before the next attempt: exponential backoff with jitter, at most 30 seconds. */
export function backoffDelay(attempt) {
    return Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2);
}
