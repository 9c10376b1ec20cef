// A server without a network, for modules that send requests: what `fetch` gets is decided by a list of routes.

/**
 * Replaces `fetch` by routes `{"GET /venues/mall": response}`. A response is JSON, a `Response`, or a function of `(request, match)` that
 * returns one of both. A path may have groups: `"GET /uploads/(?<id>[^?]+)"`. Returns the list of requests that were sent, `{method,
 * path, headers, body}`. A request without a route fails the test: it is answered with 404 and listed in `unexpected`.
 */
export function serve(routes) {
    const requests = [];
    requests.unexpected = [];
    const patterns = Object.entries(routes).map(([route, response]) => {
        const [method, path] = route.split(/ (.*)/s);
        return { method, pattern: new RegExp(`^${path}$`), response };
    });
    globalThis.fetch = async (address, { method = "GET", headers = {}, body, signal } = {}) => {
        signal?.throwIfAborted();
        const { pathname, search } = new URL(address, "http://venue.test/");
        const request = { method, path: pathname + search, headers: new Headers(headers), body };
        requests.push(request);
        for (const { method: expected, pattern, response } of patterns) {
            const match = expected === method && pattern.exec(request.path);
            if (!match) continue;
            const answer = typeof response === "function" ? await response(request, match.groups ?? {}) : response;
            return answer instanceof Response ? answer : Response.json(answer);
        }
        requests.unexpected.push(`${method} ${request.path}`);
        return Response.json({ type: "/problems/no-route", title: "No route" }, { status: 404 });
    };
    return requests;
}

/** A problem document as the server sends it. */
export const problem = (status, type, members = {}) =>
    Response.json({ type: `/problems/${type}`, title: type, status, ...members },
        { status, headers: { "Content-Type": "application/problem+json" } });
