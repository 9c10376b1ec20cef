import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { SyncError, followEvents } from "@venuesync/client";

import { problem } from "./support/pages.js";
import { instantPolicy } from "./support/replicas.js";
import { kindOf } from "./support/results.js";
import { ScriptedFetch, server } from "./support/scripted-fetch.js";

/** A stream of these parts; `isOpen` keeps it open until it is aborted. */
const stream = (parts, isOpen = false) => ({ signal }) => new Response(new ReadableStream({
    start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
        if (!isOpen) controller.close();
        signal.addEventListener("abort", () => isOpen && controller.error(signal.reason));
    },
}));

const event = (id, revision) => `event: revision\r\nid: ${id}\ndata: {"venue":"mall",\ndata: "revision":${revision}}\n\n`;
function follow(responses, options) {
    const network = new ScriptedFetch(responses);
    return { network, ended: followEvents({ server, key: "secret", fetch: network.fetch, policy: instantPolicy(), onRevision: () => {}, ...options }) };
}

describe("events", () => {
    test("events are parsed in any parts, and a new connection continues after the last one", async () => {
        const controller = new AbortController();
        const [revisions, connections, failures] = [[], [], []];
        const text = `: hello\n\n${event(7, 2)}event: other\ndata: x\n\n${event(9, 3)}`;
        const { network, ended } = follow([stream([...text]), problem(503), problem(410, "history-lost"), stream([event(1, 4)], true)], {
            signal: controller.signal, onConnect: () => connections.push(revisions.length), onDisconnect: ({ kind }) => failures.push(kind),
            onRevision: ({ venue, revision }) => {
                revisions.push([venue, revision]);
                if (revision === 4) controller.abort();
            },
        });
        await ended;
        assert.deepEqual(revisions, [["mall", 2], ["mall", 3], ["mall", 4]]);
        assert.deepEqual([connections, failures], [[0, 2], ["unreachable", "unavailable", "unreachable"]]);
        assert.deepEqual(network.requests.map(({ options }) => options.headers["Last-Event-ID"]), [undefined, "9", "9", undefined]);
    });

    test("it goes on after a revoked key, and a store that cannot be used ends it", async () => {
        const failures = [];
        const { ended } = follow([problem(401), problem(403), stream([event(7, 2)], true)], {
            onDisconnect: ({ kind }) => failures.push(kind),
            onConnect: () => { throw new SyncError("file", "the store was deleted"); },
        });
        await assert.rejects(ended, kindOf("file"));
        assert.deepEqual(failures, ["unauthorized", "unauthorized"]);
    });

    test("an event that is not a revision or has no end is a failure of the connection", async () => {
        for (const part of ["event: revision\ndata: [\n\n", 'event: revision\ndata: {"venue":7,"revision":1}\n\n', "x".repeat(5_000_000), "data: x\n".repeat(3_000_000)]) {
            const controller = new AbortController();
            const kinds = [];
            const { ended } = follow([stream([part], true)], {
                signal: controller.signal, onDisconnect: ({ kind }) => {
                    kinds.push(kind);
                    controller.abort();
                },
            });
            await ended;
            assert.deepEqual(kinds, ["malformed"], part.slice(0, 40));
        }
    });
});
