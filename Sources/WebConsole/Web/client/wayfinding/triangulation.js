// A constrained triangulation of points and segments on the grid. It works for any segments, also for those that cross, overlap or repeat:
// segments that cross get a common point, rounded to the grid. All decisions about the structure are exact.
//
// A half-edge h belongs to the triangle h / 3, leads from `origins[h]` to the origin of the next half-edge of its triangle, and has the
// triangle on its left.

import { expanded, isInCircle, orientation, roundedPoint, samePoint } from "./grid.js";

/** What a segment separates, as bits. An even number of rings cancel each other. A slit separates nothing, but is an edge. */
export const mark = { outerRing: 1, innerRing: 2, slit: 4 };

export const nextEdge = (edge) => (edge % 3 === 2 ? edge - 2 : edge + 1);
export const previousEdge = (edge) => (edge % 3 === 0 ? edge + 2 : edge - 1);

export class Triangulation {
    points;
    origins = [0, 1, 2, 0, 2, 3];
    twins = [-1, -1, 3, 2, -1, -1];
    marks = [0, 0, 0, 0, 0, 0];
    isTooComplex = false;
    /** A half-edge that begins at each point. */
    #edges = [0, 1, 2, 5];
    #last = 0;
    /** How many crossings of segments may still be resolved, and edges examined for segments and for the shape of triangles. */
    #crossingsLeft = 4_000;
    #stepsLeft;
    /** How many triangles may still be visited to find those of points, and edges around points and along segments to find those of segments. */
    #visitsLeft;
    #lookupsLeft;

    /** Two triangles that contain a box. */
    constructor(around, count) {
        const { left, bottom, right, top } = expanded(around, 1_000);
        this.points = [{ x: left, y: bottom }, { x: right, y: bottom }, { x: right, y: top }, { x: left, y: top }];
        this.#stepsLeft = 1_000_000 + 64 * count;
        this.#visitsLeft = 100_000 + 512 * count;
        this.#lookupsLeft = 1_000_000 + 4_096 * count;
    }

    get triangleCount() { return this.origins.length / 3; }

    #point(edge) { return this.points[this.origins[edge]]; }

    /** The half-edge from one point to another; -1 if it is no edge. */
    edge(start, end) {
        const first = this.#edges[start];
        let edge = first;
        do {
            this.#lookupsLeft -= 1;
            if (this.origins[nextEdge(edge)] === end) return edge;
            edge = this.twins[previousEdge(edge)];
        } while (edge !== first && edge >= 0);
        // Around a corner of the box there are triangles on the other side.
        edge = first;
        while (this.twins[edge] >= 0) {
            this.#lookupsLeft -= 1;
            edge = nextEdge(this.twins[edge]);
            if (edge === first) return -1;
            if (this.origins[nextEdge(edge)] === end) return edge;
        }
        return -1;
    }

    // MARK: - Points

