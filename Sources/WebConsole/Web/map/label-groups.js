// Equal facilities beside each other, such as the lifts of a shaft: where their pictograms would overlap, one stands for all of them.

import { formatNumber, localized } from "../localization/localization.js";

/** How close pictograms are that would overlap, in pixels. */
const closeness = 24;
/** How far from the first of a group the others may be: one label in the middle of a long row would not say where the others are. */
const reach = 2 * closeness;

/**
 * The groups of candidates by candidate: `[first, …others]`, of which the first one is drawn. Only for facilities with equal neighbours. A
 * place that is selected, found, marked or a landmark is shown itself.
 */
export function groupsOf(candidates) {
    const kinds = new Map();
    for (const candidate of candidates) {
        const { place, isSelected, isFound, mark, isLandmark } = candidate;
        if (!place.isMarked || isSelected || isFound || mark || isLandmark) continue;
        const key = `${place.level}|${place.facility ?? place.category}|${candidate.isFaint}`;
        if (!kinds.has(key)) kinds.set(key, []);
        kinds.get(key).push(candidate);
    }
    const groups = new Map();
    for (const members of kinds.values()) {
        for (const group of clusters(members)) if (group.length > 1) for (const each of group) groups.set(each, group);
    }
    return groups;
}

/** Each cluster begins with the candidate that is nearest to its middle. */
function clusters(members) {
    const left = new PointGrid(members);
    const result = [];
    for (const first of members) {
        if (!left.delete(first)) continue;
        const cluster = [first];
        for (const one of cluster) {
            for (const other of left.near(one)) {
                if (distanceBetween(one, other) >= closeness || distanceBetween(first, other) >= reach) continue;
                left.delete(other);
                cluster.push(other);
            }
        }
        const [x, y] = ["x", "y"].map((axis) => cluster.reduce((sum, { point }) => sum + point[axis], 0) / cluster.length);
        const distance = ({ point }) => Math.hypot(point.x - x, point.y - y);
        result.push(cluster.sort((one, other) => distance(one) - distance(other)));
    }
    return result;
}

const distanceBetween = (one, other) => Math.hypot(one.point.x - other.point.x, one.point.y - other.point.y);

/** Candidates by the cell of a grid that their point is in. */
class PointGrid {
    #cells = new Map();

    constructor(candidates) {
        for (const candidate of candidates) {
            const key = this.#key(candidate);
            if (!this.#cells.has(key)) this.#cells.set(key, new Set());
            this.#cells.get(key).add(candidate);
        }
    }

    /** Whether a candidate was there. */
    delete(candidate) {
        return this.#cells.get(this.#key(candidate)).delete(candidate);
    }

    /** Those in the cell of a candidate and in the cells around it: all that are closer than a cell is wide. */
    *near(candidate) {
        for (const column of [-1, 0, 1]) {
            for (const row of [-1, 0, 1]) yield* this.#cells.get(this.#key(candidate, column, row)) ?? [];
        }
    }

    #key({ point: { x, y } }, column = 0, row = 0) {
        return (Math.floor(x / closeness) + column) * 65_536 + Math.floor(y / closeness) + row;
    }
}

/** The label of a group, such as “Lift (6)”. */
export function groupName(group) {
    const names = new Set(group.map(({ place }) => place.kindName));
    const { facility, kindName } = group[0].place;
    const name = names.size === 1 || !facility ? kindName : localized(`amenity.${facility}`);
    return localized("map.group", { name, count: formatNumber(group.length) });
}
