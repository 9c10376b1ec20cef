// How far a wall is from the middle of a box, in both directions.

/**
 * The distance of the origin from a segment, as the larger one of the distances in both directions. It is convex along the segment, and
 * linear between the parameters that are tried.
 */
export function distance(ax, ay, bx, by) {
    const dx = bx - ax;
    const dy = by - ay;
    const at = (t) => (t > 0 && t < 1 ? Math.max(Math.abs(ax + t * dx), Math.abs(ay + t * dy)) : Infinity);
    const ends = Math.min(Math.max(Math.abs(ax), Math.abs(ay)), Math.max(Math.abs(bx), Math.abs(by)));
    return Math.min(ends, at(-ax / dx), at(-ay / dy), at((ay - ax) / (dx - dy)), at(-(ax + ay) / (dx + dy)));
}
