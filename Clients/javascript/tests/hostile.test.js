// Malicious responses, with matching digests.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { listVenues } from "@venuesync/client";

import { ground, lines, page, problem, snapshot, uuid } from "./support/pages.js";
import { scriptedReplica } from "./support/replicas.js";
import { kindOf } from "./support/results.js";
import { ScriptedFetch, server } from "./support/scripted-fetch.js";

const id = uuid("a1");
const noFeatures = [
    "{", "{}", `{"id":"${id}"}`, '{"feature_type":"unit"}', '{"feature_type":"unit","id":"a1"}', `{"feature_type":1,"id":"${id}"}`,
    `{"feature_type":"unit","id":["${id}"]}`, `{"feature_type":"unit","id":"${id}"`, `{"feature_type":"unit","id":"${id}"}}`,
    `{"feature_type":"unit","id":"${id.replace("a", "A")}"}`, '{"feature_type":"unit\\', `{"feature_type":"unit",,"id":"${id}"}`,
    `{"feature_type":"unit","id":"${id}","properties":${"[".repeat(300_000)}`,
    `{"feature_type":"unit","id":"${id}","properties":${"[".repeat(600)}${"]".repeat(600)}}`,
    `{"feature_type":"unit","id":"${id}","properties":{"a":NaN}}`, `{"__proto__":{"feature_type":"unit","id":"${id}"}}`,
];

describe("hostile responses", () => {
    test("an invalid body is refused and nothing is stored", async () => {
        for (const line of noFeatures) {
            const { replica } = await scriptedReplica([page(null, 1, "one", [snapshot(ground, line)])]);
            await assert.rejects(replica.sync(), kindOf("malformed"), line.slice(0, 60));
            assert.deepEqual([replica.state.revision, replica.features(), replica.levels()], [null, [], []]);
        }
    });

    test("deep nesting around the bodies is refused", async () => {
        for (const deep of ["[".repeat(100_000), '{"a":'.repeat(100_000)]) {
            const { replica } = await scriptedReplica([{ status: 200, body: [`{"x":${deep}`] }]);
            await assert.rejects(replica.sync(), kindOf("malformed"));
        }
    });

    test("brackets in a text are not nesting", async () => {
        const body = `{"feature_type":"unit","id":"${id}","properties":{"name":"${'[{\\"'.repeat(2_000)}"}}`;
        const { replica } = await scriptedReplica([page(null, 1, "one", [snapshot(ground, body)])]);
        await replica.sync();
        assert.equal(replica.feature(id).body, body);
    });

    test("members of the wrong type are refused", async () => {
        const right = lines(null, 1, "one", [snapshot(ground)])[0];
        const changes = [
            ['"to":1', '"to":1.5'], ['"to":1', '"to":-1'], ['"to":1', '"to":1e300'], ['"to":1', '"to":"1"'], ['"from":null', '"from":true'],
            ['"complete":true', '"complete":1'], ['"cursor":"one"', '"cursor":null'], ['"venue":"mall"', '"venue":["mall"]'],
            ['"about":{"language":"en"}', '"about":[]'], ['"language":"en"', '"language":7'], ['"protocol":1', '"protocol":2'],
            ["sha-256:0", "sha-512:0"],
        ];
        for (const [text, wrong] of changes) {
            assert.ok(right.includes(text));
            const [, ...rest] = lines(null, 1, "one", [snapshot(ground)]);
            const { replica } = await scriptedReplica([{ status: 200, body: [right.replace(text, wrong), ...rest] }]);
            await assert.rejects(replica.sync(), kindOf("malformed"), wrong);
        }
    });

    test("text that is not UTF-8 is refused", async () => {
        const text = lines(null, 1, "one", [snapshot(ground)]).join("\n").replace("mall", "m\u0001ll");
        const bytes = new TextEncoder().encode(text).map((byte) => (byte === 1 ? 0xff : byte));
        const { replica } = await scriptedReplica([new Response(bytes)]);
        await assert.rejects(replica.sync(), kindOf("malformed"));
    });

    test("an endless response is aborted, and its connection is closed", async () => {
        const head = `${lines(null, 1, "one", [snapshot(ground)]).join("\n").split("\n],")[0]}\n`;
        const body = `{"feature_type":"unit","id":"${id}","x":"${"x".repeat(100_000)}"},\n`;
        for (const part of ["x".repeat(1 << 18), `${"y".repeat(1 << 18)}\n`, body.repeat(3)]) {
            let signal;
            const endless = (options) => {
                signal = options.signal;
                return new Response(endlessStream(head, part));
            };
            const { replica } = await scriptedReplica([endless]);
            await assert.rejects(replica.sync(), kindOf("malformed"));
            assert.ok(signal.aborted);
        }
    });

    test("values from a response are escaped in requests", async () => {
        const { replica, network } = await scriptedReplica([page(null, 1, "one&level=x#/é", [snapshot(null)]), page(1, 1, "two")]);
        await replica.sync();
        await replica.sync();
        assert.deepEqual(network.requests[1].query, { since: "one&level=x#/é", limit: "50000", form: "delta" });
    });

    test("redirects are refused, and the key is sent nowhere else", async () => {
        const opaque = { type: "opaqueredirect", status: 0, headers: new Headers(), body: null };
        for (const redirect of [problem(302), opaque]) {
            const { replica, network } = await scriptedReplica([redirect]);
            await assert.rejects(replica.sync(), kindOf("refused"));
            assert.equal(network.requests[0].options.redirect, "manual");
        }
        const elsewhere = ["//evil.example/x", "https://evil.example/", "/\\evil.example", "/a#b", "/a b", "x", ""];
        for (const href of elsewhere) {
            const levels = [{ level_id: null, digest: `sha-256:${"1".repeat(64)}`, href }];
            const { replica, network } = await scriptedReplica([
                page(null, 1, "one", [snapshot(null)]), problem(410, "history-lost", { to: 1, cursor: "again", levels })]);
            await replica.sync();
            await assert.rejects(replica.sync(), kindOf("contradiction"), href);
            assert.ok(network.requests.every((request) => request.server === server));
        }
    });

    test("an endless problem changes nothing and can be retried", async () => {
        const headers = { "Content-Type": "application/problem+json" };
        const endless = () => new Response(endlessStream("{", "x".repeat(1 << 20)), { status: 410, headers });
        const { replica } = await scriptedReplica([page(null, 1, "one", [snapshot(null)]), endless, page(1, 2, "two")]);
        await replica.sync();
        await assert.rejects(replica.sync(), (error) => error.kind === "refused" && error.isRetryable);
        assert.equal(replica.state.revision, 1);
        await replica.sync();
        assert.equal(replica.state.revision, 2);
    });

    test("a list of venues without an end is refused", async () => {
        const network = new ScriptedFetch(Array.from({ length: 1_000 }, () => ({ status: 200, body: ['{"venues":[],"next":"/venues?after=x"}'] })));
        await assert.rejects(listVenues({ server, key: "secret", fetch: network.fetch }), kindOf("contradiction"));
    });
});

function endlessStream(head, part) {
    const [first, rest] = [head, part].map((text) => new TextEncoder().encode(text));
    let isStarted = false;
    return new ReadableStream({
        pull(controller) {
            controller.enqueue(isStarted ? rest.slice() : first);
            isStarted = true;
        },
    });
}
