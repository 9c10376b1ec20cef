// A search for the shortest paths over the triangles of a venue (Polyanya: Cui, Harabor and Grastien, IJCAI 2017).
//
// A node is what can be seen of an edge from a root, the last point at which the path turns. What can be seen is bounded by two
// directions, which are differences of grid points; so whether a corner is visible is decided exactly. Only lengths are rounded.
//
// Shafts are part of the same search: whoever reaches a stop goes on from the other stops of its shaft. Going there costs at least the
// distance between both stops, and a detour for each level between them. So the straight line to the target and the detours of the levels
// between are never longer than the rest of a path.

import { boxOf, clamp, cross, distance, expanded, intersects, minus, orientation } from "./grid.js";
import { addTo } from "./lists-by-key.js";
import { SearchQueue } from "./search-queue.js";
import { leastDetour, secondsOf } from "./shafts.js";
import { nextEdge, previousEdge } from "./triangulation.js";
import { workLimits } from "./work-limits.js";

export class PathSearch {
    /**
     * `{ point, length, detour, vertex, departure, arrival }`: the detour is what the levels between its floor and that of the target cost at
     * least besides the straight line; the vertex is -1 for a start or a stop, the stops are -1 for others.
     */
    roots = [];
    /** `{ root, edge, left, right, parent, portal, goal }`: the edge is -1 for an end or a stop, whose index is the goal. */
    nodes = [];
    /** For each target the node that reached it and the length; null if none did. */
    results;
    /** Whether the search ended because it had too many nodes. */
    isExhausted = false;
    #mesh;
    #shafts;
    #rules;
    #pace;
    #targets;
    #targetsOfTriangle = new Map();
    #queue = new SearchQueue();
    #best;
    /** Bit 1 for turns to the left, bit 2 for turns to the right. */
    #turns;
    #isStopDone;
    #isReversed;
    #nodeLimit;
    /** The ordinals of the target, if there is one only. */
    #targetOrdinals;
    /** Null until a path leaves the floor of the target. */
    #leastDetour = null;
    /** How many targets are still to be reached. */
    #missing = 0;

