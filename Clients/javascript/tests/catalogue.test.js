import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { MemoryReplicaStore, listVenues } from "@venuesync/client";

import { block, collection, ground, joined, lines, named, page, problem, snapshot } from "./support/pages.js";
import { bodiesOf, scriptedCatalogue, scriptedReplica } from "./support/replicas.js";
import { kindOf } from "./support/results.js";
import { ScriptedFetch, server } from "./support/scripted-fetch.js";

const [shop, baker] = [named("a1", "unit", "Shop"), named("a2", "unit", "Baker")];
function catalogue(from, to, cursor, venues = [], { gone = [], complete = true } = {}) {
    const head = JSON.stringify({ protocol: 1, from, to, complete, cursor, gone });
    return { status: 200, body: [`${head.slice(0, -1)},"venues":[`, ...joined(venues), "]}"] };
}

const mall = lines(null, 1, undefined, [snapshot(null, shop)]);
const hall = lines(null, 1, undefined, [snapshot(null, baker)], { venue: "hall" });
const begin = catalogue(null, 2, "one", [mall, hall]);
const held = (replica) => Object.fromEntries(replica.venues.map((venue) => [venue, bodiesOf(replica.venue(venue))["-"]]));

describe("catalogue", () => {
    test("venues are added, changed, deleted and created again", async () => {
        const changed = lines(1, 2, undefined, [block(null, "changes", [shop, baker], [baker])]);
        const store = new MemoryReplicaStore();
        const { catalogue: replica, network } = await scriptedCatalogue([
            begin, catalogue(2, 3, "two", [changed], { gone: ["hall", "never"] }), catalogue(3, 3, "two"),
            catalogue(3, 4, "three", [lines(null, 1, undefined, [snapshot(null, baker)])])], { store });
        assert.deepEqual((await replica.sync()).venues.map(({ venue }) => venue), ["hall", "mall"]);
        assert.deepEqual(held(replica), { hall: [baker], mall: [shop] });
        const report = await replica.sync();
        assert.deepEqual([report.venues.map(({ venue, added }) => [venue, added]), report.gone], [[["mall", 1]], ["hall"]]);
        assert.equal((await replica.sync()).hasCommitted, false);
        await replica.sync();
        assert.deepEqual([held(replica), replica.position], [{ mall: [baker] }, 4]);
        assert.deepEqual(network.requests.map(({ since }) => since), [null, "one", "two", "two"]);
        const { catalogue: again } = await scriptedCatalogue([], { store });
        assert.deepEqual([held(again), again.position, again.venue("hall")], [{ mall: [baker] }, 4, undefined]);
    });

    test("a venue that was created again replaces the levels of the earlier one", async () => {
        const { catalogue: replica } = await scriptedCatalogue([
            catalogue(null, 2, "one", [lines(null, 1, undefined, [snapshot(null, shop), snapshot(ground, baker)])]),
            catalogue(2, 4, "two", [lines(null, 1, undefined, [snapshot(null, shop)])])]);
        await replica.sync();
        const { venues: [report] } = await replica.sync();
        assert.deepEqual([report.levelsDropped, bodiesOf(replica.venue("mall"))], [[{ level: ground, features: 1 }], { "-": [shop] }]);
    });

    test("a venue is joined over pages, and one that is withdrawn meanwhile is deleted", async () => {
        const begun = lines(null, 1, undefined, [block(null, "snapshot", null, [shop])], { complete: false });
        const rest = lines(null, 1, undefined, [block(null, "snapshot", [shop, baker], [baker], [], { continued: true })]);
        const { catalogue: replica } = await scriptedCatalogue([
            catalogue(null, 2, "p1", [hall, begun], { complete: false }), catalogue(null, 2, "one", [rest], { gone: ["hall"] })]);
        await replica.sync();
        assert.deepEqual(held(replica), { mall: [shop, baker] });
    });

    test("lost history starts over and deletes missing venues", async () => {
        const { catalogue: replica } = await scriptedCatalogue([begin, problem(410, "history-lost"), catalogue(null, 1, "anew", [hall])]);
        await replica.sync();
        const report = await replica.sync();
        assert.deepEqual([held(replica), report.hasStartedOver, report.gone], [{ hall: [baker] }, true, ["mall"]]);
    });

    test("an invalid change set changes nothing", async () => {
        const wrong = lines(1, 2, undefined, [block(null, "changes", [shop], [baker])]);
        const right = lines(1, 2, undefined, [block(null, "changes", [shop, baker], [baker])]);
        const unfinished = lines(1, 2, undefined, [block(null, "changes", [shop, baker], [baker])], { complete: false });
        const attempts = [
            ["wrongDigest", catalogue(2, 3, "x", [wrong]), collection(baker)], ["contradiction", catalogue(1, 3, "x", [right]), catalogue(1, 3, "x", [right])],
            ["contradiction", catalogue(null, 3, "x", [right]), catalogue(2, 3, "x", [right])], ["malformed", { status: 200, body: ["{}"] }],
            ["contradiction", catalogue(2, 3, "one", [right], { complete: false })], ["unavailable", problem(503)],
            ["contradiction", catalogue(2, 3, "x", [right, right])], ["malformed", catalogue(2, 3, "x", [unfinished])],
            ["malformed", catalogue(2, 3, "x", [lines(null, 1, undefined, [], { venue: "../keys" })])],
        ];
        const { catalogue: replica, network } = await scriptedCatalogue([begin]);
        await replica.sync();
        const before = held(replica);
        for (const [kind, ...responses] of attempts) {
            network.responses = responses;
            await assert.rejects(replica.sync(), kindOf(kind), JSON.stringify(responses));
            assert.deepEqual([held(replica), replica.position], [before, 2]);
        }
    });

    for (const [position, revision] of [[2 ** 53 - 1, 2], [3, 2 ** 53 - 1]]) {
        test(`position ${position} and revision ${revision}, which no server reaches, are replaced by everything`, async () => {
            const changes = (to) => lines(1, to, undefined, [block(null, "changes", [shop, baker], [baker])]);
            const { catalogue: replica } = await scriptedCatalogue([
                begin, catalogue(2, position, "far", [changes(revision)]), catalogue(3, 4, "next", [changes(2)]), catalogue(null, 4, "anew", [hall])]);
            await replica.sync();
            await replica.sync();
            const report = await replica.sync();
            assert.deepEqual([held(replica), replica.position, report.hasStartedOver], [{ hall: [baker] }, 4, true]);
        });
    }

    test("follow sends long polls and reports the venues", async () => {
        const controller = new AbortController();
        const { catalogue: replica, network } = await scriptedCatalogue([begin, catalogue(2, 3, "two", [], { gone: ["mall"] })]);
        const events = [];
        replica.addEventListener("change", ({ detail }) => events.push(detail.gone));
        await replica.follow((event) => event.report?.to === 3 && controller.abort(), { signal: controller.signal });
        assert.deepEqual(network.requests.map(({ query }) => query.wait), [undefined, "25"]);
        assert.deepEqual([events, replica.connection.state], [[[], ["mall"]], "current"]);
    });

    test("the store of one venue is refused", async () => {
        const store = new MemoryReplicaStore();
        const { replica } = await scriptedReplica([page(null, 1, "one", [snapshot(ground)])], { store });
        await replica.sync();
        await assert.rejects(scriptedCatalogue([], { store }), kindOf("file"));
    });
});

test("venues are listed over pages", async () => {
    const digest = `sha-256:${"0".repeat(64)}`;
    const level = { level_id: null, ordinal: null, name: null, short_name: { en: "G" }, features: 3, bytes: 9, digest };
    const venue = (key) => ({ venue: key, head: 2, digest, name: { en: "Mall" }, public: true, about: { time_zone: "Asia/Tokyo" }, levels: [level] });
    const list = (key, next) => ({ status: 200, body: [JSON.stringify({ venues: [venue(key)], next })] });
    const network = new ScriptedFetch([list("hall", "/venues?after=hall"), list("mall", null)]);
    const venues = await listVenues({ server, key: "secret", fetch: network.fetch });
    assert.deepEqual(venues.map((each) => [each.venue, each.isPublic, each.about.timeZone]), [["hall", true, "Asia/Tokyo"], ["mall", true, "Asia/Tokyo"]]);
    assert.deepEqual(venues[0].levels, [{ level: null, ordinal: null, name: null, shortName: { en: "G" }, features: 3, bytes: 9, digest }]);
    assert.deepEqual(network.requests.map(({ path, query }) => [path, query]), [["/venues", {}], ["/venues", { after: "hall" }]]);
});
