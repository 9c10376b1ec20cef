// Replicas that trust keys.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { MemoryReplicaStore } from "@venuesync/client";

import { block, collection, digest, feature, first, ground, named, page, problem, snapshot } from "./support/pages.js";
import { instantPolicy, scriptedReplica } from "./support/replicas.js";
import { Signer, canonical, documentOf } from "./support/signer.js";

/** When the heads of `Signer` are made. */
const start = Date.parse("2026-04-01T09:00:00.000Z");
const [operator, thief] = [new Signer(1), new Signer(2)];
const floor = feature("f0", "level", { ordinal: 0 });
const [shop, other] = [named("a1", "unit", "Shop"), named("a1", "unit", "Other")];
const [wideDigest, shopDigest, otherDigest] = [floor, shop, other].map((body) => digest([body]));
const firstPage = page(null, 1, "one", [snapshot(null, floor), snapshot(ground, shop)]);
const secondPage = (body = other) => page(1, 2, "two", [block(ground, "changes", [body], [body])]);
const head = (revision, level = shopDigest, changes = {}) => operator.head(revision, [[null, wideDigest], [ground, level]], changes);

async function trusting(responses, { trust = [operator.key], ...options } = {}) {
    const policy = instantPolicy();
    policy.time = start;
    policy.now = () => policy.time;
    const { replica, network } = await scriptedReplica(responses, { trust, policy, ...options });
    const refuses = async (reason, ...more) => {
        network.responses.push(...more);
        await assert.rejects(replica.sync(), (error) => {
            assert.equal(error.kind, "untrusted", error.stack);
            assert.match(error.message, reason);
            return true;
        });
        assert.deepEqual(network.responses, []);
    };
    return { replica, network, policy, refuses };
}

