// Chooses what is drawn for each place: its name if that fits into its area, as large as the area permits and along it, else its
// pictogram, else a dot. If labels would overlap, the more important ones are drawn; labels that are already visible are preferred.

import { markHeight } from "./label-images.js";
import { LabelBoxes, boxAround } from "./label-boxes.js";
import { spaceIn } from "./label-fit.js";

/** The smallest area in which a pictogram is drawn, in CSS pixels. */
const pictogramSpace = 20;
/** The largest sizes of names by kind; at a point, where nothing limits them, of all. */
const largestSizes = { shop: 15, kiosk: 12, room: 11, amenity: 11, atPoint: 12 };
/** From this size on, a name has its pictogram above it where there is space. */
const markedSize = 11;
/** How much larger a name must be along its area to be turned, and from which size on it is not turned: horizontal ones are easier to read. */
const [turningGain, readableSize] = [1.25, 11];
/** How far from vertical a name may lean, in radians, that is read from below. */
const nearlyVertical = 0.15;
/** How many metres may be on 100 pixels at most where rooms that are not for visitors have a name: about zoom 20, as on tiles. */
const backOfHouseMetres = 12;
/** By how much a large area is more important than a small one of the same kind: less than one rank. */
const sizeWeight = 0.45;

/**
 * `{boxes, dots}`: boxes are `{place, image, x, y, angle, left, top, right, bottom, isFaint}`, where `x` and `y` are the middle and `angle`
 * is how much the image is turned; dots `{place, x, y, isFaint}`.
 *
 * `areas` are the label areas of places by id; `hidden` are the ids of places that are drawn only while they are selected or found;
 * `results` is the set of ids that a search has found, or null; `visible` are the ids of the places whose labels are visible now. `metres`
 * is how many metres a pixel is.
 */
export function layOut({ places, areas, hidden, selected, results, visible, images, colours, project, width, height, metres = 0 }) {
    const candidates = [];
    const tenants = new Map();
    for (const { kind, unit } of places) if (kind === "shop" && unit) tenants.set(unit, (tenants.get(unit) ?? 0) + 1);
    const largest = Math.max(...[...areas.values()].map(({ size }) => size ?? 0), 1e-9);
    for (const place of places) {
        const isSelected = place.id === selected;
        const isFound = results?.has(place.id) ?? false;
        if (hidden.has(place.id) && !isSelected && !isFound) continue;
        if (place.kind === "amenity" && !place.isMarked && !place.isNamed && !isSelected && !isFound) continue;
        if (place.isBackOfHouse && 100 * metres > backOfHouseMetres && !isSelected && !isFound) continue;
        const area = areas.get(place.id);
        // What shares a room, or is in a walkway, is labelled where it is, and not in the middle: a facility, or a shop without a room.
        const isAtPoint = !area || place.isMarked || place.kind === "amenity" || !place.unit || tenants.get(place.unit) > 1;
        const point = project(isAtPoint ? place.point : area.center);
        if (point.x < -60 || point.y < -30 || point.x > width + 60 || point.y > height + 30) continue;
        const isFaint = results !== null && !isFound && !isSelected;
        const priority = isSelected ? -2
            : place.labelRank + (isFaint ? 10 : 0) - (visible.has(place.id) ? 0.5 : 0) - (isAtPoint ? 0 : (sizeWeight * (area.size ?? 0)) / largest);
        candidates.push({ place, point, area, isAtPoint, priority, isSelected, isFaint, isFound });
    }
    candidates.sort((a, b) => a.priority - b.priority);
    const taken = new LabelBoxes();
    const boxes = [];
    let dots = [];
    for (const candidate of candidates) {
        const { place, point, isSelected, isFaint, isFound } = candidate;
        const box = firstBox(candidate, imagesOf(candidate, images, colours, project), (each) => isSelected || taken.isFree(each));
        if (box) {
            taken.add(box);
            boxes.push(box);
        } else if (place.kind === "shop" || isFound) {
            dots.push({ place, ...point, isFaint });
        }
    }
    // A dot that touches a label would look like a part of it.
    dots = dots.filter(({ x, y }) => taken.isFree(boxAround({ x, y }, 10, 10)));
    return { boxes, dots };
}

