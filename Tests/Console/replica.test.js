// The replica of the browser, compared with a model after random publications, and after a change set with a wrong digest.

import assert from "node:assert/strict";
import { test } from "node:test";
import { block, collection, lines, named, uuid } from "../../Clients/javascript/tests/support/pages.js";

const { VenueReplica } = await import("../../Sources/WebConsole/Web/client/sync/venue-replica.js");
const { RetryPolicy } = await import("../../Sources/WebConsole/Web/client/sync/retry-policy.js");

const levels = [null, ...["a", "b"].map((digit) => `00000000-0000-4000-8000-${digit.repeat(12)}`)];
const document = (...values) => ({ status: 200, body: lines(...values) });

/** A replica whose requests are answered with `responses`, in their order. */
async function openReplica() {
    const responses = [];
    const replica = await VenueReplica.open({
        server: "https://maps.example", venue: "mall", policy: new RetryPolicy({ attempts: 1 }),
        fetch: async () => {
            const { status, body } = responses.shift();
            return new Response(`${body.join("\n")}\n`, { status });
        },
    });
    /** Synchronizes; returns the kind of the error, or null. All responses are used. */
    const sync = async (...next) => {
        responses.push(...next);
        const failure = await replica.sync().then(() => null, (error) => error.kind);
        assert.equal(responses.length, 0);
        return failure;
    };
    const held = () => replica.features().map(({ id, level, body }) => [id, level, body]).sort();
    return { replica, sync, held };
}

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

test("replica is unchanged after a change set with a wrong digest", async () => {
    const { replica, sync, held } = await openReplica();
    const [one, two] = [named("1", "unit", "one"), named("2", "unit", "two")];
    assert.equal(await sync(document(null, 1, "c1", [block(null, "snapshot", [one], [one])])), null);
    // The level is fetched again, and still differs.
    assert.equal(await sync(document(1, 2, "c2", [block(null, "changes", [], [two])]), collection(two)), "wrongDigest");
    assert.equal(replica.state.cursor, "c1");
    assert.deepEqual(held(), [[uuid("1"), null, one]]);
});

for (let seed = 0; seed < 6; seed += 1) {
    test(`replica equals a model after random publications (seed ${seed})`, async () => {
        const random = randomNumbers(seed);
        const below = (limit) => Math.floor(random() * limit);
        const { replica, sync, held } = await openReplica();
        const model = new Map(levels.map((level) => [level, new Map()]));
        for (let step = 0; step < 40; step += 1) {
            const before = structuredClone(model);
            for (let edit = below(6); edit > 0; edit -= 1) {
                const end = String(below(16)).padStart(2, "0");
                for (const bodies of model.values()) bodies.delete(uuid(end));
                if (random() < 0.75) model.get(levels[below(3)]).set(uuid(end), named(end, "unit", `${step} ｶﾌｪ`));
            }
            const isFull = step === 0 || random() < 0.1;
            const blocks = levels.flatMap((level) => blockOf(level, before.get(level), model.get(level), isFull || random() < 0.1));
            const responses = pagesOf(blocks, step, isFull ? null : step, random);
            if (isFull && step > 0) {
                // The history was lost, and the response has no levels to start over with.
                responses.unshift({ status: 410, body: ['{"type":"/problems/history-lost"}'] });
                responses.push(document(step + 1, step + 1, `c${step}`));
            }
            assert.equal(await sync(...responses), null, `step ${step}`);
            const expected = [...model].flatMap(([level, bodies]) => [...bodies].map(([id, body]) => [id, level, body])).sort();
            assert.deepEqual(held(), expected, `step ${step}`);
            const byLevel = replica.levels().filter(({ isHeld }) => isHeld)
                .flatMap(({ level }) => replica.features({ level }).map(({ id }) => [id, level])).sort();
            assert.deepEqual(byLevel, expected.map(([id, level]) => [id, level]), `step ${step}`);
            assert.equal(replica.state.cursor, `c${step}`);
        }
    });
}

const sorted = (bodies) => [...bodies.keys()].sort().map((id) => bodies.get(id));

/** `{level, kind, total, bodies, removed}` of a level that has changed, or of every level of a whole snapshot. */
function blockOf(level, before, after, isSnapshot) {
    if (isSnapshot) return [{ level, kind: "snapshot", total: sorted(after), bodies: sorted(after), removed: [] }];
    const bodies = [...after].filter(([id, body]) => before.get(id) !== body).map(([, body]) => body);
    const removed = [...before.keys()].filter((id) => !after.has(id));
    return bodies.length + removed.length > 0 ? [{ level, kind: "changes", total: sorted(after), bodies, removed }] : [];
}

const linesOf = ({ level, kind, total, bodies, removed, more }) => block(level, kind, total, bodies, removed, more);

/** A change set on one page, or on two pages that are split within a block. */
function pagesOf(blocks, step, from, random) {
    const divisible = blocks.filter(({ bodies }) => bodies.length > 1);
    const whole = () => [document(from, step + 1, `c${step}`, blocks.map(linesOf))];
    if (divisible.length === 0 || random() < 0.5) return whole();
    const divided = divisible[Math.floor(random() * divisible.length)];
    const index = blocks.indexOf(divided);
    const head = { ...divided, bodies: divided.bodies.slice(0, 1), removed: [], total: null };
    const rest = { ...divided, bodies: divided.bodies.slice(1), more: { continued: true } };
    return [
        document(from, step + 1, `p${step}`, [...blocks.slice(0, index), head].map(linesOf), { complete: false }),
        document(from, step + 1, `c${step}`, [rest, ...blocks.slice(index + 1)].map(linesOf)),
    ];
}
