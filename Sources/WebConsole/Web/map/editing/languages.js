// The languages in which names are asked for.

/** The languages in which the venue is named; else its own language. */
export function languagesOf(live) {
    const venue = live.featuresOf(null).find(({ type }) => type === "venue");
    const name = venue?.properties.name;
    const used = typeof name === "object" && name !== null ? Object.keys(name) : [];
    return used.length > 0 ? used : [live.about.language ?? "en"];
}
