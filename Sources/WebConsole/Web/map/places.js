// Places: what users find on the map and in the list. Occupants, amenities, kiosks, named rooms, and units that are facilities.

import { amenityKind, canBeOccupied, iconOf, isUnitMarked, isUnitNamed, unitGroup } from "./categories.js";
import { cartography } from "./cartography.js";
import { facilitiesAmong, facilitiesOf, facilityOf, isRepresented } from "./facilities.js";
import { labelText } from "./labels.js";
import { categoryName } from "../client/categories/category-name.js";
import { labelTexts } from "../client/map/labels.js";
import { placesOf as placesOfLevels } from "../client/map/places.js";
import { placeGroup } from "./place-groups.js";
import { pictogramName } from "./pictograms.js";
import { PlaceHours } from "./place-hours.js";
import { localization, localized } from "../localization/localization.js";

/** The classes of labels of the cartography by kind of place. */
const labelClasses = { shop: "occupant", amenity: "icon", kiosk: "kiosk", room: "unit" };

export class Place {
    #timeZone;
    /** Read when they are needed for the first time; undefined before. */
    #hours;

    constructor({ kind, feature, level, point, unit }, replica) {
        const { properties } = feature;
        this.id = feature.id;
        this.kind = kind;
        this.feature = feature;
        this.level = level;
        this.point = point;
        /** The id of the unit or kiosk that is drawn as a part of this place. */
        this.unit = unit;
        /** The id of the unit that a shop without one of its own stands in, such as a walkway. */
        this.surroundings = kind === "shop" && !unit ? surroundingsOf(properties.anchor_id, replica) : null;
        this.category = typeof properties.category === "string" ? properties.category : null;
        /** What an occupant without a category is in: a classroom is no shop. */
        this.unitCategory = kind === "shop" && unit && this.category === null ? replica.feature(unit)?.properties.category : null;
        /** The kind of facility that filters find, whatever feature type the archive uses for it. */
        this.facility = amenityKind(this.category)?.kind ?? null;
        this.group = kind === "shop" || kind === "kiosk" ? placeGroup(this.category) : unitGroup(this.category);
        this.pictogram = pictogramName(this.category, this.facility, this.group);
        this.language = replica.about.language;
        this.#timeZone = replica.about.timeZone;
        /** Whether the feature has a name. */
        this.isNamed = [properties.name, properties.alt_name].some((label) => labelTexts(label).length > 0);
        /** Whether the map shows the pictogram instead of the name: for facilities, as on tiles. */
        this.isMarked = feature.type === "unit" ? isUnitMarked(this.category)
            : kind === "amenity" && (this.facility !== null || (!this.isNamed && iconOf(this.category) !== undefined));
        /** Whether the place is a room that is not for visitors. */
        this.isBackOfHouse = kind === "room" && this.group === "private";
        // What nobody searches for, such as a seat, gives way to what has a filter.
        const labelClass = this.isBackOfHouse ? "nonpublic" : !this.isMarked ? labelClasses[kind] : this.facility ? "icon" : "kiosk";
        const { priority, groups = {} } = cartography.labels[labelClass];
        this.rank = priority;
        /** The rank among labels: visitors come for wares, food and services, also in rooms that no occupant is in. */
        this.labelRank = this.isMarked ? priority : groups[this.group] ?? priority;
    }

    /** The opening hours; null for none. A floor has many of them, and most are never shown. */
    get hours() {
        const { hours } = this.feature.properties;
        this.#hours ??= hours ? new PlaceHours(hours, this.#timeZone) : null;
        return this.#hours;
    }

    /** The kind of the room of an occupant without a category, unless it says nothing about the occupant. */
    get #unitName() {
        const isTelling = !["room", "unspecified", "nonpublic"].includes(this.unitCategory);
        return isTelling ? categoryName(this.unitCategory, localization.language) : null;
    }

    get name() {
        return labelText(this.feature.properties.name, this.language) ?? this.kindName;
    }

    /** The kind of the place as text, such as "Sushi". */
    get kindName() {
        return categoryName(this.category, localization.language) ?? this.#unitName
            ?? localized(this.facility ? `amenity.${this.facility}` : this.group === "other" ? "places.one" : `group.${this.group}.one`);
    }
}

function surroundingsOf(anchor, replica) {
    const unit = typeof anchor === "string" ? replica.feature(anchor)?.properties.unit_id : null;
    return typeof unit === "string" ? unit : null;
}

/** The places of a floor, ordered by rank and name. Occupants whose validity does not include this moment are left out, and so are walls. */
export function placesOf(floor, replica) {
    const all = placesOfLevels(replica.reader, [...floor.ids], { canBeOccupied })
        .filter(({ feature }) => feature.type !== "unit" || isUnitNamed(feature.properties.category));
    const amenities = facilitiesAmong(all.filter(({ feature }) => feature.type === "amenity"));
    // A named unit, such as a restroom, may also be an amenity.
    const places = all.filter(({ feature }) => feature.type !== "unit" || !isRepresented(feature, facilityOf(feature.category), amenities));
    return [...places, ...facilitiesOf(floor, replica.reader, places)].map((place) => new Place(place, replica))
        .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.id < b.id ? -1 : 1));
}
