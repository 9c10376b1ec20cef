import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { MemoryReplicaStore, RetryPolicy, VenueReplica } from "@venuesync/client";

import { adding, dropping, selectionOf } from "../src/sync/level-selection.js";
import { sha256 } from "../src/sync/sha256.js";
import { block, collection, feature, first, ground, lines, named, page, problem, snapshot, uuid } from "./support/pages.js";
import { bodiesOf, instantPolicy, scriptedReplica } from "./support/replicas.js";
import { kindOf } from "./support/results.js";
import { server } from "./support/scripted-fetch.js";

const [shop, baker, stairs] = [named("a1", "unit", "Shop"), named("a2", "unit", "Baker"), feature("a3", "unit")];
const begin = page(null, 1, "one", [snapshot(null, shop), snapshot(ground, baker, stairs)]);
describe("reports", () => {
    test("a report has the changes with the features before and after, and the touched levels", async () => {
        const [renamed, kiosk] = [named("a1", "unit", "Shop & Co"), feature("a4", "kiosk")];
        const { replica } = await scriptedReplica([begin, page(1, 2, "two", [
            block(null, "changes", [renamed, kiosk], [renamed, kiosk]), block(ground, "changes", [baker], [], [uuid("a3")])])]);
        const whole = await replica.sync();
        assert.deepEqual([whole.from, whole.to, whole.added, whole.requests], [null, 1, 0, 1]);
        assert.deepEqual(whole.levelsAdded, [{ level: null, features: 1 }, { level: ground, features: 2 }]);
        const before = replica.feature(uuid("a2"));
        const report = await replica.sync();
        assert.deepEqual([report.from, report.to, report.added, report.changed, report.removed], [1, 2, 1, 1, 1]);
        const change = report.changes.find(({ kind }) => kind === "changed");
        assert.deepEqual([change.before.body, change.after.body, change.isMove], [shop, renamed, false]);
        assert.deepEqual(new Set(report.touchedLevels), new Set([null, ground]));
        assert.equal(replica.feature(uuid("a2")), before, "an unchanged feature is the same object");
    });

    test("a move is reported with both levels", async () => {
        const { replica } = await scriptedReplica([begin, page(1, 2, "two", [
            block(null, "changes", [shop, baker], [baker]), block(ground, "changes", [stairs], [], [uuid("a2")])])]);
        await replica.sync();
        const { changes } = await replica.sync();
        assert.deepEqual(changes.map(({ kind, level, fromLevel, isMove }) => [kind, level, fromLevel, isMove]), [["changed", null, ground, true]]);
    });

    test("a change event has the report, and the replica is already new", async () => {
        const { replica } = await scriptedReplica([begin, page(1, 1, "one")]);
        const revisions = [];
        replica.addEventListener("change", ({ detail }) => revisions.push([detail.to, replica.state.revision]));
        await replica.sync();
        await replica.sync();
        assert.deepEqual(revisions, [[1, 1]], "no event without a change");
    });

    test("starting over keeps levels that match, and continues to the newest revision", async () => {
        const levels = [
            { level_id: null, digest: digestOf(shop), href: "/venues/mall/revisions/1/features?level=venue" },
            { level_id: ground, digest: digestOf(baker), href: "/venues/mall/revisions/1/features?level=x" }];
        const { replica, network } = await scriptedReplica([
            begin, problem(410, "history-lost", { to: 1, cursor: "again", levels }), collection(baker), page(1, 2, "two")]);
        await replica.sync();
        const report = await replica.sync();
        assert.deepEqual([report.hasStartedOver, report.to, report.removed, report.requests], [true, 2, 1, 3]);
        assert.deepEqual(network.requests.map(({ path }) => path), [
            "/venues/mall/sync", "/venues/mall/sync", "/venues/mall/revisions/1/features", "/venues/mall/sync"]);
        assert.equal(replica.state.cursor, "two");
    });

    test("starting over without a list replaces everything, and drops levels that no longer exist", async () => {
        const { replica } = await scriptedReplica([
            begin, problem(410, "history-lost"), page(null, 1, "again", [snapshot(null, shop)]), page(1, 1, "again")]);
        await replica.sync();
        const report = await replica.sync();
        assert.deepEqual([report.hasStartedOver, report.levelsDropped], [true, [{ level: ground, features: 2 }]]);
        assert.deepEqual(bodiesOf(replica), { "-": [shop] });
    });
});

