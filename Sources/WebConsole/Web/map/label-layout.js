// Chooses what is drawn for each place: its name if that fits into its area, as large as the area permits and along it, or a short form of
// it; else its name beyond the area, over what has no name; else its pictogram, or a dot. If labels would overlap, the more important ones
// are drawn; labels that are already visible are preferred.

import { BeyondPlacement } from "./label-beyond.js";
import { LabelBoxes, boxAround, boxOf, clipped } from "./label-boxes.js";
import { groupsOf } from "./label-groups.js";
import { excerptOptions, hasSpaceForPictogram, insideOptions } from "./label-names.js";
import { boxesOfLine, boxOfMark, landmarkOptions, markedOptions } from "./label-obstacles.js";
import { shortNamesOf } from "./short-names.js";

/** The facilities whose pictograms come before names that reach beyond their area: what visitors look for from far away. */
const mainFacilities = new Set(["restroom", "elevator", "escalator", "stairs", "information"]);
/** How long a step of the layout takes, in milliseconds: less than half a frame. */
const stepTime = 6;
/** How many places are looked at while the map moves, besides those that have a label: the most important ones. */
const maximumMoving = 1_500;
/** How many metres may be on 100 pixels at most where rooms that are not for visitors have a name: about zoom 20, as on tiles. */
const backOfHouseMetres = 12;
/** By how much a large area is more important than a small one of the same kind: less than one rank. */
const sizeWeight = 0.45;

/**
 * `{boxes, dots}`: boxes are `{place, image, x, y, angle, left, top, right, bottom, isFaint, isBeyond, count}`, where `x` and `y` are the
 * middle, `angle` is how much the image is turned, `isBeyond` is whether it reaches over the walls of its area, and `count` is how many
 * equal neighbours it stands for; dots `{place, x, y, isFaint}`.
 *
 * `areas` are the label areas of places by id; `hidden` are the ids of places that are drawn only while they are selected or found;
 * `results` is the set of ids that a search has found, or null; `visible` are the ids of the places whose labels are visible now. `metres`
 * is how many metres a pixel is; `frame` is `{left, top, right, bottom}`, the part of the map that nothing covers, in pixels. No label is under
 * `covers`, boxes like `frame`, nor over `lines`, `{coordinates, width}`, and `marks`, `{at, left, top, right, bottom, place}`, see `boxOfMark`. Each
 * mark has the name of its `place`, the id of one or null, beside it. The names of `landmarks`, ids with the most important one first, come next.
 */
export function layOut(view) {
    for (const steps = layOutInSteps(view); ;) {
        const { done, value } = steps.next();
        if (done) return value;
    }
}

/**
 * `layOut` as a generator, each step of which takes a few milliseconds: measuring thousands of names, and looking for space beyond the areas of
 * hundreds of places, take longer than a frame. With `isMoving`, there is one step: it looks only at the most important places and at those
 * that have a label, and only names that are visible now reach beyond their areas.
 */
export function* layOutInSteps(view) {
    const { places, images, colours, project, visible, width, height, isMoving = false, frame = { left: 0, top: 0, right: width, bottom: height } } = view;
    const all = candidatesOf(view);
    const isConsidered = ({ place }, index) => !isMoving || index < maximumMoving || visible.has(place.id);
    const candidates = all.filter(isConsidered);
    const context = { images, colours, project, frame, screen: { width, height }, shortNames: shortNamesOf(places) };
    const taken = new LabelBoxes();
    for (const box of obstaclesOf(view)) taken.add(box);
    const [boxes, rest] = [[], new Set(candidates)];
    let start = performance.now();
    /** Ends a step that has taken long enough. */
    const pause = function* () {
        if (isMoving || performance.now() - start < stepTime) return;
        yield;
        start = performance.now();
    };
    const draw = (candidate, options) => {
        const { place, isFaint, isSelected } = candidate;
        for (const { image, at = candidate.point, angle = 0, ...more } of options) {
            const box = { place, image, isFaint, isBeyond: false, count: 1, ...more, ...boxOf(image, at, angle) };
            if (!isSelected && !taken.isFree(box)) continue;
            taken.add(box);
            boxes.push(box);
            rest.delete(candidate);
            return;
        }
    };
    // What is named inside of its walls is understood at once: so all of these come before names that reach beyond theirs.
    const groups = groupsOf(candidates);
    const drawInside = (candidate) => draw(candidate, insideOptions(candidate, context, groups.get(candidate) ?? [candidate]));
    for (const candidate of candidates) if (candidate.mark) draw(candidate, markedOptions(candidate, context, candidates));
    for (const candidate of candidates) if (candidate.isLandmark) draw(candidate, landmarkOptions(candidate, context, candidates));
    for (const candidate of candidates) {
        if ((groups.get(candidate)?.[0] ?? candidate) !== candidate) rest.delete(candidate);
        else if (rest.has(candidate) && !isLesserFacility(candidate)) drawInside(candidate);
        yield* pause();
    }
    const beyond = new BeyondPlacement(candidates, taken, context);
    const unnamed = [...rest].filter(({ place }) => !isMoving || visible.has(place.id));
    if (unnamed.some(BeyondPlacement.isFor)) for (const _ of beyond.prepare()) yield* pause();
    for (const candidate of unnamed) {
        if (beyond.isExhausted) break;
        draw(candidate, beyond.options(candidate));
        if (rest.has(candidate)) draw(candidate, excerptOptions(candidate, context));
        yield* pause();
    }
    for (const candidate of rest) {
        if (isLesserFacility(candidate)) drawInside(candidate);
        yield* pause();
    }
    for (const candidate of rest) {
        if (hasPictogram(candidate, context)) draw(candidate, [{ image: images.pictogram(candidate.place, colours, false) }]);
        yield* pause();
    }
    // A dot that touches a label would look like a part of it.
    const dots = [...rest, ...all.filter((...each) => !isConsidered(...each))].filter(({ place, isFound }) => place.kind === "shop" || isFound)
        .map(({ place, point: { x, y }, isFaint }) => ({ place, x, y, isFaint })).filter((dot) => taken.isFree(boxAround(dot, 10, 10)));
    return { boxes, dots };
}

