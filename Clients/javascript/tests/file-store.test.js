import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, unlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { FileReplicaStore } from "@venuesync/client/files";

import { digestOf } from "../src/sync/digest.js";
import { CrashingFiles } from "./support/limited-files.js";
import { block, ground, named, page, snapshot } from "./support/pages.js";
import { bodiesOf, scriptedReplica } from "./support/replicas.js";
import { kindOf } from "./support/results.js";

async function temporaryFolder(context) {
    const folder = await mkdtemp(join(tmpdir(), "venuesync-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    return join(folder, "replica");
}

/** A state whose venue-wide part is a text with this number. */
async function stateOf(commits, text = `state ${commits}`) {
    const bytes = new TextEncoder().encode(text);
    const digest = await digestOf(bytes);
    return [{ format: 1, commits, catalogue: null, venues: { mall: { levels: { "-": digest } } } }, new Map([[digest, bytes]])];
}

async function textsOf(store) {
    const read = await store.read();
    return read && [read.state.commits, ...[...read.levels.values()].map((bytes) => new TextDecoder().decode(bytes))];
}

describe("file store", () => {
    test("a crash at any operation of a commit leaves the old or the new state, and the next commit succeeds", async (context) => {
        const counting = new CrashingFiles(Infinity);
        const first = await temporaryFolder(context);
        await new FileReplicaStore(first).commit(...(await stateOf(1)));
        await new FileReplicaStore(first, { files: counting }).commit(...(await stateOf(2)));
        assert.ok(counting.operations > 15);
        const outcomes = [];
        for (let operations = 0; operations < counting.operations; operations += 1) {
            const folder = await temporaryFolder(context);
            await new FileReplicaStore(folder).commit(...(await stateOf(1)));
            const crashing = new FileReplicaStore(folder, { files: new CrashingFiles(operations) });
            await crashing.commit(...(await stateOf(2))).catch(() => {});
            const held = await textsOf(new FileReplicaStore(folder));
            const [number] = held;
            assert.deepEqual(held, [number, `state ${number}`]);
            await new FileReplicaStore(folder).commit(...(await stateOf(number + 1)));
            assert.deepEqual(await textsOf(new FileReplicaStore(folder)), [number + 1, `state ${number + 1}`]);
            outcomes.push(number);
        }
        assert.deepEqual([...new Set(outcomes)], [1, 2], "the state changes at one operation");
    });

    test("a crash at any operation of the first commit leaves nothing or the new state", async (context) => {
        for (let operations = 0; operations < 20; operations += 1) {
            const folder = await temporaryFolder(context);
            const store = new FileReplicaStore(folder, { files: new CrashingFiles(operations) });
            await store.commit(...(await stateOf(1))).catch(() => {});
            const held = await textsOf(new FileReplicaStore(folder));
            assert.ok(held === null || held[1] === "state 1", String(held));
        }
    });

    test("a killed process leaves a complete state", { timeout: 120_000 }, async (context) => {
        const folder = await temporaryFolder(context);
        const program = fileURLToPath(new URL("support/committing-program.js", import.meta.url));
        let last = 0;
        for (let kill = 0; kill < 12; kill += 1) {
            const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] });
            const ended = new Promise((resolve) => child.on("exit", resolve));
            let reported = 0;
            for await (const line of createInterface({ input: child.stdout })) {
                reported = Number(line);
                // At a different moment of a commit every time.
                if (reported >= last + 2) setTimeout(() => child.kill("SIGKILL"), kill * 0.7);
            }
            await ended;
            const [number, text] = await textsOf(new FileReplicaStore(folder));
            assert.ok(number >= reported && reported > last, `${last} ${reported} ${number}`);
            assert.equal(text, `state ${number}`.repeat(20_000));
            last = number;
        }
    });

    test("of two writers that commit the same number, one is refused", async (context) => {
        const folder = await temporaryFolder(context);
        const stores = Array.from({ length: 8 }, () => new FileReplicaStore(folder));
        for (let number = 1; number <= 10; number += 1) {
            const outcomes = await Promise.allSettled(stores.map(async (store, index) => store.commit(...(await stateOf(number, `${number} ${index}`)))));
            const winners = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [index] : []));
            assert.deepEqual([winners.length, await textsOf(stores[0])], [1, [number, `${number} ${winners[0]}`]]);
            assert.ok(outcomes.every(({ reason }) => !reason || reason.message.includes("another writer")));
        }
    });

    test("a writer with an old state is refused, also after its number was deleted", async (context) => {
        const folder = await temporaryFolder(context);
        const store = new FileReplicaStore(folder);
        for (const number of [1, 2, 3]) await store.commit(...(await stateOf(number)));
        await assert.rejects(store.commit(...(await stateOf(2))), /another writer/);
        // The check passed before the other writer has committed.
        const late = Object.assign(new CrashingFiles(Infinity), {});
        let lists = 0;
        const readdir = late.readdir;
        late.readdir = async (path) => ((lists += 1) === 1 ? ["state-000000000001.json"] : readdir(path));
        await assert.rejects(new FileReplicaStore(folder, { files: late }).commit(...(await stateOf(2))), /another writer/);
        assert.deepEqual(await textsOf(store), [3, "state 3"]);
        assert.ok(!(await readdir(folder)).includes("state-000000000002.json"));
    });

    test("unused files are deleted after a while, and used ones are kept", async (context) => {
        const folder = await temporaryFolder(context);
        const store = new FileReplicaStore(folder);
        await store.commit(...(await stateOf(1)));
        await store.commit(...(await stateOf(2)));
        assert.equal((await readdir(folder)).filter((name) => name.endsWith(".level")).length, 2);
        await writeFile(join(folder, "x.level.1-2-3.new"), "");
        for (const name of await readdir(folder)) await utimes(join(folder, name), 0, 0);
        await store.commit((await stateOf(3, "state 2"))[0], new Map());
        assert.deepEqual(await textsOf(store), [3, "state 2"]);
        assert.equal((await readdir(folder)).length, 2);
    });

    test("a full disk and a folder that cannot be used are errors of their kinds", async (context) => {
        const folder = await temporaryFolder(context);
        await new FileReplicaStore(folder).commit(...(await stateOf(1)));
        const full = new CrashingFiles(Infinity);
        full.open = async () => { throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" }); };
        await assert.rejects(new FileReplicaStore(folder, { files: full }).commit(...(await stateOf(2))), kindOf("diskFull"));
        await assert.rejects(new FileReplicaStore(join(folder, "state-000000000001.json")).read(), kindOf("file"));
        for (const text of ["", "{}", '{"format":2}', "[".repeat(10_000)]) {
            await writeFile(join(folder, "state-000000000001.json"), text);
            await assert.rejects(new FileReplicaStore(folder).read(), kindOf("file"), text.slice(0, 20));
        }
    });

    test("a replica with a missing or damaged level starts with the rest, and the next synchronization replaces everything", async (context) => {
        const [shop, baker] = [named("a1", "unit", "Shop"), named("a2", "unit", "Baker")];
        for (const damage of [(path) => unlink(path), async (path) => writeFile(path, (await readFile(path, "utf8")).replace("Baker", "Faker"))]) {
            const folder = await temporaryFolder(context);
            const begin = page(null, 1, "one", [snapshot(null, shop), snapshot(ground, baker)]);
            const { replica } = await scriptedReplica([begin], { store: new FileReplicaStore(folder) });
            await replica.sync();
            await damage(join(folder, `${replica.digest(ground).slice(8)}.level`));
            const { replica: again, network } = await scriptedReplica([begin], { store: new FileReplicaStore(folder) });
            assert.deepEqual([again.damagedLevels, bodiesOf(again), again.state.revision], [[ground], { "-": [shop] }, null]);
            await again.sync();
            assert.equal(network.requests[0].since, null);
            const { replica: healed } = await scriptedReplica([], { store: new FileReplicaStore(folder) });
            assert.deepEqual([healed.damagedLevels, bodiesOf(healed)], [[], { "-": [shop], [ground]: [baker] }]);
        }
    });

    test("two processes with one folder both continue", async (context) => {
        const folder = await temporaryFolder(context);
        const [shop, baker] = [named("a1", "unit", "Shop"), named("a2", "unit", "Baker")];
        const second = () => page(1, 2, "two", [block(null, "changes", [shop, baker], [baker])]);
        const { replica: one } = await scriptedReplica([page(null, 1, "one", [snapshot(null, shop)]), second()], { store: new FileReplicaStore(folder) });
        await one.sync();
        const { replica: other } = await scriptedReplica([second(), page(2, 3, "three")], { store: new FileReplicaStore(folder) });
        await one.sync();
        await other.sync();
        const { replica: third } = await scriptedReplica([], { store: new FileReplicaStore(folder) });
        assert.deepEqual([third.state.revision, bodiesOf(third)], [3, { "-": [shop, baker] }]);
    });
});