describe("replica", () => {
    test("levels are those of the venue, held or not, in ascending order", async () => {
        const levels = [feature("f0", "level", { ordinal: 0, short_name: { en: "G" } }), feature("f1", "level", { ordinal: -1 })];
        const { replica } = await scriptedReplica([page(null, 1, "one", [snapshot(null, ...levels), snapshot(ground, shop)])]);
        await replica.sync();
        assert.deepEqual(replica.levels().map(({ level, ordinal, shortName, isHeld, features }) => [level, ordinal, shortName, isHeld, features]), [
            [null, null, null, true, 2], [first, -1, null, false, 0], [ground, 0, "G", true, 1]]);
    });

    test("features are selected by level and type", async () => {
        const { replica } = await scriptedReplica([begin]);
        await replica.sync();
        const ids = (choice) => replica.features(choice).map((each) => each.id.slice(-2));
        assert.deepEqual([ids(), ids({ level: null }), ids({ level: ground, types: ["kiosk"] }), ids({ level: first })],
            [["a1", "a2", "a3"], ["a1"], [], []]);
        assert.equal(replica.feature(uuid("a2")).name(["ja"]), "Baker");
        assert.equal(replica.feature("x"), undefined);
    });

    test("a stored replica is read without a request, and continues from its cursor", async () => {
        const store = new MemoryReplicaStore();
        const { replica } = await scriptedReplica([begin], { store, policy: instantPolicy({ now: () => 5_000 }) });
        await replica.sync({ levels: [ground] });
        const { replica: again, network } = await scriptedReplica([page(1, 2, "two")], { store });
        assert.deepEqual(bodiesOf(again), { "-": [shop], [ground]: [baker, stairs] });
        assert.deepEqual(again.connection, { state: "connecting", lastSynced: new Date(5_000), error: null, retryAt: null });
        await again.sync();
        assert.deepEqual(network.requests.map(({ since, level }) => [since, level]), [["one", [ground]]]);
    });

    test("the store of another venue is refused", async () => {
        const store = new MemoryReplicaStore();
        const { replica } = await scriptedReplica([begin], { store });
        await replica.sync();
        await assert.rejects(scriptedReplica([], { store, venue: "hall" }), kindOf("file"));
    });

    test("two writers of one store: the second one continues from the state of the first", async () => {
        const store = new MemoryReplicaStore();
        const { replica: one } = await scriptedReplica([begin, page(1, 2, "two", [block(ground, "changes", [baker], [], [uuid("a3")])])], { store });
        await one.sync();
        const { replica: other, network } = await scriptedReplica([
            page(1, 2, "two", [block(ground, "changes", [baker], [], [uuid("a3")])]), page(2, 3, "three")], { store });
        await one.sync();
        const reports = [];
        other.addEventListener("change", ({ detail }) => reports.push([detail.from, detail.to, detail.removed]));
        const report = await other.sync();
        assert.deepEqual(network.requests.map(({ since }) => since), ["one", "two"]);
        assert.deepEqual([report.from, report.to, report.removed], [1, 3, 1]);
        assert.deepEqual(reports, [[1, 2, 1], [2, 3, 0]], "what the other writer has changed is reported");
    });

    test("a store that is deleted while the replica is open is written again", async () => {
        const inner = new MemoryReplicaStore();
        let current = inner;
        const store = {
            read: (known) => current.read(known), commit: (state, levels) => current.commit(state, levels), close: async () => {},
        };
        const { replica } = await scriptedReplica([begin, page(1, 2, "two"), page(1, 2, "two")], { store });
        await replica.sync();
        current = new MemoryReplicaStore();
        await replica.sync();
        const { replica: again } = await scriptedReplica([], { store: current });
        assert.deepEqual([again.state.revision, bodiesOf(again)], [2, { "-": [shop], [ground]: [baker, stairs] }]);
    });

    test("damaged levels are left out, and the next synchronization replaces everything", async () => {
        const store = new MemoryReplicaStore();
        const { replica } = await scriptedReplica([begin], { store });
        await replica.sync();
        const damaged = {
            read: async (known) => {
                const { state, levels } = await store.read(known);
                return { state, levels: new Map([...levels].map(([digest, text]) => [digest, digest === replica.digest(ground) ? text.slice(1) : text])) };
            },
            commit: (state, levels) => store.commit(state, levels), close: async () => {},
        };
        const { replica: again, network } = await scriptedReplica([page(null, 2, "two", [snapshot(null, shop)])], { store: damaged });
        assert.deepEqual([again.damagedLevels, bodiesOf(again)], [[ground], { "-": [shop] }]);
        await again.sync();
        assert.equal(network.requests[0].since, null);
        assert.deepEqual([bodiesOf(again), again.damagedLevels], [{ "-": [shop] }, []]);
    });

    test("an aborted synchronization changes nothing and rejects with the reason", async () => {
        const controller = new AbortController();
        const abort = () => {
            controller.abort(new Error("enough"));
            return begin;
        };
        const { replica } = await scriptedReplica([abort]);
        await assert.rejects(replica.sync({ signal: controller.signal }), /enough/);
        assert.equal(replica.state.revision, null);
    });

    test("a failed later page is requested again with the same cursor", async () => {
        const [partial, rest] = [
            page(null, 1, "p1", [block(ground, "snapshot", null, [baker])], { complete: false }),
            page(null, 1, "one", [block(ground, "snapshot", [baker, stairs], [stairs], [], { continued: true })])];
        const policy = instantPolicy({ attempts: 3 });
        const { replica, network } = await scriptedReplica([partial, problem(503, "busy", { headers: { "Retry-After": "7" } }), new TypeError("reset"), rest], { policy });
        await replica.sync();
        assert.deepEqual(network.requests.map(({ since }) => since), [null, "p1", "p1", "p1"]);
        assert.deepEqual(policy.pauses, [7_000, 1_000]);
    });
});

