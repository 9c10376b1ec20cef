// A `fetch` that returns responses from a list.

export const server = "https://maps.example";

export class ScriptedFetch {
    requests = [];

    constructor(responses = []) {
        this.responses = [...responses];
    }

    fetch = async (address, options) => {
        const url = new URL(address);
        this.requests.push({
            server: url.origin, path: url.pathname, since: url.searchParams.get("since"), level: url.searchParams.getAll("level").sort(),
            query: Object.fromEntries(url.searchParams), options,
        });
        if (this.responses.length === 0) throw new Unexpected(`unexpected request: ${address}`);
        const response = this.responses.shift();
        const scripted = typeof response === "function" ? await response(options) : response;
        if (scripted instanceof Error) throw scripted;
        if (scripted instanceof Response || scripted.type) return scripted;
        return responseOf(scripted);
    };
}

/** A request that a test does not expect. The client must not take it for a missing network. */
class Unexpected extends Error {
    constructor(message) {
        super(message);
        process.nextTick(() => { throw this; });
    }
}

export function responseOf({ status, headers = {}, body, base64, fault = {} }) {
    if (fault.reset === 0) throw new TypeError("there is no network");
    const bytes = base64 === undefined
        ? new TextEncoder().encode(body.map((line) => `${line}\n`).join("")) : Uint8Array.from(Buffer.from(base64, "base64"));
    const sent = bytes.subarray(0, fault.reset ?? fault.cut ?? bytes.length);
    const stream = new ReadableStream({
        pull(controller) {
            if (this.isSent) return fault.reset === undefined ? controller.close() : controller.error(new TypeError("terminated"));
            this.isSent = true;
            if (sent.length > 0) controller.enqueue(sent);
        },
    });
    return new Response(stream, { status, headers });
}
