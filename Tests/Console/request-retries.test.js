import "./support/page.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pass, settle, startClock } from "./support/time.js";
import { noResponse } from "./support/desk-service.js";
import { serve } from "./support/server.js";
const { request, requestJSON } = await import("../../Sources/WebConsole/Web/api.js");

beforeEach(() => startClock());

for (const [method, retryAfter, attempts] of [
    ["POST", null, 1], ["PATCH", "0", 1], ["DELETE", "0", 1], ["GET", null, 1], ["GET", "Mon, 01 Jan 2029 00:00:00 GMT", 1], ["GET", "0", 3],
]) {
    test(`request to a busy server is repeated only if it is safe: ${method} with Retry-After ${retryAfter}`, async () => {
        const requests = serve({ [`${method} /keys`]: () => (requests.length === 3 ? {} : new Response("", {
            status: 503, headers: retryAfter ? { "Retry-After": retryAfter } : {} })) });
        const result = request("/keys", { method }).then(() => "succeeded", (error) => error.status);
        await pass(60_000);
        assert.equal(await result, attempts > 1 ? "succeeded" : 503);
        assert.deepEqual(requests.map((each) => each.method), Array(attempts).fill(method));
    });
}

test("request that was limited is repeated after the time that the server asks for, whatever its method", async () => {
    const requests = serve({ "POST /keys": () => (requests.length === 2 ? {} : new Response("", { status: 429, headers: { "Retry-After": "7" } })) });
    const result = requestJSON("/keys", { method: "POST", json: { name: "phones" } });
    await pass(6_900);
    assert.equal(requests.length, 1);
    await pass(200);
    assert.deepEqual(await result, {});
    assert.deepEqual(requests.map(({ body }) => body), Array(2).fill('{"name":"phones"}'));
});

test("request is given up after four repetitions", async () => {
    const requests = serve({ "GET /keys": () => new Response("", { status: 503, headers: { "Retry-After": "1" } }) });
    const result = request("/keys").catch((error) => error.status);
    await pass(60_000);
    assert.equal(await result, 503);
    assert.equal(requests.length, 5);
});

test("request without a response has the status 0 and a title in the language of the user", async () => {
    serve({ "GET /keys": noResponse });
    await assert.rejects(request("/keys"), { status: 0, title: "The server does not respond" });
});

test("request whose response does not begin for a minute has none", async () => {
    serve({});
    globalThis.fetch = (_, { signal }) => new Promise((_, reject) => { signal.addEventListener("abort", () => reject(signal.reason)); });
    let status = null;
    request("/keys", { method: "POST" }).catch((error) => { ({ status } = error); });
    await pass(59_000);
    assert.equal(status, null);
    await pass(1_000);
    assert.equal(status, 0);
});

test("response whose body stops for a minute is none", async () => {
    globalThis.fetch = async (_, { signal }) => new Response(new ReadableStream({ start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"keys":'));
        signal.addEventListener("abort", () => controller.error(signal.reason));
    } }));
    let status = null;
    requestJSON("/keys").catch((error) => { ({ status } = error); });
    await settle();
    await pass(59_000);
    assert.equal(status, null);
    await pass(1_000);
    assert.equal(status, 0);
});
