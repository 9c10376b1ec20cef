// How far a wall is from the middle of a box, in both directions.

/**
 * The distance of the origin from a segment, as the larger one of the distances in both directions. It is convex along the segment, and
 * linear between the parameters that are tried.
 */
export function distance(ax, ay, bx, by) {
    const [dx, dy] = [bx - ax, by - ay];
    let least = Math.min(Math.max(Math.abs(ax), Math.abs(ay)), Math.max(Math.abs(bx), Math.abs(by)));
    for (const t of [-ax / dx, -ay / dy, (ay - ax) / (dx - dy), -(ax + ay) / (dx + dy)]) {
        if (t > 0 && t < 1) least = Math.min(least, Math.max(Math.abs(ax + t * dx), Math.abs(ay + t * dy)));
    }
    return least;
}
