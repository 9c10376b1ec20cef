// Work that gives way: a generator yields after each small part of it.

/** How long is worked without a pause, in milliseconds: a page draws every 16. */
const longest = 8;

/**
 * The result of a generator. `pause` is awaited whenever it has worked for a while, so that a page can do something else. Rejects with the
 * reason of the signal once that is aborted.
 */
export async function finish(work, { pause = nextTask, signal = null } = {}) {
    signal?.throwIfAborted();
    let start = performance.now();
    for (;;) {
        const { done, value } = work.next();
        if (done) return value;
        if (performance.now() - start < longest) continue;
        await pause();
        signal?.throwIfAborted();
        start = performance.now();
    }
}

/** A macrotask, so that a page can do something else. */
export const nextTask = () => new Promise((resolve) => { setTimeout(resolve); });