function obstaclesOf({ covers = [], lines = [], marks = [], project, width, height }) {
    const boxes = covers.map((cover) => clipped(cover, { width, height })).filter((box) => box !== null);
    return [...boxes, ...marks.map((mark) => boxOfMark(mark, project)), ...lines.flatMap((line) => boxesOfLine(line, project, { width, height }))];
}

/**
 * What may be drawn in this view, the most important first: `{place, point, area, isAtPoint, priority, isSelected, isFaint, isFound, mark,
 * isLandmark}`, `mark` being the box of the mark for the place, or undefined.
 */
function candidatesOf({ places, areas, hidden, selected, results, visible, marks = [], landmarks = [], covers = [], project, width, height, metres = 0 }) {
    const isWithin = ({ x, y }, across, along) => x >= -across && y >= -along && x <= width + across && y <= height + along;
    const isFree = ({ x, y }) => isWithin({ x, y }, 0, 0)
        && !covers.some(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
    const candidates = [];
    const boxes = new Map(marks.map((mark) => [mark.place, boxOfMark(mark, project)]));
    const ranks = new Map(landmarks.map((id, index) => [id, index / landmarks.length - 1]));
    const tenants = new Map();
    for (const { kind, unit } of places) if (kind === "shop" && unit) tenants.set(unit, (tenants.get(unit) ?? 0) + 1);
    let largest = 1e-9;
    for (const { size = 0 } of areas.values()) largest = Math.max(largest, size);
    for (const place of places) {
        const isSelected = place.id === selected;
        const isFound = results?.has(place.id) ?? false;
        const mark = boxes.get(place.id);
        const isAskedFor = isSelected || isFound || mark !== undefined;
        if (hidden.has(place.id) && !isAskedFor) continue;
        if (place.kind === "amenity" && !place.isMarked && !place.isNamed && !isAskedFor) continue;
        if (place.isBackOfHouse && 100 * metres > backOfHouseMetres && !isAskedFor) continue;
        const area = areas.get(place.id);
        // What shares a room, or is in a walkway, is labelled where it is, and not in the middle: a facility, or a shop without a room.
        let isAtPoint = !area || place.isMarked || place.kind === "amenity" || !place.unit || tenants.get(place.unit) > 1;
        let point = project(isAtPoint ? place.point : area.center);
        // So is what is seen from so near that its middle is not on the free part of the map.
        if (!isAtPoint && !isFree(point) && isWithin(point, width, height)) {
            const own = project(place.point);
            if (isFree(own)) [isAtPoint, point] = [true, own];
        }
        if (!isWithin(point, 60, 30)) continue;
        const isFaint = results !== null && !isFound && !isSelected;
        const isLandmark = ranks.has(place.id) && !isSelected && !mark;
        const priority = isSelected || mark ? -2 : isLandmark ? ranks.get(place.id) - 0.5
            : place.labelRank + (isFaint ? 10 : 0) - (visible.has(place.id) ? 0.5 : 0) - (isAtPoint ? 0 : (sizeWeight * (area.size ?? 0)) / largest);
        candidates.push({ place, point, area, isAtPoint, priority, isSelected, isFaint, isFound, mark, isLandmark });
    }
    return candidates.sort((a, b) => a.priority - b.priority);
}

/** Whether names come before a place: a vending machine, for example, is not what the overview is for. */
const isLesserFacility = ({ place, isSelected, isFound }) => place.isMarked && !isSelected && !isFound && !mainFacilities.has(place.facility);

const hasPictogram = (candidate, context) => candidate.area && !candidate.place.isMarked
    && (candidate.isFound || (candidate.place.kind !== "room" && hasSpaceForPictogram(candidate, context)));
