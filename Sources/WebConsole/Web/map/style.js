// The map style: the layers of each feature type. Layers are inserted at fixed slots, so that the lines of one building are never
// covered by the areas of another.

/** Invisible layers, bottom first. The layers of features are inserted below one of them. */
const slots = ["above-ground", "above-fills", "above-lines"];

/** The feature types that are drawn, in the order in which their layers are added. map/label-overlay.js draws the labels. */
export const drawnTypes = ["venue", "footprint", "level", "section", "unit", "fixture", "kiosk", "detail", "opening"];

/** A width that doubles with every zoom level, from zoom 15 to 22. */
const grow = (minimum, maximum) => ["interpolate", ["exponential", 2], ["zoom"], 15, minimum, 22, maximum];
const state = (name) => ["boolean", ["feature-state", name], false];

/** The layers of a feature type: `{suffix, slot, type, paint}`. `c` are the colours that `mapColours` returns. */
export function layersOf(type, c) {
    switch (type) {
        case "venue": return [fill("above-ground", c.venue)];
        case "footprint": return [fill("above-ground", c.footprint)];
        case "level":
            return [fill("above-fills", c.level), line("above-lines", c.outline, grow(1, 4))];
        case "section": return [line("above-lines", c.section, 1.5, { "line-dasharray": [3, 3], "line-opacity": 0.45 })];
        case "unit":
            return [
                fill("above-fills", [
                    "match", ["get", "group"],
                    ...["shop", "food", "service", "restroom", "vertical", "walkway", "outdoor", "parking", "private"]
                        .flatMap((group) => [group, c[group]]),
                    "void", c.footprint, c.room,
                ]),
                line("above-lines", highlighted(c.wall), ["case", state("selected"), 3, state("changed"), 4, state("found"), 2, 1]),
            ];
        case "fixture": return [fill("above-lines", c.fixture)];
        case "kiosk": return [fill("above-lines", c.kiosk), line("above-lines", highlighted(c.wall), 1)];
        case "detail": return [line("above-lines", c.wall, 1)];
        case "opening": return [line("above-lines", highlighted(c.opening), grow(1.5, 24))];
        default: return [];
    }

    function highlighted(colour) {
        return ["case", state("selected"), c.selected, state("changed"), c.changed, state("found"), c.selected, colour];
    }
}

function fill(slot, colour) {
    return { suffix: "fill", slot, type: "fill", paint: { "fill-color": colour } };
}

function line(slot, colour, width, more = {}) {
    return { suffix: "line", slot, type: "line", paint: { "line-color": colour, "line-width": width, ...more } };
}

/** The style without any features: the background and the slots. */
export function emptyStyle(colours) {
    return {
        version: 8,
        sources: {},
        layers: [
            { id: "ground", type: "background", paint: { "background-color": colours.ground } },
            ...slots.map((id) => ({ id, type: "background", layout: { visibility: "none" } })),
        ],
    };
}
