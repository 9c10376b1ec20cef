// Chooses what is drawn for each place: its name if that fits into its area, else its pictogram, else a dot. If labels would overlap, the
// more important ones are drawn; labels that are already visible are preferred.

import { fitTest } from "./label-fit.js";

/** The size of a cell of the collision grid, in CSS pixels. */
const cellSize = 64;
/** The smallest area in which a pictogram is drawn, in CSS pixels. */
const pictogramSpace = 20;

/**
 * `{boxes, dots}`: boxes are `{place, image, left, top, right, bottom, isFaint}`, dots `{place, x, y, isFaint}`.
 *
 * `areas` are the label areas of places by id; `hidden` are the ids of places that are drawn only while they are selected or found;
 * `results` is the set of ids that a search has found, or null; `visible` are the ids of the places whose labels are visible now.
 */
export function layOut({ places, areas, hidden, selected, results, visible, images, colours, project, width, height }) {
    const candidates = [];
    for (const place of places) {
        const isSelected = place.id === selected;
        if (hidden.has(place.id) && !isSelected && !results?.has(place.id)) continue;
        if (place.kind === "amenity" && !place.isMarked && !place.isNamed && !isSelected && !results?.has(place.id)) continue;
        const area = areas.get(place.id);
        // What is in a walkway is labelled where it is, and not in the middle of the walkway: a facility, or a shop without a room.
        const isAtPoint = !area || place.isMarked || place.kind === "amenity" || !place.unit;
        const point = project(isAtPoint ? place.point : area.center);
        if (point.x < -60 || point.y < -30 || point.x > width + 60 || point.y > height + 30) continue;
        const isFaint = results !== null && !results.has(place.id) && !isSelected;
        const priority = isSelected ? -2 : place.rank + (isFaint ? 10 : 0) - (visible.has(place.id) ? 0.5 : 0);
        candidates.push({ place, point, area, priority, isSelected, isFaint, isFound: results?.has(place.id) ?? false });
    }
    candidates.sort((a, b) => a.priority - b.priority);
    const grid = new Map();
    const boxes = [];
    let dots = [];
    for (const candidate of candidates) {
        const { place, point, isSelected, isFaint, isFound } = candidate;
        const box = firstBox(candidate, imagesOf(candidate, images, colours, project), (each) => isSelected || !overlapsAny(grid, each));
        if (box) {
            insert(grid, box);
            boxes.push(box);
        } else if (place.kind === "shop" || isFound) {
            dots.push({ place, ...point, isFaint });
        }
    }
    // A dot that touches a label would look like a part of it.
    dots = dots.filter(({ x, y }) => !overlapsAny(grid, { left: x - 5, top: y - 5, right: x + 5, bottom: y + 5 }));
    return { boxes, dots };
}

/** The images that may be drawn for a place, the best first. They are made one by one, because most often the first one is drawn. */
function* imagesOf({ place, point, area, isSelected, isFound }, images, colours, project) {
    const text = (lines) => images.text(place, lines, colours, isSelected);
    if (place.isMarked) return yield images.pictogram(place, colours, isSelected);
    const fits = area ? fitTest(area.rings, point, project) : (width, height, lines) => lines < (isSelected ? 2 : 3);
    const hasSpace = !area || isSelected || fits(pictogramSpace, pictogramSpace);
    // No name is smaller than a pictogram.
    for (const lines of hasSpace ? [1, 2, 3] : []) {
        const image = text(lines);
        if (image && fits(image.width, image.height, lines)) yield image;
    }
    // The name of the selected place is always shown, also where no area has space for it.
    if (isSelected) yield text(1) ?? text(2) ?? text(3);
    else if (area && (isFound || (place.kind !== "room" && hasSpace))) yield images.pictogram(place, colours, false);
}

/** The box of the first image for which there is space; undefined for none. */
function firstBox(candidate, images, isFree) {
    for (const image of images) {
        const box = boxOf(candidate, image);
        if (isFree(box)) return box;
    }
    return undefined;
}

function boxOf({ place, point: { x, y }, isFaint }, image) {
    const left = x - image.width / 2;
    const top = y - image.height / 2;
    return { place, image, isFaint, left, top, right: left + image.width, bottom: top + image.height };
}

function* cellsOf({ left, top, right, bottom }) {
    for (let x = Math.floor(left / cellSize); x <= Math.floor(right / cellSize); x += 1) {
        for (let y = Math.floor(top / cellSize); y <= Math.floor(bottom / cellSize); y += 1) yield x * 65_536 + y;
    }
}

function overlapsAny(grid, box) {
    for (const key of cellsOf(box)) {
        for (const other of grid.get(key) ?? []) {
            if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) return true;
        }
    }
    return false;
}

function insert(grid, box) {
    for (const key of cellsOf(box)) {
        if (!grid.has(key)) grid.set(key, []);
        grid.get(key).push(box);
    }
}
