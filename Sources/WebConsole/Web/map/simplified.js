// Simplifies rings.

/**
 * A closed ring with some of its vertices, from which no other is farther away than `tolerance` degrees of latitude (Douglas and Peucker,
 * 1973). `narrowing` is the length of a degree of longitude in these.
 */
export function simplified(ring, tolerance, narrowing) {
    const points = ring.map(([x, y]) => [x * narrowing, y]);
    const last = points.length - 1;
    // Between two vertices that are far from each other there are two lines.
    const opposite = farthest(points, 0, last).index;
    const kept = new Set([0, opposite, last]);
    const sections = [[0, opposite], [opposite, last]];
    while (sections.length > 0) {
        const [start, end] = sections.pop();
        const { index, distance } = farthest(points, start, end);
        if (distance <= tolerance) continue;
        kept.add(index);
        sections.push([start, index], [index, end]);
    }
    return ring.filter((_, index) => kept.has(index));
}

/** The vertex between two others that is farthest from the line between them: `{index, distance}`. */
function farthest(points, start, end) {
    let best = { index: start, distance: 0 };
    for (let index = start + 1; index < end; index += 1) {
        const distance = distanceToLine(points[index], points[start], points[end]);
        if (distance > best.distance) best = { index, distance };
    }
    return best;
}

function distanceToLine([x, y], [x0, y0], [x1, y1]) {
    const [dx, dy] = [x1 - x0, y1 - y0];
    const square = dx * dx + dy * dy;
    const share = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / square));
    return Math.hypot(x - x0 - share * dx, y - y0 - share * dy);
}
