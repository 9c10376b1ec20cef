// Whether the colours of labels and of what they are on differ enough.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const { contrast, parse } = await import("../../Sources/WebConsole/Web/map/accent.js");

const source = (path) => readFileSync(new URL(`../../Sources/${path}`, import.meta.url), "utf8");

for (const [index, scheme] of ["light", "dark"].entries()) {
    test(`every label has enough contrast with what it is on: ${scheme}`, () => {
        const { palette, groups } = JSON.parse(source("VenueMap/Cartography/cartography.json"));
        // The custom properties of both schemes have the same order.
        const values = (name) => [...source("WebConsole/Web/css/tokens.css").matchAll(new RegExp(`--map-${name}: (#[0-9a-f]{6})`, "g"))].map((match) => match[1]);
        const [ink, onInk, other] = [(group) => values(`ink-${group}`)[index], values("on-ink")[index], values("other-place")[index]];
        const colour = (name) => palette[name][scheme];
        const fills = new Map(groups.filter(({ id }) => id !== "void").map(({ id, fill }) => [id, colour(fill)]).concat([["other", other]]));
        const pairs = [
            ...[...fills].flatMap(([group, fill]) => [
                [`name in ${group}`, colour("label"), fill], [`name of ${group}`, ink(group), fill], [`pictogram of ${group}`, ink(group), onInk],
                [`halo in ${group}`, ink(group), colour("halo")],
            ]),
            ["selected", colour("selected"), onInk], ["kiosk", colour("label"), colour("kiosk")], ["fixture", colour("label"), colour("fixture")],
            ["section", colour("section"), colour("level")], ["level", colour("label"), colour("level")],
        ];
        assert.ok(pairs.length > 40);
        const low = pairs.map(([what, one, under]) => [what, one, under, contrast(parse(one), parse(under))]).filter(([, , , ratio]) => !(ratio >= 4.5));
        assert.deepEqual(low, []);
    });
}
