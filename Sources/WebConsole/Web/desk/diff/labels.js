// What is written on the map of a difference, before and after: the names and pictograms of places, as on the visitor's map.

import { amenityKind, canBeOccupied } from "../../map/categories.js";
import { isRepresented } from "../../map/facilities.js";
import { coloursOf, placeGroup } from "../../map/place-groups.js";
import { labelArea } from "../../map/label-fit.js";
import { labelText } from "../../map/labels.js";
import { pictogramName } from "../../map/pictograms.js";

/** The types with labels, in the order of their importance. */
const types = ["occupant", "amenity", "kiosk", "unit"];
/** Longer names are cut: archives are untrusted, and the list has the whole names. */
const longestText = 40;

/**
 * The labels of a scene, the most important first: `{id, text, at, area, group, facility, pictogram, side, rank, isChanged}`. `text` is null
 * for facilities, which have only a pictogram. `area` is what the label must fit into, as of `labelArea`, or null. `side` is `before` or
 * `after`, or `both` if the label is the same in both states; `isReplaced` says that a label `before` has one `after`.
 */
export function labelsOf({ items, unchanged, locate }) {
    const changed = new Set(items.map(({ id }) => id));
    const areas = new Map();
    const areaOf = (feature) => {
        if (!areas.has(feature)) areas.set(feature, labelArea(feature));
        return areas.get(feature);
    };
    const [before, after] = ["before", "after"].map((side) =>
        labelsOfSide([...items.map((item) => item[side]).filter(Boolean), ...unchanged], side, locate, areaOf));
    const labels = [];
    for (const [id, old] of before) {
        const isSame = after.has(id) && isEqual(old, after.get(id));
        labels.push({ id, ...old, side: isSame ? "both" : "before", isChanged: changed.has(id), isReplaced: after.has(id) && !isSame });
        if (isSame) after.delete(id);
    }
    for (const [id, now] of after) labels.push({ id, ...now, side: "after", isChanged: changed.has(id) });
    return labels.sort((one, other) => Number(other.isChanged) - Number(one.isChanged) || one.rank - other.rank || (one.id < other.id ? -1 : 1));
}

const isEqual = (one, other) => one.text === other.text && one.pictogram === other.pictogram && one.group === other.group
    && one.at[0] === other.at[0] && one.at[1] === other.at[1]
    && (one.area === other.area || JSON.stringify(one.area?.rings) === JSON.stringify(other.area?.rings));

/** The labels of a state by id. A unit or a kiosk with an occupant has no label of its own. */
function labelsOfSide(features, side, locate, areaOf) {
    const byId = new Map(features.map((feature) => [feature.id, feature]));
    const ofType = (type) => features.filter((feature) => feature.feature_type === type);
    const kiosks = new Map(ofType("kiosk").map((kiosk) => [kiosk.properties?.anchor_id, kiosk]));
    const occupied = new Map(ofType("occupant").map((occupant) => {
        const anchor = byId.get(occupant.properties?.anchor_id);
        const unit = byId.get(anchor?.properties?.unit_id);
        return [occupant.id, kiosks.get(anchor?.id) ?? (unit && canBeOccupied(categoryOf(unit)) ? unit : null)];
    }));
    const hidden = new Set([...occupied.values()].map((feature) => feature?.id));
    const facilities = ofType("amenity").flatMap((amenity) => {
        const [facility, point] = [amenityKind(categoryOf(amenity))?.kind, locate(amenity, side)];
        return facility && point ? [amenity.properties.unit_ids, null].flat().map((unit) => ({ facility, unit, point })) : [];
    });
    const labels = new Map();
    for (const feature of features) {
        const { feature_type: type, id } = feature;
        const rank = types.indexOf(type);
        if (rank < 0 || hidden.has(id)) continue;
        const category = categoryOf(feature);
        const name = shortened(labelText(feature.properties?.name));
        const facility = type === "amenity" || (type === "unit" && !name) ? amenityKind(category)?.kind ?? null : null;
        if ((!name && !facility) || (type === "unit" && isRepresented(feature, facility, facilities))) continue;
        const at = locate(feature, side);
        if (!at) continue;
        const group = type === "occupant" || type === "kiosk" ? placeGroup(category) : coloursOf(category);
        const owner = type === "occupant" ? occupied.get(id) : type === "amenity" ? null : feature;
        labels.set(id, {
            type, text: facility ? null : name, at, area: owner && areaOf(owner), rank, group, facility,
            // A named room is not a kind of place, and has no pictogram.
            pictogram: type === "unit" && !facility ? null : pictogramName(category, facility, group),
        });
    }
    return labels;
}

const categoryOf = ({ properties }) => (typeof properties?.category === "string" ? properties.category : undefined);

function shortened(text) {
    const characters = [...(text ?? "").slice(0, 2 * longestText + 2)];
    return characters.length > longestText ? `${characters.slice(0, longestText - 1).join("")}…` : text;
}
