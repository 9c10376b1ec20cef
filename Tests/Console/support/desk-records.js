// What the service sends to operators, for a small mall with two floors. `desk-records.test.js` compares the members with openapi.yaml,
// which the tests of the server compare with its responses.

export const id = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** The levels of the mall, 1F and 2F. */
export const [firstFloor, secondFloor] = [id(1), id(2)];
const digest = `sha-256:${"73b2".repeat(16)}`;
const ground = { longitude: 139.638, latitude: 35.451 };

/** A position some metres east and north of the corner of the mall. */
export const position = (east, north) => [
    Number((ground.longitude + east / 90_680).toFixed(7)), Number((ground.latitude + north / 111_320).toFixed(7))];

export const square = (east, north, side = 8) => ({
    type: "Polygon",
    coordinates: [[[0, 0], [side, 0], [side, side], [0, side], [0, 0]].map(([x, y]) => position(east + x, north + y))],
});

export const feature = (number, type, geometry, properties) =>
    ({ type: "Feature", id: id(number), feature_type: type, geometry, properties });

export const level = (number, ordinal, properties = {}) => feature(number, "level", square(0, 0, 60), {
    category: "unspecified", ordinal, outdoor: false, short_name: { en: `${ordinal + 1}F`, ja: `${ordinal + 1}階` }, name: null, ...properties });

export const unit = (number, floor, east, north, properties = {}) => feature(number, "unit", square(east, north), {
    category: "unspecified", restriction: null, accessibility: null, name: null, alt_name: null, level_id: floor, display_point: null, ...properties });

/** A unit with its anchor and its shop: the numbers of their ids are `number`, `number + 1000` and `number + 2000`. */
export const shop = (number, floor, east, north, name, properties = {}) => [
    unit(number, floor, east, north),
    feature(number + 1000, "anchor", { type: "Point", coordinates: position(east + 4, north + 4) }, { address_id: null, unit_id: id(number) }),
    feature(number + 2000, "occupant", null, {
        category: "restaurant", anchor_id: id(number + 1000), hours: "Mo-Su 10:00-20:00", name, phone: null, website: null, validity: null,
        correlation_id: null, ...properties }),
];

/** The features of the mall by the level to which the service counts them; null is the venue-wide part. */
export const mallFeatures = () => new Map([
    [null, [
        feature(9, "venue", square(-5, -5, 80), { category: "shoppingcenter", name: { en: "Bay Mall", ja: "ベイモール" }, display_point: null }),
        level(1, 0), level(2, 1),
    ]],
    [firstFloor, [
        ...shop(100, firstFloor, 0, 0, { en: "Anchor Coffee", ja: "アンカーコーヒー" }), ...shop(101, firstFloor, 20, 0, { en: "Book Bay", ja: "ブックベイ" }),
        unit(110, firstFloor, 40, 0, { category: "restroom" }),
    ]],
    [secondFloor, [...shop(200, secondFloor, 0, 0, { en: "Cloud Shoes", ja: "クラウドシューズ" }), unit(210, secondFloor, 20, 20, { category: "walkway" })]],
]);

export const levelState = (levelID, ordinal, features, names = {}) => ({
    level_id: levelID, ordinal, short_name: ordinal === null ? null : { en: `${ordinal + 1}F`, ja: `${ordinal + 1}階` }, name: null, digest, features,
    bytes: features * 400, ...names });

export const settings = (values = {}) => ({
    public: false, validation: "report", identity: "repair", removal_guard: true, time_zone: "Asia/Tokyo", keep_revisions: null, overrides: "keep",
    appearance: null, embed_origins: null, basemap: null, wayfinding: null, ...values });

/** As an administrator receives it. */
export const venue = (values = {}) => ({
    venue: "mall", id: id(9), head: 2, first: 1, digest, name: { en: "Bay Mall", ja: "ベイモール" },
    about: { language: "en", time_zone: "Asia/Tokyo" }, time_zone_source: "operator", public: false,
    levels: [levelState(null, null, 3), levelState(firstFloor, 0, 7), levelState(secondFloor, 1, 4)], level_count: 2, settings: settings(), ...values });

