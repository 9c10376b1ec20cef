// The map style: the layers of each feature type. Layers are inserted at fixed slots, so that the lines of one building are never
// covered by the areas of another, and highlights are never covered by anything.

/** Invisible layers, bottom first. The layers of features are inserted below one of them. */
const slots = ["above-basemap", "above-ground", "above-shadows", "above-fills", "above-lines", "above-facades", "above-all"];

/** The slot of the layers of a basemap, which are above the ground colour and below everything of the venue. */
export const [basemapSlot] = slots;

/** The feature types that are drawn, in the order in which their layers are added. map/label-overlay.js draws the labels. */
export const drawnTypes = ["venue", "footprint", "level", "section", "unit", "fixture", "kiosk", "detail", "opening"];

const fillGroups = ["shop", "food", "service", "other", "restroom", "vertical", "walkway", "outdoor", "parking", "private"];

/** A width that doubles with every zoom level, from zoom 15 to 22. */
const grow = (minimum, maximum) => ["interpolate", ["exponential", 2], ["zoom"], 15, minimum, 22, maximum];
const state = (name) => ["boolean", ["feature-state", name], false];

/** How much of the site hides a basemap: of its area little, of the outlines of buildings more, so that floors seem to stand on the ground. */
const overBasemap = { venue: 0.15, footprint: 0.6 };

/** The layers of a feature type: `{suffix, slot, type, paint}`. `c` are the colours that `mapColours` returns. */
export function layersOf(type, c, { isDimmed = false, isOverBasemap = false } = {}) {
    const ground = { "fill-opacity": isOverBasemap ? overBasemap[type] ?? 1 : 1 };
    const opacity = isDimmed ? ["case", ["any", state("found"), state("selected")], 1, 0.35] : 1;
    switch (type) {
        case "venue": return [fill("above-ground", c.venue, ground)];
        case "footprint": return [fill("above-ground", c.footprint, ground)];
        case "level":
            return [
                line("above-shadows", c["level-shadow"], grow(5, 26), {
                    "line-blur": grow(5, 26), "line-translate": [2, 4], "line-translate-anchor": "viewport",
                }, "shadow"),
                fill("above-fills", c.level, withLine), line("above-facades", c.outline, grow(1.6, 9)),
            ];
        case "section": return [line("above-lines", c.section, 1.2, { "line-dasharray": [3, 3], "line-opacity": 0.4 })];
        case "unit":
            return [
                fill("above-fills", ["case", ["has", "colour"], ["get", "colour"], ["match", ["get", "group"], ...fillGroups.flatMap((group) => [group, c[group === "other" ? "other-place" : group]]), "void", c.footprint, c.room]],
                    { "fill-opacity": opacity, ...withLine }),
                line("above-lines", c.wall, grow(0.5, 5)),
                ...highlights(),
            ];
        case "fixture": return [fill("above-lines", c.fixture)];
        case "kiosk":
            return [fill("above-lines", ["case", ["has", "colour"], ["get", "colour"], c.kiosk], { "fill-opacity": opacity, ...withLine }), line("above-lines", c.wall, 1), ...highlights()];
        case "detail": return [line("above-lines", c.wall, 1)];
        case "opening": return [line("above-facades", c.opening, grow(1, 9)), ...highlights()];
        default: return [];
    }

    /** Outlines of selected, changed and found features, with a halo that separates them from walls of any colour. */
    function highlights() {
        const width = (selected, changed, found) =>
            ["case", state("selected"), selected, state("changed"), changed, state("found"), found, 0];
        const colour = ["case", state("changed"), c.changed, c.selected];
        return [
            line("above-all", c.halo, width(7, 7, 5), { "line-opacity": visible() }, "halo"),
            line("above-all", colour, width(4, 4, 2.5), { "line-opacity": visible() }, "highlight"),
        ];
    }
}

const visible = () => ["case", ["any", state("selected"), state("changed"), state("found")], 1, 0];

/** What has a line along its edge needs no smooth one, which MapLibre draws in a pass of its own. */
const withLine = { "fill-antialias": false };

function fill(slot, colour, more = {}) {
    return { suffix: "fill", slot, type: "fill", paint: { "fill-color": colour, ...more } };
}

function line(slot, colour, width, more = {}, suffix = "line") {
    return { suffix, slot, type: "line", paint: { "line-color": colour, "line-width": width, ...more } };
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
