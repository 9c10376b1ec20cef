// The delta form: decompression compared with zlib, and documents that no server sends.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

import { pageOfDelta } from "../src/sync/delta.js";
import { inflate } from "../src/sync/inflate.js";
import { VenueContents } from "../src/sync/contents.js";

/** Numbers from 0 up to, but not including, `bound`: the same sequence for one seed. */
function randomOf(seed) {
    let state = seed >>> 0;
    return (bound) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * bound);
    };
}

function bytesOf(random, length) {
    const bytes = new Uint8Array(length);
    for (let index = 0; index < length; ) {
        if (index > 10 && random(3) > 0) {
            // Repeats something.
            const [distance, count] = [1 + random(Math.min(index, 40_000)), 3 + random(300)];
            for (let copied = 0; copied < count && index < length; copied += 1, index += 1) bytes[index] = bytes[index - distance];
        } else {
            bytes[index] = random(4) === 0 ? random(256) : 97 + random(8);
            index += 1;
        }
    }
    return bytes;
}

const isMalformed = ({ kind }) => kind === "malformed";
const none = new Uint8Array();

describe("inflate", () => {
    for (let seed = 0; seed < 60; seed += 1) {
        test(`has the text that zlib compressed, seed ${seed}`, () => {
            const random = randomOf(seed);
            const text = bytesOf(random, [0, 1, 20, 1000, 70_000][random(5)]);
            const dictionary = random(2) === 0 ? none : bytesOf(random, 1 + random(40_000));
            const options = { level: random(10), strategy: random(5), ...(dictionary.length > 0 ? { dictionary } : {}) };
            const packed = Uint8Array.from(deflateRawSync(text, options));
            assert.deepEqual(Buffer.from(inflate(packed, dictionary, text.length)), Buffer.from(text));
            if (text.length > 0) assert.throws(() => inflate(packed, dictionary, text.length - 1), isMalformed);
            assert.throws(() => inflate(packed.subarray(0, packed.length - 1), dictionary, text.length), isMalformed);
            assert.throws(() => inflate(Uint8Array.from([...packed, 0]), dictionary, text.length), isMalformed);
        });
    }

    test("ends damaged streams with an error, and always ends", () => {
        const random = randomOf(7);
        const packed = Uint8Array.from(deflateRawSync(bytesOf(random, 5000)));
        let errors = 0;
        for (let round = 0; round < 500; round += 1) {
            const damaged = packed.slice();
            damaged[random(damaged.length)] ^= 1 << random(8);
            try {
                assert.ok(inflate(damaged, none, 20_000).length <= 20_000);
            } catch (error) {
                assert.ok(isMalformed(error), error);
                errors += 1;
            }
        }
        assert.ok(errors > 50);
    });

    test("does not decompress a bomb", () => {
        const bomb = Uint8Array.from(deflateRawSync(Buffer.alloc(50_000_000), { level: 9 }));
        assert.throws(() => inflate(bomb, none, 100_000), isMalformed);
    });
});

describe("the delta form", () => {
    const header = [0x56, 0x53, 0x44, 1, 1, 4, ...Buffer.from("mall"), 2, ...Array(32).fill(0), 0, 0, 0, 0, 3, 1, 2, 3];
    const page = (...index) => pageOfDelta(Uint8Array.from([...header, index.length, ...index]), new VenueContents("mall"));

    test("has the travel times of the venue", () => {
        const times = Buffer.from('{"walk_speed":1.1}');
        const head = [...header.slice(0, 4), 1 | 16, ...header.slice(5, 11), ...Array(32).fill(0), 0, 0, 0];
        const document = (setting) => Uint8Array.from([...head, setting.length, ...setting, 0, 3, 1, 2, 3, 2, 0, 0]);
        const { frame } = pageOfDelta(document(times), new VenueContents("mall"), null);
        assert.deepEqual(frame.about, { language: null, timeZone: null, country: null, wayfinding: { walk_speed: 1.1 } });
        assert.throws(() => pageOfDelta(document(Buffer.from("{")), new VenueContents("mall"), null), isMalformed);
    });

    test("refuses a stream that decompresses to too much, in bounded memory", () => {
        // One block with one body, which has no source.
        const index = [1, 0, 0, 1, 0, 2, 0];
        // In a process of its own, because the peak of this one has other causes. All bodies may have 64 MiB and the index 4 MiB.
        const script = `
            import { deflateRawSync } from "node:zlib";
            import { pageOfDelta } from "./src/sync/delta.js";
            const stream = deflateRawSync(Buffer.alloc(50_000_000), { level: 9, finishFlush: 2 });
            const bomb = Buffer.concat([...Array(8).fill(stream), deflateRawSync(Buffer.alloc(0))]);
            const numberOf = (value) => (value < 128 ? [value] : [value % 128 + 128, ...numberOf(Math.floor(value / 128))]);
            const head = [0x56, 0x53, 0x44, 1, Number(process.argv[1]), 1, 109, 2, ...Array(32 + 5).fill(0)];
            const index = process.argv[1] === "1" ? [...${JSON.stringify(index)}, ...numberOf(bomb.length)] : null;
            const document = Buffer.from([...head, ...numberOf(index?.length ?? bomb.length), ...(index ?? []), ...bomb]);
            const before = process.resourceUsage().maxRSS;
            let message = null;
            try { pageOfDelta(document, { digests: new Map(), levels: new Map() }, null); } catch (error) { message = error.message; }
            console.log(JSON.stringify({ message, kilobytes: process.resourceUsage().maxRSS - before }));`;
        const folder = fileURLToPath(new URL("..", import.meta.url));
        for (const [flags, limit] of [["1", 256 * 1024], ["9", 48 * 1024]]) {
            const output = execFileSync(process.execPath, ["--input-type=module", "-e", script, flags], { cwd: folder, encoding: "utf8" });
            const { message, kilobytes } = JSON.parse(output);
            assert.match(message, /too large/);
            assert.ok(kilobytes < limit, `${kilobytes} kB`);
        }
    });

    test("is read without a base", () => {
        const { frame, cursor, isComplete, blocks } = page(0, 0);
        assert.deepEqual([frame.venue, frame.from, frame.to, cursor, isComplete, blocks], ["mall", null, 2, "AQID", true, []]);
    });

    test("refuses what does not fit the replica, and numbers without bounds", () => {
        const huge = [255, 255, 255, 255, 255, 255, 255, 15];
        for (const index of [
            // Blocks: none, a kind and flags that are unknown, a level that is not held.
            [], [1], [1, 3, 0, 0, 0], [1, 32, 0, 0, 0], [1, 0, 2, 0, 0], [...huge, 0],
            // Removals: one that is not held, one without a difference, none, and too many.
            [1, 16, 0, 1, 1, 0, 0], [1, 16, 0, 1, 0, 0, 0], [1, 16, 0, 0, 0, 0], [1, 16, 0, ...huge, 0, 0], [1, 0, 0, ...huge, 0],
            // Groups: a missing one, one without bodies, a source that is not held, no context, and one that is not held.
            [1, 0, 0, 1, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 1, 0, 2, 2, 0, 0, 0], [1, 0, 0, 1, 0, 3, 0, 0],
            [1, 0, 0, 1, 1, 0, 3, 0, 0], [0, 0, 0],
        ]) {
            assert.throws(() => page(...index), isMalformed, `${index}`);
        }
    });
});
