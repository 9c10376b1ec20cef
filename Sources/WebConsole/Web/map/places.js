// What people look for on a map: shops, amenities, rooms with a name. Made from what the replica holds.

import { amenityKind, canBeOccupied, categoryText, occupantGroup, unitGroup } from "./categories.js";
import { folded, labelText, labelTexts } from "./labels.js";
import { OpeningHours } from "../hours/opening-hours.js";
import { pointOf } from "./geometry.js";
import { word } from "../words/words.js";

/** How much a label matters where there is no room for all. */
const ranks = { shop: 0, amenity: 1, kiosk: 2, room: 3 };

export class Place {
    constructor(kind, feature, { level, point, unit, replica }) {
        const { properties } = feature;
        this.id = feature.id;
        this.kind = kind;
        this.feature = feature;
        this.level = level;
        this.point = point;
        /** The unit that is shown as this place's own. */
        this.unit = unit ?? null;
        this.category = typeof properties.category === "string" ? properties.category : null;
        this.amenity = kind === "amenity" ? amenityKind(this.category) : undefined;
        this.group = kind === "shop" || kind === "kiosk" ? occupantGroup(this.category) : unitGroup(this.category);
        this.language = replica.about.language;
        this.hours = properties.hours ? new OpeningHours(properties.hours, replica.about.time_zone) : null;
        this.rank = ranks[kind];
        this.folded = [...labelTexts(properties.name), ...labelTexts(properties.alt_name)].map(folded);
    }

    get name() {
        return labelText(this.feature.properties.name, this.language) ?? this.kindName;
    }

    /** Whether it has a name of its own. */
    get isNamed() {
        return this.folded.length > 0;
    }

    /** What it is, in words. */
    get kindName() {
        for (const name of [`category.${this.category}`, this.amenity && `amenity.${this.amenity.kind}`]) {
            if (name && word(name) !== name) return word(name);
        }
        return word("language") === "ja" ? word(`group.${this.group}`) : categoryText(this.category);
    }
}

/** All places of a floor, in the order of their rank and name. `now` decides which tenants are there yet, or still. */
export function placesOf(floor, replica, now = Date.now()) {
    const places = [];
    const occupied = new Set();
    const features = floor.levels.flatMap(({ id }) => replica.featuresOf(id).map((feature) => [id, feature]));
    // Who stands on the promenade, at a kiosk for instance, does not occupy it.
    const kiosks = new Map(features.filter(([, each]) => each.feature_type === "kiosk").map(([, each]) => [each.properties.anchor_id, each]));
    for (const [level, feature] of features) {
        if (feature.feature_type !== "occupant" || !isThere(feature, now)) continue;
        const anchor = replica.feature(feature.properties.anchor_id);
        const point = anchor ? pointOf(anchor) : null;
        if (!point) continue;
        const unit = replica.feature(anchor.properties.unit_id);
        const home = kiosks.get(anchor.id) ?? (unit && canBeOccupied(unit.properties.category) ? unit : null);
        if (home) occupied.add(home.id);
        places.push(new Place("shop", feature, { level, point, unit: home?.id, replica }));
    }
    for (const [level, feature] of features) {
        const kind = { amenity: "amenity", unit: "room", kiosk: "kiosk" }[feature.feature_type];
        if (!kind || occupied.has(feature.id)) continue;
        if (kind !== "amenity" && !labelText(feature.properties.name)) continue;
        const point = pointOf(feature);
        if (!point) continue;
        const unit = kind === "room" ? feature.id : kind === "amenity" ? feature.properties.unit_ids?.[0] : undefined;
        places.push(new Place(kind, feature, { level, point, unit, replica }));
    }
    return places.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.id < b.id ? -1 : 1));
}

/** Places that a search finds, the best first: names that begin so, names that hold it, kinds that hold it. */
export function search(places, text) {
    const wanted = folded(text);
    if (wanted === "") return places;
    const found = places.map((place) => ({ place, score: score(place, wanted) })).filter(({ score }) => score > 0);
    return found.sort((a, b) => b.score - a.score).map(({ place }) => place);
}

function score(place, wanted) {
    const best = Math.max(0, ...place.folded.map((name) => (name.startsWith(wanted) ? 3 : name.includes(wanted) ? 2 : 0)));
    return best || (folded(place.kindName).includes(wanted) || folded(place.category ?? "").includes(wanted) ? 1 : 0);
}

/** Whether an occupant's validity holds: tenants come and go on days that are known before. */
function isThere(occupant, now) {
    const { start, end } = occupant.properties.validity ?? {};
    return !(start && Date.parse(start) > now) && !(end && Date.parse(end) < now);
}
