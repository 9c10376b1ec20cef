// What is drawn over the map and labels leave free, such as the line of a way and its pin; and the names of the places that such marks are for,
// and of those by which people find the way.

import { boxAround, boxOf, cellSize, contains } from "./label-boxes.js";
import { besideShape } from "./label-images.js";
import { insideOptions, sides } from "./label-names.js";

/** The distance between a mark and the name of its place, in pixels. */
const gap = 3;
/** Where the name may be beside a mark, the best first: `[x, y]` of the direction. */
const directions = [[0, 1], [1, 0], [-1, 0], [0, -1]];
/** The size of the name of a landmark beside its pictogram, and the side of that. */
const [landmarkSize, landmarkMark] = [11, 16];
/** How far the name of a landmark may be from its middle where the way is over it, in pixels, the best first. */
const landmarkGaps = [4, 14, 24];
/** To how many other places a landmark is equal, where a name covers the middle of it. */
const landmarkWeight = 5;

/** The box of a mark `{at, left, top, right, bottom}`, whose edges are in pixels from its position, on the screen. */
export function boxOfMark({ at, left, top, right, bottom }, project) {
    const { x, y } = project(at);
    return boxAround({ x: x + (left + right) / 2, y: y + (top + bottom) / 2 }, right - left, bottom - top);
}

/** The boxes of the segments of a line `{coordinates, width}`, as far as they are on the screen or at most one cell beside it. */
export function boxesOfLine({ coordinates, width }, project, screen) {
    const points = coordinates.map(project);
    return points.slice(1).flatMap((end, index) => {
        const segment = clippedSegment(points[index], end, screen);
        if (!segment) return [];
        const [{ x, y }, { x: endX, y: endY }] = segment;
        return [boxAround({ x: (x + endX) / 2, y: (y + endY) / 2 }, Math.hypot(endX - x, endY - y), width, Math.atan2(endY - y, endX - x))];
    });
}

/** The part of a segment that is on a screen or at most one cell beside it (Liang and Barsky); null if there is none. */
function clippedSegment(start, end, { width, height }) {
    let [first, last] = [0, 1];
    for (const [axis, size] of [["x", width], ["y", height]]) {
        const [from, step] = [start[axis], end[axis] - start[axis]];
        const [low, high] = [-cellSize - from, size + cellSize - from];
        if (step === 0) {
            if (low > 0 || high < 0) return null;
            continue;
        }
        first = Math.max(first, Math.min(low / step, high / step));
        last = Math.min(last, Math.max(low / step, high / step));
    }
    const at = (share) => ({ x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share });
    return first <= last ? [at(first), at(last)] : null;
}

/** The positions of an image on each side of a box. */
const around = ({ x, y, width, height }, image, distance) => directions.map(([dx, dy]) => (
    { x: x + dx * ((width + image.width) / 2 + distance), y: y + dy * ((height + image.height) / 2 + distance) }));

/** The name of a candidate beside its mark, as `insideOptions`: where nothing covers the map, and where it covers the fewest other places. */
export function markedOptions(candidate, { images, colours, frame }, candidates) {
    const { place, mark } = candidate;
    const options = [1, 2, 3].flatMap((count) => {
        const texts = images.lines(place.name, count, { isInArea: false, isSelected: true });
        if (!texts) return [];
        const image = images.text(place, texts, 14 * images.enlargement, colours, { isSelected: true });
        return around(mark, image, gap).map((at) => ({ image, at, box: boxAround(at, image.width, image.height) }));
    });
    return leastCovering(options, frame, candidate, candidates);
}

/**
 * The name of a landmark, as `insideOptions`: the whole one in its area, or else beside its pictogram, also over other places, or alone where
 * the way is over that; or a short form of it.
 */
export function* landmarkOptions(candidate, context, candidates) {
    const { place, point } = candidate;
    const { images, colours, frame } = context;
    const short = [];
    // A facility has a pictogram in its area.
    for (const option of place.isMarked ? [] : insideOptions(candidate, context, [candidate])) {
        if (option.isShort) short.push(option);
        else yield option;
    }
    const size = landmarkSize * images.enlargement;
    const lines = [1, 2, 3].map((count) => images.lines(place.name, count, { isInArea: false })).filter((texts) => texts);
    const beside = lines.flatMap((texts) => sides.map((side) => {
        const shape = besideShape(texts, size, side, Math.round(landmarkMark * images.enlargement));
        const at = shape.around(point);
        return { image: images.beside(place, texts, shape, colours), at, isBeyond: true, box: boxOf(shape, at) };
    }));
    yield* leastCovering(beside, frame, candidate, candidates);
    const alone = landmarkGaps.flatMap((distance) => lines.flatMap((texts) => {
        const image = images.text(place, texts, size, colours, { isBeyond: true });
        return around({ ...point, width: 0, height: 0 }, image, distance).map((at) => ({ image, at, isBeyond: true, box: boxOf(image, at) }));
    }));
    yield* leastCovering(alone, frame, candidate, candidates);
    yield* short;
}

/** The options whose `box` is within a frame, first those that cover the middle of the fewest and least important other places. */
function leastCovering(options, frame, candidate, candidates) {
    const isWithin = ({ box: { left, top, right, bottom } }) =>
        left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
    const coveredBy = ({ box }) => candidates.filter((each) => each !== candidate && contains(box, each.point))
        .reduce((sum, { isLandmark }) => sum + (isLandmark ? landmarkWeight : 1), 0);
    return options.filter(isWithin).map(({ box, ...option }) => ({ option, covered: coveredBy({ box }) }))
        .sort((one, other) => one.covered - other.covered).map(({ option }) => option);
}
