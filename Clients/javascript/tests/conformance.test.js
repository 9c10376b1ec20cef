// The conformance cases for all clients (Tests/Conformance), with the store in memory and the store in files.

import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { MemoryReplicaStore, RetryPolicy, SyncError, VenueReplica } from "@venuesync/client";
import { FileReplicaStore } from "@venuesync/client/files";

import { LimitedFiles } from "./support/limited-files.js";
import { digest } from "./support/pages.js";
import { resultOf } from "./support/results.js";
import { ScriptedFetch, server } from "./support/scripted-fetch.js";

const folder = process.env.VENUE_CONFORMANCE ?? fileURLToPath(new URL("../../../Tests/Conformance", import.meta.url));
const names = (await readdir(join(folder, "cases"))).filter((name) => name.endsWith(".json")).sort();
const cases = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, "cases", name), "utf8"))));

test("conformance: the cases are found, and only need known abilities", () => {
    assert.ok(cases.length > 40);
    assert.deepEqual([...new Set(cases.flatMap(({ needs }) => needs))].sort(), ["delta", "disk-full", "kept-levels", "repair"]);
});

describe("conformance with a store in memory", () => {
    for (const each of cases) {
        // A store in memory has no disk.
        const skip = each.needs.includes("disk-full");
        test(each.name, { skip }, () => play(each, new MemoryReplicaStore(), null));
    }
});

describe("conformance with a store in files", () => {
    for (const each of cases) {
        test(each.name, async (context) => {
            const path = await mkdtemp(join(tmpdir(), "venuesync-"));
            context.after(() => rm(path, { recursive: true }));
            const files = new LimitedFiles();
            await play(each, new FileReplicaStore(join(path, "replica"), { files }), files);
        });
    }
});

async function play(each, store, files) {
    const network = new ScriptedFetch();
    const open = () => VenueReplica.open({
        store, server, venue: each.venue, key: "secret", fetch: network.fetch, policy: new RetryPolicy({ attempts: 1 }),
    });
    const replica = await open();
    for (const [index, step] of each.steps.entries()) {
        const name = `step ${index + 1}`;
        network.responses = step.exchanges.map(({ reply }) => reply);
        network.requests = [];
        if (files) files.remaining = step.disk === "full" ? 0 : Infinity;
        assert.deepEqual(await outcomeOf(replica, step), [step.result, step.retry_after ?? null], name);
        if (files) files.remaining = Infinity;
        const requested = network.requests.map(({ path, since, level }) => ({ path, since, level }));
        const expected = step.exchanges.map(({ request }) => ({ path: request.path, since: request.since, level: [...request.level].sort() }));
        assert.deepEqual(requested, expected, name);
        if (each.needs.includes("delta")) {
            const forms = step.exchanges.map(({ request }) => request.form ?? null);
            assert.deepEqual(network.requests.map(({ query }) => query.form ?? null), forms, name);
        }
        for (const { server: origin, options } of network.requests) {
            assert.deepEqual([origin, options.headers.Authorization, options.redirect], [server, "Bearer secret", "manual"]);
        }
        assert.deepEqual(heldBy(replica), step.replica, name);
        // The store has the same.
        assert.deepEqual(heldBy(await open()), step.replica, `${name}, opened again`);
    }
}

async function outcomeOf(replica, step) {
    try {
        await replica.sync("levels" in step ? { levels: step.levels ?? "everything" } : {});
        return ["ok", null];
    } catch (error) {
        if (!(error instanceof SyncError)) throw error;
        return [resultOf(error), error.retryAfter === null ? null : error.retryAfter / 1000];
    }
}

/** The replica in the form of the cases, with digests that are computed here. */
function heldBy(replica) {
    assert.deepEqual(replica.damagedLevels, []);
    const levels = replica.levels().filter(({ isHeld }) => isHeld).map(({ level }) => {
        const bodies = replica.features({ level }).map(({ body }) => body);
        assert.equal(replica.digest(level), digest(bodies));
        return [level ?? "-", { digest: digest(bodies), bodies }];
    });
    const { revision, cursor } = replica.state;
    return { revision, cursor, levels: Object.fromEntries(levels) };
}