describe("selection", () => {
    test("names are sorted and checked", () => {
        assert.deepEqual(selectionOf(["venue", ground.toUpperCase(), "ordinal:-1", "venue"]), [ground, "ordinal:-1", "venue"]);
        assert.deepEqual(selectionOf([]), ["venue"]);
        for (const wrong of ["ordinal:0", [""], ["ordinal:x"], ["a/b"], 7, null]) assert.throws(() => selectionOf(wrong), TypeError);
    });

    test("adding and dropping keep the other levels", () => {
        const held = [{ level: ground, ordinal: 0 }, { level: first, ordinal: 0 }];
        assert.deepEqual(adding(null, ["venue"]), ["venue"]);
        assert.deepEqual(adding("everything", [ground]), "everything");
        assert.deepEqual(dropping("everything", [ground], held), [first]);
        assert.deepEqual(dropping(["ordinal:0"], [ground], held), [first]);
        assert.deepEqual(dropping(["ordinal:0", ground], ["ordinal:0"], held), ["venue"]);
    });

    test("add and drop request the new selection, and a failure keeps the stored one", async () => {
        const { replica, network } = await scriptedReplica([begin, problem(503), page(1, 1, "b", [block(ground, "gone", null)])]);
        await replica.add(ground);
        await assert.rejects(replica.drop(ground), kindOf("unavailable"));
        assert.deepEqual(replica.state.selection, [ground]);
        await replica.drop(ground);
        assert.deepEqual(network.requests.map(({ level }) => level), [[ground], ["venue"], ["venue"]]);
        assert.deepEqual(bodiesOf(replica), { "-": [shop] });
    });
});

