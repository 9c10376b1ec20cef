// How features are called in sentences about ways, and where they are.

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

    /** The name of a feature: that of its place, its own, or its category; null if there is none. */
    nameOf(id) {
        const place = this.#placeOf(id);
        if (place) return place.name;
        const feature = this.#live.feature(id);
        if (!feature) return null;
        const name = labelText(feature.properties.name, this.#live.about.language) ?? this.#nameOfAnchored(feature);
        if (name) return name;
        return feature.type === "opening" ? localized("directions.door") : categoryName(feature.category, localization.language);
    }

    /** The same with the floor, such as “Lift (2F)”. */
    nameOnFloor(id) {
        const name = this.nameOf(id);
        const floor = this.#floorOf(id)?.name;
        return name && floor ? localized("directions.placeOnFloor", { name, floor }) : name;
    }

    /** The name of a level: a floor can have those of several buildings. Null if it has none. */
    levelName(id) {
        return labelText(this.#live.feature(id)?.properties.name, this.#live.about.language) ?? null;
    }

    /** `{floor, point}` of a feature; null if it is not known. */
    placeOf(id) {
        const feature = this.#live.feature(id);
        const point = this.#placeOf(id)?.point ?? (feature && labelPointOf(feature)?.position);
        return point ? { floor: this.#floorOf(id), point } : null;
    }

    #floorOf(id) {
        const level = this.#placeOf(id)?.level ?? this.#live.feature(id)?.level;
        return level ? this.#floors.floorOf({ level }) : undefined;
    }

    #placeOf(id) {
        const places = this.#floors.placesEverywhere;
        return places.find((place) => place.id === id) ?? places.find(({ unit, kind }) => unit === id && kind === "shop")
            ?? places.find(({ unit }) => unit === id);
    }

    /** The name of what an anchor belongs to is not in the anchor. */
    #nameOfAnchored({ type, properties }) {
        const unit = type === "anchor" ? this.#live.feature(String(properties.unit_id).toLowerCase()) : null;
        return unit && labelText(unit.properties.name, this.#live.about.language);
    }
}
