// The map style: the layers of each feature type. Layers are inserted at fixed slots, so that the lines of one building are never
// covered by the areas of another, and highlights are never covered by anything.

/** Invisible layers, bottom first. The layers of features are inserted below one of them. */
const slots = [
    "above-basemap", "above-ground", "above-shadows", "above-fills", "above-found", "above-lines", "above-facades", "above-walls",
    "above-all",
];

/** The slot of the layers of a basemap, which are above the ground and below everything of the venue. */
export const [basemapSlot] = slots;

/** The feature types that are drawn, in the order in which their layers are added. map/label-overlay.js draws the labels. */
export const siteTypes = ["venue", "footprint"];
export const floorTypes = ["level", "section", "unit", "fixture", "kiosk", "detail", "opening"];

/** The types whose features are highlighted while they are selected, changed or found. */
export const highlightedTypes = new Set(["unit", "kiosk", "opening"]);

export const isOfType = (type) => ["==", ["get", "feature_type"], type];

const fillGroups = ["shop", "food", "service", "other", "restroom", "vertical", "walkway", "outdoor", "parking", "private"];

/** A width that doubles with every zoom level, from zoom 15 to 22. */
const grow = (minimum, maximum) => ["interpolate", ["exponential", 2], ["zoom"], 15, minimum, 22, maximum];

/** How much of the site hides a basemap: of its area little, of the outlines of buildings more, so that floors seem to stand on the ground. */
const overBasemap = { venue: 0.15, footprint: 0.6 };

/** The layers of a feature type: `{slot, type, paint}`, and `suffix` if it has two of this type. `c` are the colours that `mapColours` returns. */
export function layersOf(type, c, { isDimmed = false, isOverBasemap = false } = {}) {
    const ground = { "fill-opacity": isOverBasemap ? overBasemap[type] ?? 1 : 1 };
    const opacity = isDimmed ? 0.35 : 1;
    switch (type) {
        case "venue": return [fill("above-ground", c.venue, { ...ground, ...withLine }), edge("above-ground", c.venue, ground)];
        case "footprint": return [fill("above-ground", c.footprint, { ...ground, ...withLine }), edge("above-ground", c.footprint, ground)];
        case "level":
            return [
                {
                    suffix: "shadow", ...line("above-shadows", c["level-shadow"], grow(5, 26), {
                        "line-blur": grow(5, 26), "line-translate": [2, 4], "line-translate-anchor": "viewport",
                    }),
                },
                fill("above-fills", c.level, withLine), line("above-facades", c.outline, grow(1.6, 9)),
            ];
        case "section": return [line("above-lines", c.section, 1.2, { "line-dasharray": [3, 3], "line-opacity": 0.4 })];
        case "unit":
            return [
                fill("above-fills", unitColour(c), { "fill-opacity": opacity, ...withLine }),
                line("above-lines", c.wall, grow(0.5, 5)),
            ];
        case "fixture": return [fill("above-lines", c.fixture, withLine), edge("above-lines", c.fixture)];
        case "kiosk":
            return [fill("above-lines", c.kiosk, { "fill-opacity": opacity, ...withLine }), line("above-lines", c.wall, 1)];
        case "detail": return [line("above-lines", c.wall, 1)];
        case "opening": return [line("above-facades", c.opening, grow(1, 9))];
        default: return [];
    }
}

function unitColour(c) {
    const groups = fillGroups.flatMap((group) => [group, c[group === "other" ? "other-place" : group]]);
    return ["match", ["get", "group"], ...groups, "void", c.footprint, c.room];
}

/** The widths of the outlines of features in a state, and of the halo that separates them from walls of any colour. */
const outlines = { found: { width: 2.5, halo: 5 }, changed: { width: 4, halo: 7 }, selected: { width: 4, halo: 7 } };

/**
 * The layers of highlighted features, whose property `state` says in which state they are: `{id, slot, type, filter, paint, isForDimmed}`.
 * As in the layers of floors, only the colours of areas differ between features. So no shader has to be compiled before the first
 * highlight, for which a page would wait until all that was drawn before is on the screen.
 */
export function highlightLayers(c) {
    const areas = [["unit", unitColour(c)], ["kiosk", c.kiosk]].map(([type, colour]) => ({
        id: `highlights/${type}/area`, filter: isOfType(type), isForDimmed: true, ...fill("above-found", colour, withLine),
    }));
    const lines = (suffix, colourOf, widthOf) => Object.entries(outlines).map(([state, widths]) => ({
        id: `highlights/${state}/${suffix}`, filter: ["==", ["get", "state"], state], isForDimmed: false,
        ...line("above-all", colourOf(state), widthOf(widths)),
    }));
    const colourOf = (state) => (state === "changed" ? c.changed : c.selected);
    return [...areas, ...lines("halo", () => c.halo, ({ halo }) => halo), ...lines("highlight", colourOf, ({ width }) => width)];
}

/** The layers of units that visitors cannot reach: `{id, slot, type, paint}`. What is selected is drawn above their outlines. */
export function cutOffLayers(c) {
    return [
        { id: "cut-off/area", ...fill("above-found", c["cut-off"], { "fill-opacity": 0.45, ...withLine }) },
        { id: "cut-off/halo", ...line("above-walls", c.halo, 4) }, { id: "cut-off/line", ...line("above-walls", c["cut-off"], 2) },
    ];
}

/** What has a line along its edge needs no smooth one, which MapLibre draws in a pass of its own. */
const withLine = { "fill-antialias": false };

/**
 * An area. Its colour always depends on the feature, even where it is the same for all: MapLibre has one shader for such areas and another
 * one for those of one colour, and the first view would wait for both.
 */
function fill(slot, colour, more = {}) {
    return { slot, type: "fill", paint: { "fill-color": ["case", ["has", "colour"], ["get", "colour"], colour], ...more } };
}

function line(slot, colour, width, more = {}) {
    return { slot, type: "line", paint: { "line-color": colour, "line-width": width, ...more } };
}

/** A smooth edge of an area. It needs no shader but that of other lines. */
function edge(slot, colour, { "fill-opacity": opacity = 1 } = {}) {
    return line(slot, colour, 1, { "line-opacity": opacity });
}

/** The style without any features: the slots. The ground is the background of the page, so that no shader is needed for it. */
export const emptyStyle = () => ({
    version: 8,
    // What a search dims, and a dark mode recolours, changes at once: an animation would draw everything again and again.
    transition: { duration: 0, delay: 0 },
    sources: {},
    layers: slots.map((id) => ({ id, type: "background", layout: { visibility: "none" } })),
});
