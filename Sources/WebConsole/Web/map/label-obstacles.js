// What is drawn over the map and labels leave free, such as the line of a way and its pin; and the names of the places that such marks are for.

import { boxAround, cellSize } from "./label-boxes.js";

/** The distance between a mark and the name of its place, in pixels. */
const gap = 3;
/** Where the name may be beside a mark, the best first: `[x, y]` of the direction. */
const directions = [[0, 1], [1, 0], [-1, 0], [0, -1]];

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

/** The name of a candidate beside its mark, as `insideOptions`: in one line if that can be, where nothing covers the map. */
export function* markedOptions({ place, mark }, { images, colours, frame }) {
    for (const count of [1, 2, 3]) {
        const texts = images.lines(place.name, count, { isInArea: false, isSelected: true });
        if (!texts) continue;
        const image = images.text(place, texts, 14 * images.enlargement, colours, { isSelected: true });
        for (const [x, y] of directions) {
            const at = { x: mark.x + x * ((mark.width + image.width) / 2 + gap), y: mark.y + y * ((mark.height + image.height) / 2 + gap) };
            const { left, top, right, bottom } = boxAround(at, image.width, image.height);
            if (left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom) yield { image, at };
        }
    }
}
