// A map of the features of a replica, for drawing and queries.

import { areaOf, boundsOf, containsPosition, isDrawable, metresBetween, movedEast, shapeOf } from "./geometry.js";
import { labelPointOf } from "./label-point.js";
import { labelText } from "./labels.js";
import { SearchIndex, compared, rankOf } from "./search-index.js";
import { withBuildings } from "./search-terms.js";
import { TouchedLevels } from "./touched-levels.js";
import { isPresentAt } from "./validity.js";
import { OpeningHours } from "../hours/opening-hours.js";

/** The order in which types lie above each other; others are below. */
const drawingOrder = ["kiosk", "unit", "fixture", "section", "geofence", "level", "footprint", "venue"];

/**
 * A map of a venue, or of some of its levels. Broken features do not affect others: invalid geometries are not drawn, and dangling
 * references are ignored. A map does not change; after a change of the replica, make a new one, which takes time in proportion to the
 * number of features. What a query needs is computed at its first use.
 */
export class VenueMap {
    #features;
    #touches = new Map();
    #idsByLevel = new Map();
    #labelPoints = new Map();
    #hours = new Map();
    #index = null;
    #occupants = null;

    /** `features` are those of a replica, `about` is its language and time zone. */
    constructor(features, { language = null, timeZone = null } = {}) {
        this.language = language;
        this.timeZone = timeZone;
        this.#features = new Map([...features].map((feature) => [feature.id, feature]));
        const touched = new TouchedLevels(this.#features);
        for (const feature of [...this.#features.values()].sort((one, other) => compared(one.id, other.id))) {
            const touches = touched.of(feature);
            this.#touches.set(feature.id, touches);
            for (const level of [feature.level, ...touches]) {
                if (!this.#idsByLevel.has(level)) this.#idsByLevel.set(level, []);
                this.#idsByLevel.get(level).push(feature.id);
            }
        }
        this.floors = floorsOf(this.#ofType("level"), (level) => this.shortName(level), (level) => this.name(level));
    }

    /** A map of all held levels of a replica, or of these. The venue-wide part is always included. */
    static of(replica, levels) {
        const features = levels === undefined
            ? replica.features()
            : [...new Set([null, ...levels])].flatMap((level) => replica.features({ level }));
        return new VenueMap(features, replica.state.about);
    }

    feature(id) {
        return this.#features.get(id);
    }

    /** The features of a type that are on a level or touch it, such as a lift, by id. Null: those that belong to no level. */
    features(type, level) {
        return (this.#idsByLevel.get(level) ?? []).map((id) => this.#features.get(id)).filter((feature) => feature.type === type);
    }

    /**
     * What a map of a level shows: the level itself, and the features of all types that are on it or touch it, such as lifts and openings
     * between floors; by type in the order of IMDF, then by id.
     */
    featuresOn(level) {
        const own = this.#features.get(level);
        return [...(own ? [own] : []), ...this.types(level).flatMap((type) => this.features(type, level))];
    }

    /** The types of the features of a level, in the order of IMDF, followed by others by name. */
    types(level) {
        const types = new Set((this.#idsByLevel.get(level) ?? []).map((id) => this.#features.get(id).type));
        return [...types].sort((one, other) => rankOf(one) - rankOf(other) || compared(one, other));
    }

    /** A feature's name in the first of these languages that it has, or else in the archive's; null for none. */
    name(id, languages = []) {
        return labelText(this.#features.get(id)?.properties.name, [...languages, this.language, "en"]) ?? null;
    }

    /** The text of a level in a floor picker: its short name, or else its name, or else its ordinal. */
    shortName(level, languages = []) {
        const feature = this.#features.get(level);
        if (!feature) return null;
        const { short_name: shortName, name } = feature.properties;
        const texts = [shortName, name].map((label) => labelText(label, [...languages, this.language, "en"]));
        return texts[0] ?? texts[1] ?? (feature.ordinal === null ? null : String(feature.ordinal));
    }

    /**
     * The bounding box `[west, south, east, north]` of a level and of the features that are on it or touch it; null for none. The east of a
     * box that crosses the antimeridian is more than 180°.
     */
    box(level) {
        const all = [level, ...(this.#idsByLevel.get(level) ?? [])].map((id) => this.#features.get(id)?.geometry)
            .filter(isDrawable).map(({ coordinates }) => coordinates);
        const bounds = boundsOf(all);
        if (!bounds || bounds[2] - bounds[0] <= 180) return bounds;
        const moved = boundsOf(movedEast(all));
        // A box around the world has no width there.
        return moved[2] > moved[0] && moved[2] - moved[0] < 180 ? moved : bounds;
    }

    /** `{position, rule}` of a feature's label; null for features without a position, such as addresses. */
    labelPoint(id) {
        const feature = this.#features.get(id);
        if (!feature) return null;
        if (!this.#labelPoints.has(id)) this.#labelPoints.set(id, labelPointOf(feature, this.#target("anchor_id", feature, "anchor")));
        return this.#labelPoints.get(id);
    }

    /**
     * A FeatureCollection of the features of a type on a level, by id. Each has an object as properties, and a geometry that is null if
     * it cannot be drawn. `idProperty` repeats the id as a property, for MapLibre's `promoteId`; `needsGeometry` leaves out features
     * without one.
     */
    collection(type, level, { idProperty = null, needsGeometry = false } = {}) {
        const features = this.features(type, level).map((feature) => ({
            ...feature.geojson, type: "Feature",
            geometry: isDrawable(feature.geometry) ? feature.geometry : null,
            properties: idProperty === null ? feature.properties : { ...feature.properties, [idProperty]: feature.id },
        }));
        return { type: "FeatureCollection", features: needsGeometry ? features.filter(({ geometry }) => geometry) : features };
    }

    /**
     * The features at a position on a level, topmost first: amenities within `reach` metres, then what contains the position: kiosks, the
     * occupants of units, these units, fixtures, sections, geofences, levels, footprints, venues and unknown types; smaller areas first.
     */
    featuresAt(position, level, { reach = 0 } = {}) {
        const ids = new Set([level, ...(this.#idsByLevel.get(level) ?? []), ...(this.#idsByLevel.get(null) ?? [])]);
        const candidates = [...ids].map((id) => this.#features.get(id)).filter((each) => each && (each.type !== "level" || each.id === level));
        const rank = (type) => (drawingOrder.includes(type) ? drawingOrder.indexOf(type) : drawingOrder.length);
        const covering = candidates.map((feature) => ({ feature, polygons: shapeOf(feature.geometry).polygons }))
            .filter(({ polygons }) => containsPosition(polygons, position))
            .map(({ feature, polygons }) => ({ feature, area: areaOf(polygons) }))
            .sort(({ feature: left, area: one }, { feature: right, area: other }) =>
                rank(left.type) - rank(right.type) || compared(left.type, right.type) || one - other || compared(left.id, right.id));
        const pins = candidates.filter(({ type }) => type === "amenity")
            .map((feature) => ({ feature, point: this.labelPoint(feature.id) })).filter(({ point }) => point)
            .map(({ feature, point }) => ({ feature, distance: metresBetween(point.position, position) }))
            .filter(({ distance }) => distance <= reach)
            .sort((one, other) => one.distance - other.distance || compared(one.feature.id, other.feature.id));
        return [...pins.map(({ feature }) => feature), ...covering.flatMap(({ feature }) => [...this.occupants(feature.id), feature])];
    }

    /** The occupants of a unit, by id. */
    occupants(unit) {
        this.#occupants ??= this.#occupantsByUnit();
        return this.#occupants.get(unit) ?? [];
    }

    /**
     * Searches features by their names in all languages and by their categories; an empty text finds all of these. See `SearchIndex`.
     * `types` and `level` (with the features that touch it) restrict the search, `instant` to features that are present by their
     * `validity`. `isRelated` also finds names without the spaces, names of categories, synonyms and, if there is nothing else, texts together
     * with the names of their floor and building, then texts with one spelling mistake. A result is `{id, type, level, ordinal, point, text, match}`.
     */
    search(text, { types, level, instant, limit = 50, isRelated = false } = {}) {
        this.#index ??= new SearchIndex(this.#features.values(), { around: (feature) => this.#around(feature) });
        const wanted = types && new Set(types);
        const isWanted = (feature) => (!wanted || wanted.has(feature.type)) && (level === undefined || this.#isPlaced(feature, level))
            && (!instant || this.isPresent(feature.id, instant));
        return this.#index.search(text, { isWanted, limit, isRelated }).map(({ feature, text: found, match }) => ({
            id: feature.id, type: feature.type, level: feature.level, ordinal: this.#ordinalOf(feature),
            point: this.labelPoint(feature.id), text: found, match,
        }));
    }

    /** The levels of a feature with their buildings. */
    #around(feature) {
        const ids = feature.type === "level" ? [feature.id] : [feature.level, ...this.#touches.get(feature.id)];
        return withBuildings(ids.map((id) => this.#features.get(id)).filter((each) => each !== undefined), (id) => this.#features.get(id));
    }

    /**
     * The nearest features of a category: those on the same level first, then by number of floors, then by distance in metres, then by
     * id. The category `restroom` includes `restroom.female` and its other subcategories. A result is `{id, type, level, ordinal, point,
     * distance, floors}`, floors up, negative for down.
     *
     * Archives describe the same facility as an amenity, a unit or an occupant, so all of them count. A unit is left out if an amenity or
     * occupant of the category is in it, because that is the same facility with a better position: one that refers to the unit, or whose
     * label point is inside the unit, on the same level.
     */
    nearest(count, category, position, level, { types = ["amenity", "unit", "occupant"] } = {}) {
        const start = this.#features.get(level)?.ordinal ?? null;
        const found = this.#facilities(category, types).map((feature) => this.#neighbour(feature, position, level, start))
            .filter((neighbour) => neighbour !== null);
        const far = ({ floors }) => (floors === null ? Infinity : Math.abs(floors));
        const isElsewhere = (neighbour) => Number(neighbour.level !== level);
        found.sort((one, other) => isElsewhere(one) - isElsewhere(other) || compared(far(one), far(other))
            || one.distance - other.distance || compared(one.id, other.id));
        return found.slice(0, Math.max(0, count));
    }

    /** A feature's opening hours, read leniently if they are not in the strict syntax; null if it has none or they are not certain. */
    hours(id) {
        if (!this.#hours.has(id)) this.#hours.set(id, OpeningHours.parseLeniently(this.#features.get(id)?.properties.hours));
        return this.#hours.get(id);
    }

    /**
     * The opening state of a feature at an instant, in the time zone of the venue: `{state, comment, nextChange, isLenient}`. Unknown if
     * the feature has no hours, its hours cannot be read with certainty, or the venue has no time zone. `isLenient` is whether the hours
     * are not in the strict syntax, but were understood nevertheless.
     */
    openness(id, instant, holidays) {
        const hours = this.hours(id);
        if (!hours) return { state: "unknown", comment: null, nextChange: null, isLenient: false };
        const nextChange = hours.nextChange(instant, this.timeZone, { holidays });
        return { ...hours.status(instant, this.timeZone, holidays), nextChange, isLenient: hours.isLenient };
    }

    /** Whether an instant is within a feature's `validity`: from `start` up to, but not including, `end`. */
    isPresent(id, instant) {
        const feature = this.#features.get(id);
        return feature === undefined || isPresentAt(feature, instant);
    }

    #ofType(type) {
        return [...this.#features.values()].filter((feature) => feature.type === type).sort((one, other) => compared(one.id, other.id));
    }

    #isPlaced(feature, level) {
        return feature.level === level || this.#touches.get(feature.id).includes(level);
    }

    /** The target of a reference, if it is held and of that type. */
    #target(member, feature, type) {
        const id = feature.properties[member];
        const target = typeof id === "string" ? this.#features.get(id.toLowerCase()) : undefined;
        return target?.type === type ? target : undefined;
    }

    /** The features of a category, without units that contain another of them. */
    #facilities(category, types) {
        const found = [...this.#features.values()].filter((feature) => types.includes(feature.type) && isOf(feature, category));
        const others = found.filter(({ type, id }) => type !== "unit" && this.labelPoint(id)).map((feature) => (
            { feature, position: this.labelPoint(feature.id).position, units: this.#unitsOf(feature) }));
        return found.filter((unit) => {
            if (unit.type !== "unit") return true;
            const levels = [unit.level, ...this.#touches.get(unit.id)].filter((level) => level !== null);
            const { polygons } = shapeOf(unit.geometry);
            return !others.some(({ feature, position, units }) => levels.some((level) => this.#isPlaced(feature, level))
                && (units.includes(unit.id) || containsPosition(polygons, position)));
        });
    }

    /** The ids of the units that an amenity refers to, or of the unit of an occupant's anchor. */
    #unitsOf(feature) {
        if (feature.type === "occupant") {
            const anchor = this.#target("anchor_id", feature, "anchor");
            return [anchor && this.#target("unit_id", anchor, "unit")?.id];
        }
        const ids = feature.properties.unit_ids;
        return Array.isArray(ids) ? ids.map((id) => String(id).toLowerCase()) : [];
    }

    #occupantsByUnit() {
        const occupants = new Map();
        for (const occupant of this.#ofType("occupant")) {
            const anchor = this.#target("anchor_id", occupant, "anchor");
            const unit = anchor && this.#target("unit_id", anchor, "unit");
            if (unit) occupants.set(unit.id, [...(occupants.get(unit.id) ?? []), occupant]);
        }
        return occupants;
    }

    /** The ordinal of a feature's level; if it touches several, the lowest. */
    #ordinalOf(feature) {
        if (feature.level !== null) return this.#features.get(feature.level)?.ordinal ?? null;
        const ordinals = this.#touches.get(feature.id).map((level) => this.#features.get(level)?.ordinal ?? null);
        return ordinals.filter((ordinal) => ordinal !== null).sort((one, other) => one - other)[0] ?? null;
    }

    #neighbour(feature, position, level, start) {
        const point = this.labelPoint(feature.id);
        if (!point) return null;
        const floorsTo = (other) => {
            const ordinal = this.#features.get(other)?.ordinal ?? null;
            return ordinal === null || start === null ? null : ordinal - start;
        };
        const near = (other) => Math.abs(floorsTo(other) ?? Infinity);
        const own = this.#isPlaced(feature, level)
            ? level
            : feature.level ?? [...this.#touches.get(feature.id)].sort((one, other) => compared(near(one), near(other)))[0] ?? null;
        return {
            id: feature.id, type: feature.type, level: own, ordinal: this.#features.get(own)?.ordinal ?? null, point,
            distance: metresBetween(point.position, position), floors: own === level ? 0 : floorsTo(own),
        };
    }
}

function isOf(feature, category) {
    return feature.category === category || (feature.category?.startsWith(`${category}.`) ?? false);
}

/** `[{ordinal, levels: [{level, ordinal, name, shortName}]}]`: the levels of all buildings by ordinal, highest first. */
function floorsOf(levels, shortName, name) {
    const floors = new Map();
    for (const level of levels) floors.set(level.ordinal, [...(floors.get(level.ordinal) ?? []), level]);
    const rank = (ordinal) => ordinal ?? -Infinity;
    return [...floors].sort(([one], [other]) => compared(rank(other), rank(one))).map(([ordinal, own]) => (
        { ordinal, levels: own.map(({ id }) => ({ level: id, ordinal, name: name(id), shortName: shortName(id) })) }));
}