/** The images that may be drawn for a place, the best first, each with its angle. They are made one by one, because most often the first one is drawn. */
function* imagesOf(candidate, images, colours, project) {
    const { place, point, area, isSelected, isFound } = candidate;
    if (place.isMarked) return yield [images.pictogram(place, colours, isSelected)];
    const spaces = spacesOf(candidate, project);
    const hasSpace = isSelected || spaces.some(({ space }) => space(pictogramSpace - 6, pictogramSpace - 6) >= 1);
    // No name is smaller than a pictogram.
    for (const { texts, size, angle, isMarked } of hasSpace ? namesOf(candidate, spaces, images) : []) {
        yield [images.text(place, texts, size, colours, { isSelected, isMarked, isInKiosk: area?.isKiosk }), angle];
    }
    if (isSelected) {
        // The name of the selected place is always shown, also where no area has space for it.
        const texts = [1, 2, 3].map((count) => images.lines(place, count, { isInArea: false, isSelected })).find((each) => each);
        yield [images.text(place, texts, 14 * images.enlargement, colours, { isSelected })];
    } else if (area && (isFound || (place.kind !== "room" && hasSpace))) yield [images.pictogram(place, colours, false)];
}

/** `{space, angle}`: the space for horizontal boxes, and for boxes along the area, see `spaceIn`. */
function spacesOf({ point, area, isAtPoint }, project) {
    if (!area) return [{ space: () => Infinity, angle: 0 }];
    const horizontal = { space: spaceIn(area.rings, point, project), angle: 0 };
    if (isAtPoint || !area.along) return [horizontal];
    const along = project(area.along);
    let angle = Math.atan2(along.y - point.y, along.x - point.x);
    // Never upside down; what is nearly vertical is read from below, in all rooms.
    while (angle > Math.PI / 2 - nearlyVertical) angle -= Math.PI;
    while (angle <= -Math.PI / 2 - nearlyVertical) angle += Math.PI;
    return Math.abs(angle) < 0.05 ? [horizontal] : [horizontal, { space: horizontal.space.turned(angle), angle }];
}

/** The ways to write a name that fit: `{texts, size, angle, isMarked}`, the largest first, that of fewer lines before others. */
function namesOf({ place, area, isAtPoint, isSelected }, spaces, images) {
    const factor = images.enlargement;
    const most = isSelected ? 14 : isAtPoint ? largestSizes.atPoint : place.isBackOfHouse ? 10 : largestSizes[place.kind];
    const sizes = isSelected ? [14 * factor] : images.sizes.filter((size) => size <= most * factor);
    const largestIn = (space, width, height) => {
        // The smallest name may touch the walls; a larger one keeps a distance.
        const limit = space(width + 0.6, height + 0.6);
        return sizes.findLast((size) => size <= limit) ?? (space(width * sizes[0] + 2, height * sizes[0] + 2) >= 1 ? sizes[0] : 0);
    };
    const names = [];
    for (const count of area ? [1, 2, 3] : isSelected ? [1] : [1, 2]) {
        const texts = images.lines(place, count, { isInArea: Boolean(area) && !isAtPoint, isSelected });
        if (!texts) continue;
        const sized = ({ space, angle }) => ({ space, angle, size: largestIn(space, texts.width, texts.height) });
        const level = sized(spaces[0]);
        const turned = spaces[1] && level.size < readableSize * factor ? sized(spaces[1]) : null;
        const best = turned && turned.size > turningGain * level.size ? turned : level;
        if (best.size === 0) continue;
        const hasMark = area && !isAtPoint && place.kind === "shop" && !isSelected && best.angle === 0;
        const marked = hasMark ? largestIn(best.space, Math.max(texts.width, markHeight), texts.height + markHeight) : 0;
        if (marked >= markedSize * factor && marked >= 0.8 * best.size) names.push({ texts, size: marked, angle: 0, isMarked: true, value: marked + best.size });
        names.push({ texts, size: best.size, angle: best.angle, isMarked: false, value: best.size * (best.angle === 0 ? 1 : 0.9) });
    }
    return names.sort((one, other) => other.value - one.value);
}

/** The box of the first image for which there is space; undefined for none. */
function firstBox({ place, point, isFaint }, images, isFree) {
    for (const [image, angle = 0] of images) {
        const box = { place, image, isFaint, ...boxAround(point, image.width, image.height, angle) };
        if (isFree(box)) return box;
    }
    return undefined;
}
