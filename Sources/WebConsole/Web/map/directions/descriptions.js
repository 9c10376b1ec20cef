// How features are called in sentences about ways, and where they are. Read from the features, because making the places of all floors takes
// longer.

import { categoryName } from "../../client/categories/category-name.js";
import { labelPointOf } from "../../client/map/label-point.js";
import { labelText } from "../labels.js";
import { PlaceHours } from "../place-hours.js";
import { localization, localized } from "../../localization/localization.js";

export class Descriptions {
    #live;
    #floors;

    constructor({ live, floors }) {
        this.#live = live;
        this.#floors = floors;
    }

    /** The name of a feature: its own, or that of the occupant of the unit, or its category; null if there is none. */
    nameOf(id) {
        const feature = this.#live.feature(id);
        if (!feature) return null;
        const name = this.#labelOf(feature) ?? this.#labelOf(this.#occupantsOf(feature)[0]);
        if (name) return name;
        return feature.type === "opening" ? localized("directions.door") : categoryName(feature.category, localization.language);
    }

    /** The same with the floor, such as “Lift (2F)”, or with the lowest and the highest one, such as “Lift (B1 – 2F)”. */
    nameOnFloor(id) {
        const name = this.nameOf(id);
        const floors = name ? this.#floorsOf(this.#live.feature(id)) : [];
        if (floors.length === 0) return name;
        const [first, last] = [floors[0].name, floors.at(-1).name];
        const floor = floors.length === 1 ? first : localized("directions.floors", { first, last });
        return localized("directions.placeOnFloor", { name, floor });
    }

    /** The opening hours of a feature, or of the only occupant of a unit that has none; null if there are none. */
    hoursOf(id) {
        const feature = this.#live.feature(id);
        const [occupant, ...others] = feature ? this.#occupantsOf(feature) : [];
        const hours = feature?.properties.hours ?? (others.length === 0 ? occupant?.properties.hours : null);
        return hours ? new PlaceHours(hours, this.#live.about.timeZone) : null;
    }

    /** The name of a level: a floor can have those of several buildings. Null if it has none. */
    levelName(id) {
        return this.#labelOf(this.#live.feature(id));
    }

    /** `{floor, point}` of a feature; null if it is not known. What is on several floors, such as a lift, is on the one that is shown if it can be. */
    placeOf(id) {
        const feature = this.#live.feature(id);
        if (!feature) return null;
        const floors = this.#floorsOf(feature);
        const floor = floors.find(({ ordinal }) => ordinal === this.#floors.current?.ordinal) ?? floors[0];
        const located = [feature, ...this.#stopsOf(feature).filter(({ level }) => floor?.ids.has(level))];
        const [point] = located.map((each) => labelPointOf(each, this.#referenced(each.properties.anchor_id))?.position).filter(Boolean);
        return point ? { floor, point } : null;
    }

    /** The floors that a feature is on, from the lowest one: that of its level, or those of its stops. */
    #floorsOf(feature) {
        const levels = feature.level ? [feature.level] : this.#stopsOf(feature).map(({ level }) => level);
        return this.#floors.all.filter(({ ids }) => levels.some((level) => ids.has(level))).toReversed();
    }

    /** The units or openings through which a feature without a level, such as a lift, leads from floor to floor. */
    #stopsOf({ type, properties }) {
        const ids = type === "relationship" ? [properties.origin, properties.intermediary, properties.destination].flat().map((each) => each?.id)
            : [properties.unit_ids].flat();
        return ids.map((id) => this.#referenced(id)).filter(Boolean);
    }

    #labelOf(feature) {
        return feature ? labelText(feature.properties.name, this.#live.about.language) ?? null : null;
    }

    #occupantsOf({ id, type, level }) {
        if (type !== "unit") return [];
        return this.#live.featuresOf(level).filter((each) => each.type === "occupant"
            && this.#referenced(each.properties.anchor_id)?.properties.unit_id === id);
    }

    #referenced(id) {
        return typeof id === "string" ? this.#live.feature(id.toLowerCase()) : null;
    }
}
