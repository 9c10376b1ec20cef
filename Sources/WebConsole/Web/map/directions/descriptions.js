// How features are called in sentences about ways, and where they are. Read from the features, because making the places of all floors takes
// longer.

import { categoryName } from "../../client/categories/category-name.js";
import { labelPointOf } from "../../client/map/label-point.js";
import { labelText } from "../labels.js";
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
        const name = this.#labelOf(feature) ?? this.#labelOf(this.#occupantOf(feature));
        if (name) return name;
        return feature.type === "opening" ? localized("directions.door") : categoryName(feature.category, localization.language);
    }

    /** The same with the floor, such as “Lift (2F)”. */
    nameOnFloor(id) {
        const name = this.nameOf(id);
        const floor = name && this.#floors.floorOf({ level: this.#live.feature(id).level })?.name;
        return name && floor ? localized("directions.placeOnFloor", { name, floor }) : name;
    }

    /** The name of a level: a floor can have those of several buildings. Null if it has none. */
    levelName(id) {
        return this.#labelOf(this.#live.feature(id));
    }

    /** `{floor, point}` of a feature; null if it is not known. */
    placeOf(id) {
        const feature = this.#live.feature(id);
        const point = feature && labelPointOf(feature, this.#referenced(feature.properties.anchor_id))?.position;
        return point ? { floor: this.#floors.floorOf({ level: feature.level }), point } : null;
    }

    #labelOf(feature) {
        return feature ? labelText(feature.properties.name, this.#live.about.language) ?? null : null;
    }

    #occupantOf({ id, type, level }) {
        if (type !== "unit") return null;
        return this.#live.featuresOf(level).find((each) => each.type === "occupant"
            && this.#referenced(each.properties.anchor_id)?.properties.unit_id === id);
    }

    #referenced(id) {
        return typeof id === "string" ? this.#live.feature(id.toLowerCase()) : null;
    }
}