    /**
     * `targets` are `{ point, triangles }`, for the pace see `paceOf`. `isReversed` is whether the paths lead from the targets to the start, which
     * matters for what has a direction; `limits` are as in `workLimits`.
     */
    constructor(mesh, shafts, rules, pace, targets, { isReversed = false, limits = workLimits } = {}) {
        this.#mesh = mesh;
        this.#shafts = shafts;
        this.#rules = rules;
        this.#pace = pace;
        this.#targets = targets;
        this.#isReversed = isReversed;
        this.#nodeLimit = limits.searchNodes;
        this.results = targets.map(() => null);
        this.#targetOrdinals = targets.length === 1 ? mesh.ordinalsOf(targets[0].triangles) : [];
        this.#best = new Float64Array(mesh.points.length).fill(Infinity);
        this.#turns = new Uint8Array(mesh.points.length);
        this.#isStopDone = new Array(shafts.stops.length).fill(false);
        for (const [index, { triangles }] of targets.entries()) {
            for (const triangle of triangles) addTo(this.#targetsOfTriangle, triangle, index);
        }
    }

    /** Searches until a number of targets is reached, the nearest first. */
    run(start, count = 1) {
        this.begin(start, count);
        this.advance(Infinity);
    }

    /** Begins such a search, which `advance` goes on with. */
    begin({ point, triangles }, count) {
        this.#missing = count;
        this.#begin({ point, length: 0, detour: this.#detourFrom(this.#mesh.ordinalsOf(triangles)), vertex: -1, departure: -1, arrival: -1 }, triangles, -1);
    }

    /** Visits at most so many nodes. Returns whether the search goes on. */
    advance(count) {
        for (let visited = 0; visited < count && this.#missing > 0 && !this.isExhausted; visited += 1) {
            const entry = this.#queue.pop();
            if (entry === undefined) return false;
            const node = this.nodes[entry.node];
            const root = this.roots[node.root];
            if (node.edge >= 0) {
                if (root.vertex >= 0 && root.length > this.#best[root.vertex]) continue;
                this.#expand(entry.node, node, root);
            } else if (node.goal < this.#targets.length) {
                if (this.results[node.goal] !== null) continue;
                this.results[node.goal] = { node: entry.node, length: root.length + distance(root.point, this.#targets[node.goal].point) };
                this.#missing -= 1;
            } else {
                this.#ride(entry.node, node, root);
            }
        }
        return this.#missing > 0 && !this.isExhausted;
    }

    /** The steps of the path to a target: `{ point }`, `{ portal, space }` and `{ departure, arrival }`. Null if there is none. */
    path(target) {
        const result = this.results[target];
        if (result === null) return null;
        const chain = [];
        for (let index = result.node; index >= 0; index = this.nodes[index].parent) chain.push(index);
        const steps = [];
        let root = -1;
        for (const index of chain.reverse()) {
            const node = this.nodes[index];
            if (node.root !== root) {
                root = node.root;
                const { point, departure, arrival } = this.roots[root];
                if (arrival >= 0) steps.push({ departure, arrival });
                steps.push({ point });
            }
            if (node.portal >= 0) steps.push({ portal: node.portal, space: this.#mesh.spaceOfTriangle[Math.floor(node.edge / 3)] });
            else if (node.edge < 0 && index !== result.node) steps.push({ point: node.left });
        }
        steps.push({ point: this.#targets[target].point });
        return steps;
    }

    // MARK: - Roots

    #isOpen(triangle) {
        return this.#rules.isSpaceOpen(this.#mesh.spaceOfTriangle[triangle]);
    }

    #spaceOf(edge) {
        return this.#mesh.spaceOfTriangle[Math.floor(edge / 3)];
    }

    #isDestination(triangle) {
        return this.#rules.isDestination(this.#mesh.spaceOfTriangle[triangle]);
    }

    /** The half-edge on the other side of a portal that may be passed, or -1. */
    #openLink(edge) {
        const link = this.#mesh.links[edge];
        if (link >= 0 && this.#isDestination(Math.floor(edge / 3)) && this.#spaceOf(edge) !== this.#spaceOf(link)) return -1;
        if (link < 0) return -1;
        const portal = this.#mesh.portalOfEdge[edge];
        const isOpen = this.#rules.isPortalOpen(portal) && this.#isOpen(Math.floor(link / 3));
        return isOpen && this.#rules.leads(portal, (this.#mesh.portals[portal].edges[0] === edge) !== this.#isReversed) ? link : -1;
    }

    /** Begins at a point in triangles, and in all others that contain it and can be entered from there. */
    #begin(root, triangles, parent) {
        const index = this.roots.length;
        this.roots.push(root);
        const begun = triangles.filter((triangle) => this.#isOpen(triangle));
        for (let position = 0; position < begun.length; position += 1) {
            const triangle = begun[position];
            this.#addGoals(triangle, index, root, parent, () => true);
            for (let edge = 3 * triangle; edge < 3 * triangle + 3; edge += 1) {
                const [u, w] = [this.#mesh.corner(edge), this.#mesh.corner(nextEdge(edge))];
                if (orientation(u, w, root.point) > 0) {
                    this.#cross(edge, index, root, minus(w, root.point), minus(u, root.point), parent);
                    continue;
                }
                // The point is on the edge, so it is also in the triangles on the other side.
                const twin = Math.floor(this.#mesh.twins[edge] / 3);
                if (twin >= 0 && !begun.includes(twin) && this.#mesh.contains(twin, root.point)) begun.push(twin);
                const link = Math.floor(this.#openLink(edge) / 3);
                const isOn = link >= 0 && intersects(expanded(boxOf(u, w), 1), boxOf(root.point, root.point));
                if (isOn && !begun.includes(link)) begun.push(link);
            }
        }
    }

    /** Goes on from the other stops of a shaft. */
    #ride(index, node, root) {
        const departure = node.goal - this.#targets.length;
        if (this.#isStopDone[departure]) return;
        this.#isStopDone[departure] = true;
        const stop = this.#shafts.stops[departure];
        if (!this.#rules.isShaftOpen(stop.shaft) || !this.#rules.isStopOpen(stop)) return;
        const { mode, first, end, isDirected } = this.#shafts.shafts[stop.shaft];
        const length = root.length + distance(root.point, stop.point);
        for (let arrival = first; arrival < end; arrival += 1) {
            if (arrival === departure || (isDirected && arrival > departure === this.#isReversed) || this.#isStopDone[arrival]) continue;
            const other = this.#shafts.stops[arrival];
            if (!this.#rules.isStopOpen(other)) continue;
            const ride = secondsOf(mode, stop, other, this.#pace) * (this.#pace.speed * 1_000);
            const detour = this.#detourFrom([other.ordinal]);
            this.#begin({ point: other.point, length: length + ride, detour, vertex: -1, departure, arrival }, other.triangles, index);
        }
    }

    /** What the levels between one of some ordinals and the target cost at least besides the straight line. */
    #detourFrom(ordinals) {
        let levels = Infinity;
        for (const here of ordinals) {
            for (const there of this.#targetOrdinals) levels = Math.min(levels, Math.abs(there - here));
        }
        if (levels === 0 || levels === Infinity) return 0;
        this.#leastDetour ??= leastDetour(this.#shafts, this.#pace, this.#rules);
        return this.#leastDetour * levels;
    }

    // MARK: - Nodes

    /** Whether a goal was rounded out of its triangle, as the middle of an opening can be by less than a millimetre. */
    #isOff(point, triangle) {
        return !this.#mesh.contains(triangle, point);
    }

    #addGoals(triangle, root, from, parent, isVisible) {
        for (const target of this.#targetsOfTriangle.get(triangle) ?? []) {
            const { point } = this.#targets[target];
            if (this.results[target] !== null || !isVisible(minus(point, from.point), this.#isOff(point, triangle))) continue;
            const node = { root, edge: -1, left: point, right: point, parent, portal: -1, goal: target };
            this.#push(node, from.length + distance(from.point, point));
        }
        if (this.#isDestination(triangle)) return;
        for (const stop of this.#shafts.stopsOfTriangle.get(triangle) ?? []) {
            const { point } = this.#shafts.stops[stop];
            if (this.#isStopDone[stop] || !isVisible(minus(point, from.point), this.#isOff(point, triangle))) continue;
            // Stops are numbered after the targets.
            const node = { root, edge: -1, left: point, right: point, parent, portal: -1, goal: this.#targets.length + stop };
            this.#push(node, from.length + distance(from.point, point) + this.#remainder(point) + from.detour);
        }
    }

    #push(node, estimate) {
        if (this.#append(node)) this.#queue.push({ estimate, node: this.nodes.length - 1 });
    }

    /** Whether there was room for another node. */
    #append(node) {
        this.isExhausted ||= this.nodes.length >= this.#nodeLimit;
        if (!this.isExhausted) this.nodes.push(node);
        return !this.isExhausted;
    }

    /** The straight line to the target, if there is one only. */
    #remainder(point) {
        return this.#targets.length === 1 ? distance(point, this.#targets[0].point) : 0;
    }

    /** Adds the nodes on the other sides of an edge of which a part is visible. */
    #cross(edge, root, from, left, right, parent) {
        const twin = this.#mesh.twins[edge];
        const link = this.#openLink(edge);
        if (twin < 0 && link < 0) return;
        const estimate = this.#estimate(edge, from, left, right);
        if (twin >= 0) this.#push({ root, edge: twin, left, right, parent, portal: -1, goal: -1 }, estimate);
        if (link >= 0) this.#push({ root, edge: link, left, right, parent, portal: this.#mesh.portalOfEdge[edge], goal: -1 }, estimate);
    }

    /** The least length of a path by way of the visible part of an edge that is left from its triangle. */
    #estimate(edge, root, left, right) {
        const [rightEnd, leftEnd] = [this.#mesh.corner(edge), this.#mesh.corner(nextEdge(edge))];
        const start = root.point;
        const one = visible(left, leftEnd, rightEnd, start);
        const other = visible(right, leftEnd, rightEnd, start);
        if (this.#targets.length !== 1) return root.length + distanceToSegment(start, one, other);
        let target = this.#targets[0].point;
        // A target on the near side of the edge is reflected.
        const along = minus(rightEnd, leftEnd);
        const side = orientation(leftEnd, rightEnd, target);
        if (side < 0) {
            const factor = (2 * side) / (along.x * along.x + along.y * along.y);
            target = { x: target.x + factor * along.y, y: target.y - factor * along.x };
        }
        const [tx, ty] = [target.x - start.x, target.y - start.y];
        if ((one.x - start.x) * ty - (one.y - start.y) * tx > 0) return root.length + distance(start, one) + distance(one, target) + root.detour;
        if ((other.x - start.x) * ty - (other.y - start.y) * tx < 0) {
            return root.length + distance(start, other) + distance(other, target) + root.detour;
        }
        return root.length + distance(start, target) + root.detour;
    }

    // MARK: - Expansion

    #expand(index, node, root) {
        const { edge, left, right } = node;
        const [leftEdge, rightEdge] = [previousEdge(edge), nextEdge(edge)];
        const [leftEnd, rightEnd] = [this.#mesh.corner(edge), this.#mesh.corner(rightEdge)];
        const apex = minus(this.#mesh.corner(leftEdge), root.point);
        const [fromLeft, fromRight] = [cross(left, apex), cross(right, apex)];
        this.#addGoals(Math.floor(edge / 3), node.root, root, index, (goal, isOff) =>
            cross(left, goal) <= slack(left, isOff) && cross(right, goal) >= -slack(right, isOff));
        if (fromLeft < 0) this.#cross(leftEdge, node.root, root, left, fromRight >= 0 ? apex : right, index);
        if (fromRight > 0) this.#cross(rightEdge, node.root, root, fromLeft <= 0 ? apex : left, right, index);
        // The path turns at an end of the edge to reach what the root does not see.
        if (fromLeft >= 0 && cross(left, minus(leftEnd, root.point)) === 0) this.#turn(index, root, edge, true);
        if (fromRight <= 0 && cross(right, minus(rightEnd, root.point)) === 0) this.#turn(index, root, rightEdge, false);
    }

    /** Whether a node passed an opening inside of a unit, over which another one lies. */
    #isSlit({ edge, portal }) {
        return portal >= 0 && (this.#mesh.twins[edge] >= 0 || this.#mesh.twins[this.#mesh.links[edge]] >= 0);
    }

    /** Whether the way to a node from its root passes such an opening that ends at a vertex. */
    #isAroundSlit(index, vertex) {
        const { root } = this.nodes[index];
        for (let node = this.nodes[index]; node?.root === root && node.edge >= 0; node = this.nodes[node.parent]) {
            if (this.#mesh.origins[node.edge] !== vertex && this.#mesh.origins[nextEdge(node.edge)] !== vertex) return false;
            if (this.#isSlit(node)) return true;
        }
        return false;
    }

    /** Turns at the origin of a half-edge, through all triangles around it up to a wall. */
    #turn(from, old, first, isLeft) {
        const mesh = this.#mesh;
        const vertex = mesh.origins[first];
        const point = mesh.points[vertex];
        const direction = minus(point, old.point);
        if (direction.x === 0 && direction.y === 0) return;
        const length = old.length + distance(old.point, point);
        const bit = isLeft ? 1 : 2;
        if (length > this.#best[vertex] || (length === this.#best[vertex] && (this.#turns[vertex] & bit) !== 0)) return;
        this.#turns[vertex] = length === this.#best[vertex] ? this.#turns[vertex] | bit : bit;
        this.#best[vertex] = length;
        const root = { point, length, detour: old.detour, vertex, departure: -1, arrival: -1 };
        const index = this.roots.length;
        this.roots.push(root);
        const sign = isLeft ? 1 : -1;
        const fan = [{ corner: first, parent: from, isFirst: true, isThrough: this.#isAroundSlit(from, vertex), isPast: false }];
        for (let budget = 4_096; fan.length > 0 && budget > 0; budget -= 1) {
            const { corner, parent, isFirst, isThrough, isPast } = fan.pop();
            const opposite = nextEdge(corner);
            const right = minus(mesh.corner(opposite), point);
            const left = minus(mesh.corner(previousEdge(corner)), point);
            // Turns by more than a half circle are never shortest, except around the end of an opening inside of a unit.
            const [near, far] = isLeft ? [right, left] : [left, right];
            const nearSide = cross(direction, near) * sign;
            const isBeyond = !isFirst && (nearSide < 0 || (nearSide === 0 && direction.x * near.x + direction.y * near.y < 0));
            if (isBeyond ? !isThrough : isPast) continue;
            const limit = isFirst && nearSide < 0 ? direction : near;
            this.#addGoals(Math.floor(corner / 3), index, root, parent, (goal, isOff) =>
                (isThrough && !isFirst) || cross(direction, goal) * sign >= -slack(direction, isOff));
            if (cross(limit, far) * sign > 0) this.#cross(opposite, index, root, isLeft ? far : limit, isLeft ? limit : far, parent);
            // The next triangle around the vertex.
            const side = isLeft ? previousEdge(corner) : corner;
            const twin = mesh.twins[side];
            const link = this.#openLink(side);
            if (twin >= 0) fan.push({ corner: isLeft ? twin : nextEdge(twin), parent, isFirst: false, isThrough, isPast: isBeyond });
            if (link >= 0) {
                const passing = this.nodes.length;
                const node = { root: index, edge: link, left, right, parent, portal: mesh.portalOfEdge[side], goal: -1 };
                if (!this.#append(node)) return;
                const isNowThrough = isThrough || this.#isSlit(node);
                fan.push({ corner: isLeft ? link : nextEdge(link), parent: passing, isFirst: false, isThrough: isNowThrough, isPast: isBeyond });
            }
        }
        // What is left around the vertex would be missing without a word.
        if (fan.length > 0) this.isExhausted = true;
    }
}

/** What is visible beside a direction of a goal that is off its triangle: a millimetre, as a bound for the cross product. */
const slack = ({ x, y }, isOff) => (isOff ? 0.70711 * Math.sqrt(x * x + y * y) : 0);

/** Where a direction from a root meets an edge. */
function visible(direction, left, right, root) {
    const one = cross(direction, minus(left, root));
    const other = cross(direction, minus(right, root));
    if (one <= 0) return left;
    if (other >= 0) return right;
    const share = one / (one - other);
    return { x: left.x + (right.x - left.x) * share, y: left.y + (right.y - left.y) * share };
}

/** The distance of a point from a segment. */
function distanceToSegment(point, one, other) {
    const [dx, dy] = [other.x - one.x, other.y - one.y];
    const square = dx * dx + dy * dy;
    if (!(square > 0)) return distance(point, one);
    const share = clamp(((point.x - one.x) * dx + (point.y - one.y) * dy) / square);
    return distance(point, { x: one.x + dx * share, y: one.y + dy * share });
}
