// The colours of a way on the map: a line in the accent of the venue, and a casing around it. On every fill, the line or its casing has a
// contrast of 3 : 1 at least, and so has the line on its casing (WCAG 2.2, 1.4.11).

import { contrast, mixedUntil, parse } from "../accent.js";

const lineContrast = 3;
/** What a way is drawn on. */
const fillNames = [
    "ground", "venue", "footprint", "level", "shop", "food", "service", "other-place", "restroom", "vertical", "walkway", "outdoor", "parking",
    "private", "room", "kiosk", "fixture",
];

/** `{line, casing}` for the colours of `mapColours`. */
export function routeColours(colours, isDark) {
    const casing = isDark ? "#0b0f0d" : "#ffffff";
    const fills = [casing, ...fillNames.map((name) => colours[name])].filter((colour) => /^#[0-9a-f]{6}$/i.test(colour ?? "")).map(parse);
    // Fills of a venue's own may be as dark as the line can be: there the casing is what is seen, which has the other brightness.
    const isSeen = (line) => contrast(line, fills[0]) >= lineContrast
        && fills.every((fill) => Math.max(contrast(line, fill), contrast(fills[0], fill)) >= lineContrast);
    const isSeenAlone = (line) => fills.every((fill) => contrast(line, fill) >= lineContrast);
    const accent = /^#[0-9a-f]{6}$/i.test(colours.selected ?? "") ? colours.selected : "#0f6b62";
    const line = mixedUntil(accent, isDark, isSeenAlone, null) ?? mixedUntil(accent, isDark, isSeen);
    return { line, casing };
}