describe("trusted keys", () => {
    test("what the key has signed is applied", async () => {
        const { replica, network } = await trusting([head(1), firstPage, head(2, otherDigest), secondPage()]);
        assert.equal((await replica.sync()).to, 1);
        assert.equal((await replica.sync()).to, 2);
        const requests = network.requests.map(({ path, query }) => [path, query.to]);
        assert.deepEqual(requests, [
            ["/venues/mall/head", undefined], ["/venues/mall/sync", "1"], ["/venues/mall/head", undefined], ["/venues/mall/sync", "2"]]);
    });

    test("wrong keys and changed members are refused", async () => {
        const { replica, refuses } = await trusting([head(1), firstPage]);
        await replica.sync();
        const levels = [[null, wideDigest], [ground, otherDigest]];
        await refuses(/not trusted/, thief.head(2, levels));
        await refuses(/signature of the statement is wrong/, thief.head(2, levels, { key_id: operator.id }));
        const members = operator.members(2, levels);
        for (const [name, value] of [
            ["revision", 3], ["bytes", 1], ["epoch", "B"], ["expires", "2099-01-01T00:00:00.000Z"], ["digest", wideDigest],
        ]) {
            await refuses(/signature of the statement is wrong/, documentOf(canonical({ ...members, [name]: value })));
        }
        for (const [name, value] of [
            ["revision", 2.5], ["revision", "2"], ["protocol", 2], ["levels", []], ["levels", [[ground, shopDigest]]], ["more", 1],
            ["as_of", "2026-04-01"], ["signature", null], ["levels", [...levels, levels[1]]],
        ]) {
            await refuses(/unknown form/, documentOf(canonical({ ...members, [name]: value })));
        }
        await refuses(/unknown form/, documentOf(canonical(members).replace(",", ", ")));
        await refuses(/no signature/, problem(404, "not-signed"));
        assert.equal(replica.state.revision, 1);
    });

    test("older revisions, earlier histories and expired heads are refused, also from the store", async () => {
        const store = new MemoryReplicaStore();
        const { replica, refuses } = await trusting([head(1), firstPage, head(2, otherDigest), secondPage()], { store });
        await replica.sync();
        await replica.sync();
        await refuses(/older than 2/, head(1));
        const later = await trusting([], { store });
        await later.refuses(/older than 2/, head(1));
        await later.refuses(/two digests/, head(2, otherDigest, { digest: wideDigest }));
        await later.refuses(/earlier history/, head(9, shopDigest, { epoch: "0", as_of: "2026-04-01T08:59:00.000Z" }));
        await later.refuses(/expired/, head(3, shopDigest, { expires: "2026-04-01T09:00:00.000Z" }));
        await later.refuses(/the venue hall/, head(3, shopDigest, { venue: "hall" }));
        assert.equal(later.replica.state.revision, 2);
    });

    test("change sets have to be what was signed", async () => {
        const { replica, network, refuses } = await trusting([head(1), firstPage]);
        await replica.sync();
        await refuses(/another digest of level/, head(2, otherDigest), secondPage(shop));
        await refuses(/another digest of level/, head(2, otherDigest), page(1, 2, "two"));
        const more = operator.head(2, [[null, wideDigest], [ground, otherDigest], [first, shopDigest]]);
        await refuses(/leaves out level/, more, secondPage());
        await refuses(/larger than the signed/, head(2, otherDigest, { bytes: 10 }), secondPage());
        // A level that is fetched again has to be what was signed, too.
        const wrong = page(1, 2, "two", [block(ground, "changes", [other], [shop])]);
        network.responses.push(head(2, otherDigest), wrong, collection(shop));
        await assert.rejects(replica.sync(), { kind: "wrongDigest" });
        network.responses.push(head(2, otherDigest), wrong, { status: 200, body: ["\n".repeat(3 << 20)] });
        await assert.rejects(replica.sync(), { kind: "malformed" });
        await refuses(/signed revision 3/, head(3, otherDigest), secondPage());
        assert.deepEqual(replica.features({ level: ground }).map(({ body }) => body), [shop]);
    });

    test("pages without an end are refused", async () => {
        const { refuses } = await trusting([]);
        const pages = Array.from({ length: 20 }, (_, index) => {
            const more = index === 0 ? {} : { continued: true };
            const body = named(index.toString(16), "unit", "Shop");
            return page(null, 1, `page-${index}`, [block(ground, "snapshot", null, [body], [], more)], { complete: false });
        });
        const size = named("1", "unit", "Shop").length;
        await refuses(/larger than the signed/, head(1, shopDigest, { bytes: 1_000 }), ...pages.slice(0, Math.floor(1_000 / size) + 1));
        assert.ok(size > 100);
    });

    test("a store from before is verified, and filled again if it has other content", async () => {
        for (const [content, isSame] of [[shop, true], [other, false]]) {
            const store = new MemoryReplicaStore();
            const before = await scriptedReplica([page(null, 1, "one", [snapshot(null, floor), snapshot(ground, content)])], { store });
            await before.replica.sync();
            const responses = [head(1), page(1, 1, "one"), ...(isSame ? [] : [firstPage])];
            const { replica } = await trusting(responses, { store });
            assert.equal((await replica.sync()).hasCommitted, !isSame);
            assert.deepEqual(replica.features({ level: ground }).map(({ body }) => body), [shop]);
        }
    });

    test("an old and a new key may be trusted, and other texts are not keys", async () => {
        const { replica, network } = await trusting([head(1), firstPage], { trust: [operator.key, thief.key] });
        await replica.sync();
        network.responses.push(thief.head(2, [[null, wideDigest], [ground, otherDigest]]), secondPage());
        assert.equal((await replica.sync()).to, 2);
        for (const text of ["", "ed25519:", `${operator.key}=`, operator.key.slice(0, -1), operator.key.toUpperCase()]) {
            await assert.rejects(trusting([], { trust: [text] }), TypeError);
        }
    });

    test("follow uses long polls as a hint, and notices a head that expires", async () => {
        const { replica, network, policy } = await trusting([
            head(1), firstPage, page(1, 1, "one"), secondPage(), head(2, otherDigest), secondPage(), page(2, 2, "two"),
            head(2, otherDigest)]);
        const stop = new AbortController();
        const events = [];
        await replica.follow(({ kind, error }) => {
            events.push(error?.message ?? kind);
            if (network.requests.length === 6) policy.time += 601_000;
            if (error) stop.abort();
        }, { signal: stop.signal });
        assert.deepEqual(events.slice(0, -1), ["connected", "synced", "synced"]);
        assert.match(events.at(-1), /expired/);
        assert.deepEqual(
            network.requests.map(({ path }) => path.split("/").at(-1)),
            ["head", "sync", "sync", "sync", "head", "sync", "sync", "head"]);
    });

    test("without trusted keys, no head is requested", async () => {
        const { replica, network } = await scriptedReplica([firstPage]);
        await replica.sync();
        assert.deepEqual(network.requests.map(({ path, query }) => [path, query.to]), [["/venues/mall/sync", undefined]]);
    });
});
