// Places: what users find on the map and in the list. Occupants, amenities, kiosks and named rooms of a replica.

import { amenityKind, canBeOccupied, categoryText, occupantGroup, unitGroup } from "./categories.js";
import { folded, labelText } from "./labels.js";
import { labelTexts } from "../client/map/labels.js";
import { placesOf as placesOfLevels } from "../client/map/places.js";
import { PlaceHours } from "./place-hours.js";
import { localization, localized } from "../localization/localization.js";

/** The priority of labels when they would overlap; 0 is the highest. */
const ranks = { shop: 0, amenity: 1, kiosk: 2, room: 3 };

export class Place {
    constructor({ kind, feature, level, point, unit }, replica) {
        const { properties } = feature;
        this.id = feature.id;
        this.kind = kind;
        this.feature = feature;
        this.level = level;
        this.point = point;
        /** The id of the unit or kiosk that is drawn as a part of this place. */
        this.unit = unit;
        this.category = typeof properties.category === "string" ? properties.category : null;
        this.amenity = kind === "amenity" ? amenityKind(this.category) : undefined;
        this.group = kind === "shop" || kind === "kiosk" ? occupantGroup(this.category) : unitGroup(this.category);
        this.language = replica.about.language;
        this.hours = properties.hours ? new PlaceHours(properties.hours, replica.about.timeZone) : null;
        this.rank = ranks[kind];
        this.folded = [...labelTexts(properties.name), ...labelTexts(properties.alt_name)].map(folded);
    }

    get name() {
        return labelText(this.feature.properties.name, this.language) ?? this.kindName;
    }

    /** Whether the feature has a name. */
    get isNamed() {
        return this.folded.length > 0;
    }

    /** The kind of the place as text, such as "Sushi". */
    get kindName() {
        for (const key of [`category.${this.category}`, this.amenity && `amenity.${this.amenity.kind}`]) {
            if (key && localized(key) !== key) return localized(key);
        }
        return localization.language === "ja" ? localized(`group.${this.group}`) : categoryText(this.category);
    }
}

/** The places of a floor, ordered by rank and name. Occupants whose validity does not include this moment are left out. */
export function placesOf(floor, replica) {
    return placesOfLevels(replica.reader, [...floor.ids], { canBeOccupied }).map((place) => new Place(place, replica))
        .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.id < b.id ? -1 : 1));
}

/** The places that match a search, best first: the name starts with the text, the name contains it, the kind contains it. */
export function search(places, text) {
    const query = folded(text);
    if (query === "") return places;
    const results = places.map((place) => ({ place, score: score(place, query) })).filter(({ score }) => score > 0);
    return results.sort((a, b) => b.score - a.score).map(({ place }) => place);
}

function score(place, query) {
    const best = Math.max(0, ...place.folded.map((name) => (name.startsWith(query) ? 3 : name.includes(query) ? 2 : 0)));
    return best || (folded(place.kindName).includes(query) || folded(place.category ?? "").includes(query) ? 1 : 0);
}