const zero = () => ({ added: 0, changed: 0, removed: 0 });

/** The summary of changes, in the order of the service: the venue-wide part first, then the levels by id. */
export function summary(changes, words = []) {
    const [total, levels, types] = [zero(), new Map(), new Map()];
    for (const { kind, level_id: floor, feature_type: type } of changes) {
        if (!levels.has(floor)) levels.set(floor, { level_id: floor, ordinal: { [firstFloor]: 0, [secondFloor]: 1 }[floor] ?? null, ...zero() });
        if (!types.has(type)) types.set(type, { feature_type: type, ...zero() });
        for (const counts of [total, levels.get(floor), types.get(type)]) counts[kind] += 1;
    }
    const byID = (one, other) => ((one.level_id ?? "") < (other.level_id ?? "") ? -1 : 1);
    return { ...total, levels: [...levels.values()].sort(byID), types: [...types.values()], words };
}

/** `before` or `after` is null for an added or removed feature. */
export const change = (before, after, floor, classes = []) => ({
    id: (after ?? before).id, feature_type: (after ?? before).feature_type, level_id: floor,
    kind: !before ? "added" : !after ? "removed" : "changed", classes, before, after, overrides: [] });

/** A feature with other properties. */
export const edited = (original, properties) => ({ ...original, properties: { ...original.properties, ...properties } });

/** A feature some metres further east and north. */
export function moved(original, east, north) {
    const by = ([x, y]) => [Number((x + east / 90_680).toFixed(7)), Number((y + north / 111_320).toFixed(7))];
    const of = (coordinates) => (typeof coordinates[0] === "number" ? by(coordinates) : coordinates.map(of));
    return { ...original, geometry: { ...original.geometry, coordinates: of(original.geometry.coordinates) } };
}

const noChanges = () => summary([]);

/** A staged upload without reasons; the number is that of its id. */
export const upload = (number, values = {}) => ({
    id: id(number), venue: "mall", created_venue: false, state: "staged", reasons: [], message: null, author: "admin", archive: digest, bytes: 10_211,
    base: 2, revision: null, publish_at: null, published_by: null, file_name: null, attempts: 1, progress: { phase: null, done: 0, total: 0 },
    findings: { complete: true, error: 0, warning: 2, info: 1 }, identity: { kept: 14, aliased: 0, matched: 0, near: 0, new: 0, gone: 0 },
    changes: noChanges(), overrides: null, failure: null, received_at: "2026-06-10T01:00:00.000Z", finished_at: null, ...values });

export const revision = (number, values = {}) => ({
    number, kind: "upload", restores: null, levels: null, author: "admin", message: null, published_at: `2026-06-0${number}T01:00:00.000Z`, features: 14,
    digest, changes: noChanges(), ...values });

export const finding = (rule, severity, message, values = {}) => ({
    rule, severity, message, feature_id: id(110), feature_type: "unit", file: "unit.geojson", pointer: "/features/2/geometry", at: position(44, 4), ...values });

export const apiKey = (number, values = {}) => ({
    id: id(number), name: "phones", role: "read", venues: ["mall"], created_at: "2026-06-01T01:00:00.000Z", ...values });

/** An override of the opening hours of a shop. */
export const override = (number, values = {}) => ({
    id: id(number), feature: id(2100), feature_type: "occupant", level_id: firstFloor, name: { en: "Anchor Coffee", ja: "アンカーコーヒー" }, kind: "value",
    pointer: "/properties/hours", state: "quiet", base: "Mo-Su 10:00-20:00", value: "off", source: "Mo-Su 10:00-20:00", author: "admin", message: "Renovation",
    since: "2026-06-09T01:00:00.000Z", until: null, covered: [], ...values });