test("retry policy: Retry-After is seconds or a date and at most an hour", () => {
    const policy = new RetryPolicy({ now: () => 1_795_262_400_000 }); // 21 November 2026, 12:00 UTC
    const cases = { 7: 7_000, "Sat, 21 Nov 2026 12:00:30 GMT": 30_000, "Sat, 21 Nov 2026 11:00:30 GMT": 0, 999999999999999: 3_600_000 };
    for (const [header, expected] of Object.entries(cases)) assert.equal(policy.retryAfter(header), expected, header);
    for (const nonsense of [null, "", "soon", "-1", "1e9", "٣"]) assert.equal(policy.retryAfter(nonsense), null);
});

test("retry policy: pauses double up to a limit with jitter", () => {
    for (const fraction of [0, 0.999]) {
        const policy = new RetryPolicy({ randomFraction: () => fraction });
        for (let failures = 1; failures < 40; failures += 1) {
            const span = Math.min(1000 * 2 ** (failures - 1), 60_000);
            assert.equal(policy.pause(failures), span / 2 + (span / 2) * fraction);
            for (const short of [0, 999]) assert.equal(policy.pause(failures, short), policy.pause(failures), `Retry-After of ${short} ms`);
            assert.equal(policy.pause(failures, 900_000), 900_000 + 30_000 * fraction);
            assert.equal(policy.pause(failures, 1_000), 1_000 + 500 * fraction, "Retry-After counts, not the failures before it");
        }
    }
});

test("SHA-256 in JavaScript equals that of the platform", async () => {
    for (let length = 0; length < 300; length += 1) {
        const bytes = crypto.getRandomValues(new Uint8Array(length));
        assert.deepEqual(sha256(bytes), new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), `${length} bytes`);
    }
});

test("opening refuses invalid addresses, keys and venue keys", async () => {
    const refuses = (options) => assert.rejects(VenueReplica.open({ server, venue: "mall", ...options }), TypeError);
    for (const address of ["ftp://maps.example", "maps.example", "https://a:b@maps.example", "https://maps.example?x=1", ""]) await refuses({ server: address });
    for (const address of ["maps.example", "localhost:8080"]) {
        await assert.rejects(VenueReplica.open({ server: address, venue: "mall" }), { message: new RegExp(`“${address}” is not the address`) });
    }
    for (const venue of ["", "Mall", "a/b", "a..b", "a".repeat(65), "../keys", "mall\n", undefined]) await refuses({ venue });
    for (const key of ["a\r\nX: y", "ключ", 7]) await refuses({ key });
});

test("the message of a failed request says what its code means, or has its causes", async () => {
    const failed = (cause) => new TypeError("fetch failed", { cause });
    const coded = (code) => failed(Object.assign(new Error(`${code}: ../deps/openssl/ssl.c:350`), { code }));
    const refused = Object.assign(new AggregateError([new Error("connect ECONNREFUSED ::1:9")], ""), { code: "ECONNREFUSED" });
    const messages = {
        "nothing listens at this address and port": failed(refused),
        "there is no host of this name": coded("ENOTFOUND"),
        "no network leads to this address": coded("ENETUNREACH"),
        "it did not respond in time": coded("UND_ERR_CONNECT_TIMEOUT"),
        "the connection ended before the response": coded("UND_ERR_SOCKET"),
        "its certificate is not trusted here, or has expired": coded("DEPTH_ZERO_SELF_SIGNED_CERT"),
        "it does not speak https": coded("ERR_SSL_WRONG_VERSION_NUMBER"),
        "it does not speak HTTP": coded("HPE_INVALID_CONSTANT"),
        "fetch failed: wrong version number": failed(new Error("wrong version number\n", { cause: new Error("wrong version number") })),
        "Failed to fetch": new TypeError("Failed to fetch"),
    };
    for (const [message, error] of Object.entries(messages)) {
        const { replica } = await scriptedReplica([error]);
        await assert.rejects(replica.sync(), { kind: "unreachable", message: `the server does not respond: ${message}`, cause: error });
    }
});

function digestOf(...bodies) {
    return JSON.parse(`${snapshot(null, ...bodies)[0].slice(0, -',"features":['.length)}}`).digest;
}
