import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { MemoryReplicaStore, RetryPolicy, SyncError } from "@venuesync/client";

import { block, feature, ground, page, problem, snapshot } from "./support/pages.js";
import { bodiesOf, instantPolicy, scriptedReplica } from "./support/replicas.js";
import { kindOf } from "./support/results.js";

const begin = page(null, 1, "one", [snapshot(null)]);
describe("follow", () => {
    test("changes are applied, failures are retried, and the connection says when it is back", async () => {
        const policy = instantPolicy({ now: () => 7_000 });
        const { replica, network } = await scriptedReplica(
            [begin, page(1, 2, "two"), problem(503, "busy", { headers: { "Retry-After": "9" } }), new TypeError("reset"), page(2, 3, "three")], { policy });
        const [events, states, controller] = [[], [replica.connection.state], new AbortController()];
        replica.addEventListener("connection", ({ detail }) => states.push(detail.state));
        await replica.follow((event) => {
            events.push([event.kind, event.report?.to ?? event.error?.kind ?? event.isBack]);
            if (event.report?.to === 3) controller.abort();
        }, { signal: controller.signal });
        assert.deepEqual(events, [
            ["connected", false], ["synced", 1], ["synced", 2], ["failed", "unavailable"], ["failed", "unreachable"], ["connected", true], ["synced", 3]]);
        assert.deepEqual(states, ["connecting", "current", "retrying", "offline", "current"]);
        // The first request after a failure does not wait, so that the connection is known at once.
        assert.deepEqual(network.requests.map(({ query }) => query.wait), [undefined, "25", "25", undefined, undefined]);
        assert.deepEqual(network.requests.map(({ options }) => options.cache), ["no-cache", ...Array(4).fill("no-store")]);
        assert.deepEqual(policy.pauses, [9_000, 1_000]);
        assert.deepEqual(replica.connection, { state: "current", lastSynced: new Date(7_000), error: null, retryAt: null });
    });

    test("a store that cannot be used ends it, and the replica is kept", async () => {
        const store = new MemoryReplicaStore();
        const { replica } = await scriptedReplica([begin, page(1, 2, "two")], { store });
        await replica.sync();
        store.commit = async () => { throw new SyncError("file", "the store was deleted"); };
        await assert.rejects(replica.follow(), kindOf("file"));
        const { state, error, retryAt, lastSynced } = replica.connection;
        assert.deepEqual([replica.state.revision, state, error.kind, retryAt], [1, "offline", "file", null]);
        assert.ok(lastSynced instanceof Date);
    });

    test("a redirect, a timeout and the pages of proxies are retried, whatever their status", async () => {
        const html = (status, headers = {}) => new Response("<h1>wifi</h1>", { status, headers: { "Content-Type": "text/html", ...headers } });
        const foreign = [401, 403, 404, 408, 410].map((status) => html(status));
        const other = new Response('{"type":"about:blank"}', { status: 404, headers: { "Content-Type": "application/problem+json" } });
        const redirect = new Response(null, { status: 302, headers: { Location: "https://login.hotel.example/" } });
        const opaque = { type: "opaqueredirect", status: 0, headers: new Headers(), body: null };
        const policy = instantPolicy();
        const controller = new AbortController();
        const { replica } = await scriptedReplica([
            begin, redirect, opaque, ...foreign, other, html(200), problem(400, "bad-parameter"), page(1, 2, "two")], { policy });
        const failures = [];
        await replica.follow(({ error, report }) => {
            if (error) failures.push([error.kind, error.status, error.message]);
            if (report?.to === 2) controller.abort();
        }, { signal: controller.signal });
        assert.deepEqual(failures.map(([kind, status]) => [kind, status]), [
            ["refused", 302], ["refused", 0], ...[401, 403, 404, 408, 410, 404].map((status) => ["refused", status]), ["malformed", null],
            ["refused", 400]]);
        assert.equal(failures[0][2], "the server redirects to https://login.hotel.example/ (302)");
        assert.equal(failures[3][2], "the response is not from VenueSync (403)");
        assert.equal(policy.pauses.length, failures.length);
        assert.deepEqual([replica.state.revision, replica.connection.state], [2, "current"]);
    });

    test("it goes on after a revoked key and a venue that is gone, which may be there again", async () => {
        const refusals = [[401, "unauthorized"], [403, "unauthorized"], [404, "unknownVenue"], [410, "venueGone", "venue-gone"]];
        for (const [status, kind, type] of refusals) {
            const controller = new AbortController();
            const policy = instantPolicy();
            const { replica } = await scriptedReplica([begin, problem(status, type), problem(status, type), page(1, 2, "two")], { policy });
            const [failures, states] = [[], []];
            replica.addEventListener("connection", ({ detail }) => states.push([detail.state, detail.retryAt instanceof Date]));
            await replica.follow(({ error, report }) => {
                if (error) failures.push(error.kind);
                if (report?.to === 2) controller.abort();
            }, { signal: controller.signal });
            assert.deepEqual([failures, replica.state.revision], [[kind, kind], 2]);
            assert.deepEqual(states, [["current", false], ["retrying", true], ["current", false]]);
            assert.equal(policy.pauses.length, 2);
        }
    });

    test("it goes on after a full disk, and stores what was not stored", async () => {
        const store = new MemoryReplicaStore();
        const controller = new AbortController();
        const { replica } = await scriptedReplica([begin, page(1, 2, "two"), page(1, 2, "two")], { store });
        await replica.sync();
        const commit = store.commit.bind(store);
        store.commit = async () => {
            store.commit = commit;
            throw new SyncError("diskFull", "the storage of the browser is full");
        };
        const events = [];
        await replica.follow((event) => {
            events.push(event.error?.kind ?? event.kind);
            if (event.report?.to === 2) controller.abort();
        }, { signal: controller.signal });
        assert.deepEqual(events, ["diskFull", "connected", "synced"]);
        assert.equal((await store.read()).state.venues.mall.revision, 2);
    });

    test("levels are added with the first synchronization that succeeds, also after a start without a network", async () => {
        const controller = new AbortController();
        const { replica, network } = await scriptedReplica([
            new TypeError("no network"), problem(503), page(null, 1, "one", [snapshot(null), snapshot(ground)]), page(1, 2, "two")]);
        const events = [];
        await replica.follow((event) => {
            events.push(event.report?.to ?? event.kind);
            if (event.report?.to === 2) controller.abort();
        }, { adding: ground, signal: controller.signal });
        assert.deepEqual(events, ["failed", "failed", "connected", 1, 2]);
        assert.deepEqual(network.requests.map(({ level }) => level), Array(4).fill([ground]));
        assert.deepEqual(replica.state.selection, [ground]);
        await assert.rejects(replica.follow(() => {}, { adding: ["ordinal:x"] }), TypeError);
    });

    test("levels are added to those of the stored selection", async () => {
        const controller = new AbortController();
        const { replica, network } = await scriptedReplica([
            page(null, 1, "one", [snapshot(null)]), page(1, 1, "two", [snapshot(ground)]), page(1, 2, "three")]);
        await replica.sync({ levels: ["venue"] });
        await replica.follow((event) => event.report?.to === 2 && controller.abort(), { adding: [ground], signal: controller.signal });
        assert.deepEqual(network.requests.map(({ level, query }) => [level, query.wait]), [
            [["venue"], undefined], [[ground, "venue"], undefined], [[ground, "venue"], "25"]]);
    });

    test("`change` also tells of what another replica on the same store has stored", async () => {
        const store = new MemoryReplicaStore();
        const shop = feature("a1", "unit");
        const two = () => page(1, 2, "two", [block(null, "changes", [shop], [shop])]);
        const { replica: other } = await scriptedReplica([page(null, 1, "one", [snapshot(null)]), two()], { store });
        await other.sync();
        const controller = new AbortController();
        const late = async () => {
            await other.sync();
            return two();
        };
        const { replica } = await scriptedReplica([late, page(2, 3, "three")], { store });
        const [changes, synced] = [[], []];
        replica.addEventListener("change", ({ detail }) => changes.push([detail.to, detail.added]));
        await replica.follow(({ report }) => {
            if (report) synced.push(report.to);
            if (report?.to === 3) controller.abort();
        }, { signal: controller.signal });
        assert.deepEqual([changes, synced], [[[2, 1], [3, 0]], [3]]);
    });

    test("a long poll whose selection has changed is aborted, and repeated with the new one", async () => {
        const controller = new AbortController();
        let replica;
        const poll = ({ signal }) => new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            replica.add(ground);
        });
        const scripted = await scriptedReplica([
            page(null, 1, "one", [snapshot(null)]), poll, page(1, 1, "two", [snapshot(ground)]), page(1, 2, "three")]);
        ({ replica } = scripted);
        await replica.sync({ levels: ["venue"] });
        await replica.follow((event) => event.report?.to === 2 && controller.abort(), { signal: controller.signal });
        assert.deepEqual(scripted.network.requests.map(({ since, level }) => [since, level]), [
            [null, ["venue"]], ["one", ["venue"]], ["one", [ground, "venue"]], ["two", [ground, "venue"]]]);
    });

    test("a response to a long poll that arrives after a change is discarded", async () => {
        const controller = new AbortController();
        let replica;
        // This transport ignores the abort.
        const poll = async () => {
            await replica.add(ground);
            return page(1, 2, "old", [block(null, "changes", [feature("b1", "unit")], [feature("b1", "unit")])]);
        };
        const scripted = await scriptedReplica([
            page(null, 1, "one", [snapshot(null)]), poll, page(1, 1, "two", [snapshot(ground)]), page(1, 2, "three")]);
        ({ replica } = scripted);
        await replica.sync({ levels: ["venue"] });
        await replica.follow((event) => event.report?.to === 2 && controller.abort(), { signal: controller.signal });
        assert.deepEqual([replica.state.cursor, bodiesOf(replica)], ["three", { "-": [], [ground]: [] }]);
    });

    test("it pauses between requests if the server does not delay its responses", async () => {
        const policy = instantPolicy();
        const controller = new AbortController();
        const { replica } = await scriptedReplica([begin, page(1, 1, "one"), page(1, 1, "one"), page(1, 2, "two")], { policy });
        await replica.follow((event) => event.report?.to === 2 && controller.abort(), { signal: controller.signal });
        assert.deepEqual(policy.pauses, [1_000, 1_000]);
    });

    test("it ends at once when it is aborted, also during a long poll and a pause", async () => {
        const waiting = (started) => ({ signal }) => new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            started();
        });
        const controller = new AbortController();
        const { replica } = await scriptedReplica([begin, waiting(() => controller.abort())]);
        await replica.follow(() => {}, { signal: controller.signal });
        assert.equal(replica.state.revision, 1);

        const second = new AbortController();
        const { replica: other } = await scriptedReplica([problem(503)], { policy: undefined });
        const events = [];
        await other.follow((event) => {
            events.push(event.kind);
            second.abort();
        }, { signal: second.signal });
        assert.deepEqual(events, ["failed"]);
        await other.follow(() => {}, { signal: AbortSignal.abort() });
    });

    test("a lost network is retried as soon as the browser reports that it is back", { timeout: 60_000 }, async () => {
        const target = new EventTarget();
        Object.assign(globalThis, {
            addEventListener: target.addEventListener.bind(target), removeEventListener: target.removeEventListener.bind(target),
        });
        try {
            const controller = new AbortController();
            const policy = new RetryPolicy({ minimumPause: 3_600_000, maximumPause: 3_600_000 });
            const { replica } = await scriptedReplica([new TypeError("no network"), begin], { policy });
            await replica.follow((event) => {
                if (event.kind === "failed") setImmediate(() => target.dispatchEvent(new Event("online")));
                if (event.kind === "synced") controller.abort();
            }, { signal: controller.signal });
            assert.equal(replica.state.revision, 1);
        } finally {
            delete globalThis.addEventListener;
            delete globalThis.removeEventListener;
        }
    });

    test("a pause ends as soon as another call has reached the server", { timeout: 60_000 }, async () => {
        const controller = new AbortController();
        const policy = new RetryPolicy({ minimumPause: 3_600_000, maximumPause: 3_600_000 });
        const { replica } = await scriptedReplica([begin, new TypeError("no network"), page(1, 2, "two"), page(2, 3, "three")], { policy });
        await replica.sync();
        const revisions = [];
        await replica.follow((event) => {
            if (event.kind === "failed") setImmediate(() => replica.sync());
            if (event.kind === "synced") revisions.push(event.report.to);
            if (event.report?.to === 3) controller.abort();
        }, { signal: controller.signal });
        assert.deepEqual(revisions, [3]);
        assert.equal(replica.state.revision, 3);
    });
});
