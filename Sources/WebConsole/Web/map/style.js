// How each type of feature is drawn. A floor's layers stand between fixed marks, so that lines of one building never hide under
// the floor of another.

/** From the ground up. Layers are put below the mark they are named for. */
export const marks = ["above-ground", "above-fills", "above-lines"];

/** Types that are drawn as shapes, in this order. Anything with a name is drawn by map/label-overlay.js. */
export const drawnTypes = ["venue", "footprint", "level", "section", "unit", "fixture", "kiosk", "detail", "opening"];

const grow = (least, most) => ["interpolate", ["exponential", 2], ["zoom"], 15, least, 22, most];
const state = (name) => ["boolean", ["feature-state", name], false];

/** The layers of a type: `{suffix, below, type, paint}`. */
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
                line("above-lines", marked(c.wall, c), ["case", state("selected"), 3, state("changed"), 4, state("found"), 2, 1]),
            ];
        case "fixture": return [fill("above-lines", c.fixture)];
        case "kiosk": return [fill("above-lines", c.kiosk), line("above-lines", marked(c.wall, c), 1)];
        case "detail": return [line("above-lines", c.wall, 1)];
        case "opening": return [line("above-lines", marked(c.opening, c), grow(1.5, 24))];
        default: return [];
    }

    function marked(colour, c) {
        return ["case", state("selected"), c.selected, state("changed"), c.changed, state("found"), c.selected, colour];
    }
}

function fill(below, colour) {
    return { suffix: "fill", below, type: "fill", paint: { "fill-color": colour } };
}

function line(below, colour, width, more = {}) {
    return { suffix: "line", below, type: "line", paint: { "line-color": colour, "line-width": width, ...more } };
}

/** The style to begin with: the ground, and the marks. */
export function emptyStyle(colours) {
    return {
        version: 8,
        sources: {},
        layers: [
            { id: "ground", type: "background", paint: { "background-color": colours.ground } },
            ...marks.map((id) => ({ id, type: "background", layout: { visibility: "none" } })),
        ],
    };
}