    /** Adds a point inside of the box and returns its index; that of the same point if it was added before, and any if that is too complex. */
    add(point) {
        const { triangle, zero } = this.#locate(point);
        if (this.isTooComplex) return 0;
        for (let corner = triangle; corner < triangle + 3; corner += 1) {
            if (samePoint(this.#point(corner), point)) return this.origins[corner];
        }
        const index = this.points.length;
        this.points.push(point);
        this.#edges.push(-1);
        if (zero >= 0) this.#splitEdge(zero, index);
        else this.#splitTriangle(triangle, index);
        return index;
    }

    /** The first half-edge of the triangle that contains a point, and the half-edge on which it is, or -1. Too complex if too many were visited. */
    #locate(point) {
        let triangle = this.#last;
        // A walk can run in circles in triangulations that are not Delaunay, so its length is limited.
        const limit = 64 + 3 * this.triangleCount;
        walk: for (let step = 1; step <= limit; step += 1) {
            if (this.#isLastVisit()) return {};
            let zero = -1;
            for (let offset = 0; offset < 3; offset += 1) {
                const edge = triangle + ((offset + step) % 3);
                const side = orientation(this.#point(edge), this.#point(nextEdge(edge)), point);
                if (side < 0) {
                    const twin = this.twins[edge];
                    triangle = twin - (twin % 3);
                    continue walk;
                }
                if (side === 0) zero = edge;
            }
            this.#last = triangle;
            return { triangle, zero };
        }
        for (triangle = 0; ; triangle += 3) {
            if (this.#isLastVisit()) return {};
            let zero = -1;
            let isInside = true;
            for (let edge = triangle; edge < triangle + 3; edge += 1) {
                const side = orientation(this.#point(edge), this.#point(nextEdge(edge)), point);
                if (side < 0) isInside = false;
                if (side === 0) zero = edge;
            }
            if (isInside) {
                this.#last = triangle;
                return { triangle, zero };
            }
        }
    }

    #isLastVisit() {
        this.isTooComplex ||= this.#visitsLeft-- === 0;
        return this.isTooComplex;
    }

    #addTriangle() {
        const triangle = this.origins.length;
        this.origins.push(0, 0, 0);
        this.twins.push(-1, -1, -1);
        this.marks.push(0, 0, 0);
        return triangle;
    }

    #set(triangle, one, two, three) {
        this.origins[triangle] = one;
        this.origins[triangle + 1] = two;
        this.origins[triangle + 2] = three;
        this.#edges[one] = triangle;
        this.#edges[two] = triangle + 1;
        this.#edges[three] = triangle + 2;
    }

    #join(edge, twin, value) {
        this.twins[edge] = twin;
        this.marks[edge] = value;
        if (twin < 0) return;
        this.twins[twin] = edge;
        this.marks[twin] = value;
    }

    #side(edge) { return [this.twins[edge], this.marks[edge]]; }

    #splitTriangle(triangle, point) {
        const [a, b, c] = [0, 1, 2].map((offset) => this.origins[triangle + offset]);
        const outer = [0, 1, 2].map((offset) => this.#side(triangle + offset));
        const second = this.#addTriangle();
        const third = this.#addTriangle();
        this.#set(triangle, a, b, point);
        this.#set(second, b, c, point);
        this.#set(third, c, a, point);
        this.#join(triangle, ...outer[0]);
        this.#join(second, ...outer[1]);
        this.#join(third, ...outer[2]);
        this.#join(triangle + 1, second + 2, 0);
        this.#join(second + 1, third + 2, 0);
        this.#join(third + 1, triangle + 2, 0);
        this.#legalize([triangle, second, third]);
    }

    #splitEdge(edge, point) {
        const twin = this.twins[edge];
        const value = this.marks[edge];
        const [a, b] = [this.origins[edge], this.origins[twin]];
        const [c, d] = [this.origins[previousEdge(edge)], this.origins[previousEdge(twin)]];
        const sides = [nextEdge(edge), previousEdge(edge), nextEdge(twin), previousEdge(twin)].map((each) => this.#side(each));
        const [one, two] = [edge - (edge % 3), twin - (twin % 3)];
        const three = this.#addTriangle();
        const four = this.#addTriangle();
        this.#set(one, b, c, point);
        this.#set(three, c, a, point);
        this.#set(two, a, d, point);
        this.#set(four, d, b, point);
        this.#join(one, ...sides[0]);
        this.#join(three, ...sides[1]);
        this.#join(two, ...sides[2]);
        this.#join(four, ...sides[3]);
        this.#join(one + 1, three + 2, 0);
        this.#join(two + 1, four + 2, 0);
        this.#join(three + 1, two + 2, value);
        this.#join(four + 1, one + 2, value);
        this.#legalize([one, three, two, four]);
    }

    /** Replaces the diagonal of the two triangles at an edge. */
    #flip(edge) {
        const twin = this.twins[edge];
        const [a, b] = [this.origins[edge], this.origins[twin]];
        const [c, d] = [this.origins[previousEdge(edge)], this.origins[previousEdge(twin)]];
        const sides = [nextEdge(edge), previousEdge(edge), nextEdge(twin), previousEdge(twin)].map((each) => this.#side(each));
        const [one, two] = [edge - (edge % 3), twin - (twin % 3)];
        this.#set(one, a, d, c);
        this.#set(two, b, c, d);
        this.#join(one, ...sides[2]);
        this.#join(one + 2, ...sides[1]);
        this.#join(two, ...sides[0]);
        this.#join(two + 2, ...sides[3]);
        this.#join(one + 1, two + 1, 0);
    }

    /** Flips edges opposite to a new point until they are Delaunay. Each flip adds an edge to the point, so this ends. */
    #legalize(stack) {
        while (stack.length > 0) {
            const edge = stack.pop();
            const twin = this.twins[edge];
            if (twin < 0 || this.marks[edge] !== 0 || !this.#shouldFlip(edge)) continue;
            this.#stepsLeft -= 1;
            this.#flip(edge);
            // The triangles are now (a, far, fresh) and (b, fresh, far).
            stack.push(edge - (edge % 3), twin - (twin % 3) + 2);
        }
    }

    /** Whether the edge is certainly not Delaunay, and its triangles are a convex quadrilateral. */
    #shouldFlip(edge) {
        const twin = this.twins[edge];
        if (twin < 0 || this.#stepsLeft <= 0) return false;
        const [a, b] = [this.#point(edge), this.#point(twin)];
        const [left, right] = [this.#point(previousEdge(edge)), this.#point(previousEdge(twin))];
        return orientation(left, a, right) > 0 && orientation(left, right, b) > 0 && isInCircle(a, b, left, right);
    }

    // MARK: - Segments

    /** Makes the segment between two points an edge, or several ones, and toggles their mark. */
    addSegment(start, end, value) {
        const pending = [{ start, end, value }];
        while (pending.length > 0 && !this.isTooComplex) {
            const segment = pending.pop();
            if (segment.start !== segment.end) this.#insert(segment, pending);
            this.isTooComplex ||= this.#lookupsLeft <= 0;
        }
    }

    #insert(segment, pending) {
        const [u, v] = [segment.start, segment.end];
        const [start, end] = [this.points[u], this.points[v]];
        // Find the edge from `start` along the segment, or the triangle into which the segment leads.
        let edge = this.#edges[u];
        for (;; this.#lookupsLeft -= 1) {
            const next = nextEdge(edge);
            const right = this.#point(next);
            const side = orientation(start, end, right);
            if (side === 0 && (right.x - start.x) * (end.x - start.x) + (right.y - start.y) * (end.y - start.y) > 0) {
                this.#toggle(edge, segment.value);
                pending.push({ start: this.origins[next], end: v, value: segment.value });
                return;
            }
            if (side < 0 && orientation(start, end, this.#point(previousEdge(edge))) > 0) {
                edge = next;
                break;
            }
            edge = this.twins[previousEdge(edge)];
        }
        // Cross edges until the segment meets a point.
        const crossed = [];
        let goal = v;
        for (;; this.#lookupsLeft -= 1) {
            const twin = this.twins[edge];
            if (this.marks[edge] !== 0) {
                this.#resolveCrossing(segment, edge, pending);
                return;
            }
            crossed.push([this.origins[edge], this.origins[twin]]);
            const apex = this.origins[previousEdge(twin)];
            if (apex === v) break;
            const side = orientation(start, end, this.points[apex]);
            if (side === 0) {
                goal = apex;
                pending.push({ start: apex, end: v, value: segment.value });
                break;
            }
            edge = side > 0 ? nextEdge(twin) : previousEdge(twin);
        }
        const fresh = this.#flipCrossed(crossed, u, goal);
        const inserted = this.edge(u, goal);
        this.isTooComplex ||= inserted < 0;
        if (this.isTooComplex) return;
        this.#toggle(inserted, segment.value);
        this.#legalizePairs(fresh);
    }

    /** Flips the edges that cross a segment (Sloan 1993) until none of them does, and returns the new edges. */
    #flipCrossed(queue, u, v) {
        const [start, end] = [this.points[u], this.points[v]];
        const fresh = [];
        for (let head = 0; head < queue.length && this.#stepsLeft > 0 && this.#lookupsLeft > 0; head += 1) {
            this.#stepsLeft -= 1;
            const [one, other] = queue[head];
            const edge = this.edge(one, other);
            if (edge < 0) continue;
            const twin = this.twins[edge];
            const [left, right] = [this.#point(previousEdge(edge)), this.#point(previousEdge(twin))];
            const [a, b] = [this.points[one], this.points[other]];
            if (orientation(left, a, right) <= 0 || orientation(left, right, b) <= 0) {
                queue.push([one, other]);
                continue;
            }
            const [c, d] = [this.origins[previousEdge(edge)], this.origins[previousEdge(twin)]];
            this.#flip(edge);
            const isAtEnd = c === u || c === v || d === u || d === v;
            const isCrossing = !isAtEnd && orientation(start, end, left) > 0 !== orientation(start, end, right) > 0;
            (isCrossing ? queue : fresh).push([c, d]);
        }
        return fresh;
    }

    /** Makes new edges beside a segment Delaunay. Otherwise each segment leaves long triangles, which all later ones would cross. */
    #legalizePairs(stack) {
        while (stack.length > 0 && this.#lookupsLeft > 0) {
            const [one, other] = stack.pop();
            const edge = this.edge(one, other);
            if (edge < 0 || this.marks[edge] !== 0 || !this.#shouldFlip(edge)) continue;
            const [c, d] = [this.origins[previousEdge(edge)], this.origins[previousEdge(this.twins[edge])]];
            this.#stepsLeft -= 1;
            this.#flip(edge);
            stack.push([one, d], [d, other], [other, c], [c, one]);
        }
    }

    #toggle(edge, value) {
        const old = this.marks[edge];
        const combined = ((old ^ value) & 3) | ((old | value) & mark.slit);
        this.marks[edge] = combined;
        this.marks[this.twins[edge]] = combined;
    }

    /** Leads a segment and the edge that it crosses through a common point. */
    #resolveCrossing(segment, edge, pending) {
        this.isTooComplex ||= (this.#crossingsLeft -= 1) <= 0;
        if (this.isTooComplex) return;
        const [one, other] = [this.origins[edge], this.origins[this.twins[edge]]];
        const [a, b] = [this.points[one], this.points[other]];
        const [start, end] = [this.points[segment.start], this.points[segment.end]];
        const [near, far] = [a, b].map((each) => Math.abs(orientation(start, end, each)));
        const share = near / (near + far);
        const value = this.marks[edge];
        const point = this.add(roundedPoint({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }));
        const rest = point !== one && point !== other ? this.edge(one, other) : -1;
        if (rest >= 0) {
            this.marks[rest] = 0;
            this.marks[this.twins[rest]] = 0;
            pending.push({ start: one, end: point, value }, { start: point, end: other, value });
        }
        pending.push({ start: segment.start, end: point, value: segment.value }, { start: point, end: segment.end, value: segment.value });
    }

    // MARK: - Inside

    /** For each triangle whether it is inside: within an odd number of outer rings and an even number of inner ones. */
    inside() {
        const parity = new Array(this.triangleCount).fill(-1);
        const start = Math.floor(this.#edges[0] / 3);
        parity[start] = 0;
        const stack = [start];
        while (stack.length > 0) {
            const triangle = stack.pop();
            for (let edge = 3 * triangle; edge < 3 * triangle + 3; edge += 1) {
                const twin = this.twins[edge];
                const other = Math.floor(twin / 3);
                if (twin < 0 || parity[other] >= 0) continue;
                parity[other] = parity[triangle] ^ (this.marks[edge] & 3);
                stack.push(other);
            }
        }
        return parity.map((each) => each === mark.outerRing);
    }

    /** The triangles inside in regions that segments separate, `{ triangles, corners }` with the corners of the largest triangle of each. */
    regions(isInside) {
        const regions = [];
        const isDone = isInside.map((each) => !each);
        for (let start = 0; start < isDone.length; start += 1) {
            if (isDone[start]) continue;
            isDone[start] = true;
            const triangles = [start];
            let best = { area: 0, corners: null };
            for (let position = 0; position < triangles.length; position += 1) {
                const first = 3 * triangles[position];
                const corners = [first, first + 1, first + 2].map((edge) => this.#point(edge));
                const area = orientation(...corners);
                if (area > best.area) best = { area, corners };
                for (let edge = first; edge < first + 3; edge += 1) {
                    const other = Math.floor(this.twins[edge] / 3);
                    if (other < 0 || isDone[other] || this.marks[edge] !== 0) continue;
                    isDone[other] = true;
                    triangles.push(other);
                }
            }
            regions.push({ triangles, corners: best.corners });
        }
        return regions;
    }
}
