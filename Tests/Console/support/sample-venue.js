// A venue as `venue generate` makes them, but smaller: floors of 120 m × 60 m with 28 shops, restrooms, a lift, and stairs that touch the
// floor above. Features are as the server sends them.

import { createHash } from "node:crypto";

const [west, south] = [139.638, 35.4515];
/** The position of a point in metres from the south-western corner. */
export const at = (east, north) => [west + east / 90_600, south + north / 111_320].map((degrees) => Math.round(degrees * 1e9) / 1e9);
const rectangle = (x, y, width, height) => ({
    type: "Polygon",
    coordinates: [[[x, y], [x + width, y], [x + width, y + height], [x, y + height], [x, y]].map(([east, north]) => at(east, north))],
});

/** The id of a feature by what it is, such as `shop 1 0`: the fourth number is the ordinal, the last one counts. */
export function id(name) {
    if (!ids.has(name)) {
        const digits = createHash("sha256").update(name).digest("hex");
        ids.set(name, digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5"));
    }
    return ids.get(name);
}
const ids = new Map();

const feature = (name, type, geometry, properties) => ({ feature_type: type, geometry, id: id(name), properties, type: "Feature" });

const kinds = [
    ["coffee", "Blue Heron Coffee", "あおさぎ珈琲"], ["restaurant", "Kitchen Alder", "きっちんオルダー"],
    ["clothing", "North Thread", "ノーススレッド"],
    ["bookstore", "Paper Lantern Books", "かみとうろう書店"], ["pharmacy", "Pine Pharmacy", "まつ薬局"], ["bank", "Harbour Bank", "みなと銀行"],
    ["sushi", "Sushi Kawa", "すしかわ"],
];
export const openAllDay = "Mo-Su 10:00-21:00";

/** What is on one floor, besides what is on several: `{level, units, others}`. */
function floor(ordinal) {
    const level = id(`level ${ordinal}`);
    const units = [], others = [];
    const unit = (name, index, properties) => {
        const [x, y] = [(index % 16) * 7.5, index < 16 ? 0 : 36];
        const each = feature(`unit ${ordinal} ${name}`, "unit", rectangle(x, y, 7.5, 24), {
            accessibility: null, alt_name: null, category: "room", display_point: null, level_id: level, name: null, restriction: null,
            ...properties,
        });
        units.push(each);
        return [each, at(x + 3.75, y + 12)];
    };
    unit("walkway", 0, { category: "walkway" })[0].geometry = rectangle(0, 24, 120, 12);
    const facilities = [
        ["restroom male", 3, "restroom.male"], ["restroom female", 19, "restroom.female"], ["elevator", 8, "elevator"], ["stairs", 24, "stairs"],
    ];
    for (const [name, index, category] of facilities) {
        const [each, point] = unit(name, index, { category });
        if (name === "stairs") continue; // An amenity of two floors, see below.
        others.push(feature(`amenity ${ordinal} ${name}`, "amenity", { type: "Point", coordinates: point }, {
            accessibility: null, address_id: null, alt_name: null, category, correlation_id: null, hours: null, name: null, phone: null,
            unit_ids: [each.id], website: null,
        }));
    }
    const free = Array.from({ length: 32 }, (_, index) => index).filter((index) => !facilities.some(([, used]) => used === index));
    for (const [number, index] of free.entries()) {
        const [each, point] = unit(`room ${number}`, index, {});
        const anchor = feature(`anchor ${ordinal} ${number}`, "anchor", { type: "Point", coordinates: point }, { address_id: null, unit_id: each.id });
        const [category, english, japanese] = kinds[number % kinds.length];
        const [inEnglish, inJapanese] = number === 0
            ? [` ${shopNames[ordinal] ?? ordinal}`, shopNames[ordinal] ?? ordinal] : Array(2).fill(` ${ordinal}${String(number).padStart(2, "0")}`);
        others.push(anchor, feature(`shop ${ordinal} ${number}`, "occupant", null, {
            anchor_id: anchor.id, category, correlation_id: null, hours: number % 5 === 4 ? null : openAllDay,
            name: { en: `${english}${inEnglish}`, ja: `${japanese}${inJapanese}` },
            phone: number % 2 === 0 ? "+81 45 555 0100" : null, validity: null, website: number % 3 === 0 ? "https://shop.example.com/" : null,
        }));
    }
    return { level, units, others };
}

const shopNames = { 0: "Entrance", 1: "Gallery", 2: "Terrace", "-1": "Cellar" };
const shortNames = { "-1": "B1" };

/** `[{level, feature}]` of floors from `ordinals`, lowest first. `level` is null for the venue-wide part. */
export function sampleFeatures({ ordinals = [-1, 0, 1] } = {}) {
    const wide = [
        feature("venue", "venue", rectangle(-20, -20, 160, 100), {
            address_id: null, alt_name: null, category: "shoppingcenter", display_point: { type: "Point", coordinates: at(60, 30) }, hours: null,
            name: { en: "Minato Arcadia", ja: "みなとアルカディア" }, phone: null, restriction: null, website: null,
        }),
        feature("footprint", "footprint", rectangle(0, 0, 120, 60), { building_ids: [id("building")], category: "ground", name: null }),
    ];
    const result = [];
    for (const ordinal of ordinals) {
        const { level, units, others } = floor(ordinal);
        const short = shortNames[ordinal] ?? `${ordinal + 1}F`;
        wide.push(feature(`level ${ordinal}`, "level", rectangle(0, 0, 120, 60), {
            address_id: null, building_ids: [id("building")], category: "unspecified", display_point: { type: "Point", coordinates: at(60, 30) },
            name: { en: ordinal < 0 ? `Basement ${-ordinal}` : `Floor ${ordinal + 1}`, ja: ordinal < 0 ? `地下${-ordinal}階` : `${ordinal + 1}階` },
            ordinal, outdoor: false, restriction: null, short_name: { en: short, ja: short },
        }));
        result.push(...[...units, ...others].map((each) => ({ level, feature: each })));
    }
    // Stairs connect each floor with the one above: such an amenity is on no level.
    for (const [index, ordinal] of ordinals.slice(0, -1).entries()) {
        wide.push(feature(`amenity stairs ${ordinal}`, "amenity", { type: "Point", coordinates: at(63.75, 48) }, {
            accessibility: null, address_id: null, alt_name: null, category: "stairs", correlation_id: null, hours: null, name: null, phone: null,
            unit_ids: [ordinal, ordinals[index + 1]].map((each) => id(`unit ${each} stairs`)), website: null,
        }));
    }
    return [...wide.map((each) => ({ level: null, feature: each })), ...result];
}

/** The id of a shop of a floor: `shop(1)` is that at the entrance of the upper floor. */
export const shop = (ordinal, number = 0) => id(`shop ${ordinal} ${number}`);
export const nameOfShop = (ordinal, number = 0) => {
    const [, english] = kinds[number % kinds.length];
    return `${english} ${number === 0 ? shopNames[ordinal] ?? ordinal : `${ordinal}${String(number).padStart(2, "0")}`}`;
};
