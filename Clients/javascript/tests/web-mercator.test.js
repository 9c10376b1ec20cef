import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { toMercator } from "../../../Sources/WebConsole/Web/map/camera.js";

// The vectors are those of WebMercator in VenueMap, so the console and Swift apps agree about positions and tiles.
const file = new URL("../../../Tests/VenueMapTests/WebMercator/vectors.json", import.meta.url);
const { vectors } = JSON.parse(await readFile(file, "utf8"));

test("Web Mercator of the console has the pixels and tiles of the shared vectors", () => {
    assert.ok(vectors.length > 50);
    for (const { longitude, latitude, zoom, tile, pixel_256, pixel_512 } of vectors) {
        const square = toMercator([longitude, latitude]);
        const place = `${longitude}, ${latitude}, zoom ${zoom}`;
        for (const axis of [0, 1]) {
            // A corner of a tile may be rounded into its neighbour, and beyond the end of the square.
            const column = square[axis] * 2 ** zoom;
            const corner = Math.abs(column - Math.round(column)) < 1e-9 * 2 ** zoom;
            if (!corner) assert.equal(Math.floor(column), tile[axis], place);
            assert.ok(Math.abs(square[axis] * 256 * 2 ** zoom - pixel_256[axis]) < 0.01, place);
            assert.ok(Math.abs(square[axis] * 512 * 2 ** zoom - pixel_512[axis]) < 0.01, place);
        }
    }
});
