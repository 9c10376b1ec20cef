// Responses that never begin, or stop in the middle, until the request is aborted.

/** A response that never begins. */
export const never = () => new Promise(() => {});

/** A response until the request is aborted: then it fails, also in the middle. */
export async function untilAborted(signal, answer) {
    if (!signal) return answer;
    const aborted = new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    aborted.catch(() => {});
    const response = await Promise.race([answer, aborted]);
    if (!response.body) return response;
    const { readable, writable } = new TransformStream();
    response.body.pipeTo(writable, { signal }).catch(() => {});
    return new Response(readable, { status: response.status, headers: response.headers });
}

/** Makes the current `fetch`, such as that of `serve`, end responses when their request is aborted. */
export function makeAbortable() {
    const { fetch } = globalThis;
    globalThis.fetch = (address, options = {}) => untilAborted(options.signal, fetch(address, options));
}
