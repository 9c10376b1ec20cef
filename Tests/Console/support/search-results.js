// What the server answers to `GET /venues/{venue}/search`, in the form of docs/protocol/search.md.

/** The response of a `SyncServer` with these results, the best first. */
export function searchResponse(server, results, { more = false } = {}) {
    return {
        venue: "mall", revision: server.head, query: {}, time_zone: "Asia/Tokyo", count: results.length, more,
        results: results.map((each, index) => ({ rank: index + 1, ...each })), floors: [],
    };
}

/** A result, as the server describes a feature; `more` are members such as `match` and `open`. `language` is that of the request. */
export function resultOf(server, id, { language = "en", ...more } = {}) {
    const feature = server.feature(id);
    const { properties } = feature;
    const levelOf = (each) => [...server.levels].find(([, features]) => features.some((other) => other.id === each))[0];
    const own = levelOf(id);
    const levels = own ? [own] : (properties.unit_ids ?? []).map(levelOf);
    const { type, coordinates } = (server.feature(properties.anchor_id) ?? feature).geometry;
    return {
        id, feature_type: feature.feature_type, category: properties.category, category_name: null, name: properties.name?.[language] ?? null,
        level_id: levels.length === 1 ? levels[0] : null, level_ids: levels, point: type === "Point" ? coordinates : middle(coordinates[0]),
        match: "exact", text: properties.name?.[language] ?? properties.category, ...more,
    };
}

function middle(ring) {
    return [0, 1].map((axis) => ring.map((point) => point[axis])).map((all) => (Math.min(...all) + Math.max(...all)) / 2);
}
