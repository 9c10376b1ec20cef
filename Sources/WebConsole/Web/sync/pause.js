// Waiting that can be broken off.

/** Resolves after so many milliseconds, or rejects as soon as `signal` is aborted. */
export function pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(done, milliseconds);
        signal?.addEventListener("abort", broken, { once: true });
        if (signal?.aborted) broken();
        function done() {
            signal?.removeEventListener("abort", broken);
            resolve();
        }
        function broken() {
            clearTimeout(timer);
            reject(new DOMException("left", "AbortError"));
        }
    });
}

/** How long to wait before the next attempt: longer each time, half a minute at most, and not the same for everybody. */
export function backOff(attempt) {
    return Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2);
}
