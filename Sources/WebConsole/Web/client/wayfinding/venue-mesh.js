// The triangles of all units of a venue and the portals between them, without what joins floors. Half-edges are numbered as in a
// triangulation; all vertices lie on walls or at the ends of portals.

import { boxAround, clamp, distance, orientation, roundedPoint } from "./grid.js";
import { floorsOf, isSameFloor } from "./floor-plan.js";
import { FloorBlockers } from "./floor-blockers.js";
import { enteredFrom, surfaceWithout } from "./floor-surface.js";
import { addTo } from "./lists-by-key.js";
import { PortalPlanner, notch } from "./portal-planner.js";
import { nextEdge } from "./triangulation.js";
import { workLimits } from "./work-limits.js";

export class VenueMesh {
    points = [];
    origins = [];
    /** The half-edge of the neighbour in the same unit, or -1. */
    twins = [];
    /** The half-edge on the other side of a portal, or -1. A half-edge inside of a unit can have both. */
    links = [];
    /** The portal of a half-edge, or -1. */
    portalOfEdge = [];
    spaceOfTriangle = [];
    /** The connected piece of each triangle: what can be reached without a portal. */
    pieceOfTriangle = [];
    pieceCount = 0;
    portals = [];
    trianglesOfSpace;
    portalsOfSpace;
    /** The ordinals with spaces, ascending. */
    ordinals;
    /** Where the floor of each ordinal begins and ends in the lists above: `{ points, edges, portals }`, each `[first, end]`. */
    extents = new Map();
    /** The ordinals of floors that are too complex. They have no triangles, because a way over them might pass a wall. */
    tooComplexOrdinals = [];
    /** Units of other floors of which a part was given up, and is missing. */
    incompleteSpaces = new Set();
    /** The ordinals of which the triangles were computed, and not taken from another mesh. */
    computedOrdinals = [];
    #limits;

    /** All floors of a plan. */
    static of(plan, former = null, limits = workLimits) {
        const mesh = new VenueMesh(plan, limits);
        for (const _ of mesh.addFloors(plan, former));
        return mesh;
    }

    /** Without floors, which `addFloors` adds. */
    constructor(plan, limits = workLimits) {
        this.#limits = limits;
        this.trianglesOfSpace = plan.spaces.map(() => []);
        this.portalsOfSpace = plan.spaces.map(() => []);
        this.ordinals = [...new Set(plan.spaces.map(({ ordinal }) => ordinal))].sort((one, other) => one - other);
    }

    /**
     * Adds the floors one by one, so that a caller can do something else after each. Those that are the same in a former map
     * (`{ plan, mesh }`) are taken over from it.
     */
    *addFloors(plan, former = null) {
        const [floors, formerFloors] = [floorsOf(plan), former === null ? new Map() : floorsOf(former.plan)];
        for (const ordinal of this.ordinals) {
            const [floor, other] = [floors.get(ordinal), formerFloors.get(ordinal)];
            const begin = { points: this.points.length, edges: this.origins.length, portals: this.portals.length };
            if (other !== undefined && former.mesh.extents.has(ordinal) && isSameFloor(floor, plan, other, former.plan)) {
                this.#copyFloor(former.mesh, ordinal, floor, other);
            } else {
                this.computedOrdinals.push(ordinal);
                const isComplete = this.#addFloor(plan, floor.spaces, floor.doorways, floor.solids.map((index) => plan.solids[index]));
                if (!isComplete) this.#removeTriangles(ordinal, floor.spaces, begin);
                yield;
            }
            this.extents.set(ordinal, {
                points: [begin.points, this.points.length], edges: [begin.edges, this.origins.length],
                portals: [begin.portals, this.portals.length],
            });
        }
        this.#findPieces();
    }

    /** Gives up a floor that is too complex, of which no portal was added. */
    #removeTriangles(ordinal, spaces, { points, edges }) {
        this.tooComplexOrdinals.push(ordinal);
        this.points.length = points;
        for (const list of [this.origins, this.twins, this.links, this.portalOfEdge]) list.length = edges;
        this.spaceOfTriangle.length = edges / 3;
        for (const space of spaces) {
            this.trianglesOfSpace[space] = [];
            this.incompleteSpaces.delete(space);
        }
    }

    /** Takes over a floor of another mesh. */
    #copyFloor(mesh, ordinal, floor, other) {
        if (mesh.tooComplexOrdinals.includes(ordinal)) this.tooComplexOrdinals.push(ordinal);
        const { points, edges, portals } = mesh.extents.get(ordinal);
        const indicesOf = (list, former) => new Map(former.map((index, position) => [index, list[position]]));
        const [spaceOf, doorwayOf] = [indicesOf(floor.spaces, other.spaces), indicesOf(floor.doorways, other.doorways)];
        const [point, edge, portal] = [this.points.length - points[0], this.origins.length - edges[0], this.portals.length - portals[0]];
        const moved = (index, offset) => (index < 0 ? -1 : index + offset);
        for (let index = points[0]; index < points[1]; index += 1) this.points.push(mesh.points[index]);
        for (let index = edges[0]; index < edges[1]; index += 1) {
            this.origins.push(mesh.origins[index] + point);
            this.twins.push(moved(mesh.twins[index], edge));
            this.links.push(moved(mesh.links[index], edge));
            this.portalOfEdge.push(moved(mesh.portalOfEdge[index], portal));
        }
        for (let triangle = edges[0] / 3; triangle < edges[1] / 3; triangle += 1) this.spaceOfTriangle.push(spaceOf.get(mesh.spaceOfTriangle[triangle]));
        for (const [former, space] of spaceOf) {
            this.trianglesOfSpace[space] = mesh.trianglesOfSpace[former].map((triangle) => triangle + edge / 3);
            this.portalsOfSpace[space] = mesh.portalsOfSpace[former].map((each) => each + portal);
            if (mesh.incompleteSpaces.has(former)) this.incompleteSpaces.add(space);
        }
        for (const each of mesh.portals.slice(portals[0], portals[1])) {
            const doorway = each.doorway === null ? null : doorwayOf.get(each.doorway);
            this.portals.push({ ...each, doorway, edges: each.edges.map((index) => index + edge) });
        }
    }

    get triangleCount() {
        return this.origins.length / 3;
    }

    /** The ordinals of triangles, each once. */
    ordinalsOf(triangles) {
        return this.ordinals.filter((ordinal) => {
            const [first, end] = this.extents.get(ordinal)?.edges ?? [0, 0];
            return triangles.some((triangle) => 3 * triangle >= first && 3 * triangle < end);
        });
    }

    corner(edge) {
        return this.points[this.origins[edge]];
    }

    // MARK: - Building

    /** Adds a floor and returns true, or a part of its triangles if it is too complex. */
    #addFloor(plan, spaces, doorways, solids) {
        const parts = [];
        for (const space of spaces) {
            for (const rings of plan.spaces[space].polygons) parts.push({ space, level: plan.spaces[space].level, rings, box: boxAround(rings[0]) });
        }
        const planner = new PortalPlanner(parts, this.#limits);
        planner.joinParts();
        for (const doorway of doorways) {
            for (const line of plan.doorways[doorway].lines) planner.add(doorway, plan.doorways[doorway].level, line);
        }
        if (planner.isExhausted) return false;
        const demands = demandsOf(planner);
        const sides = planner.plans.map(() => ({ left: -1, right: -1 }));
        let wall = 0;
        const outlines = parts.map((part, index) => {
            const slits = new Set(demands.slits.get(index) ?? []);
            const wanted = [...slits];
            const rings = [];
            for (const ring of part.rings) {
                const points = [];
                for (const [position, point] of ring.entries()) {
                    points.push(point);
                    for (const { plan: each } of demands.notches.get(wall + position) ?? []) {
                        points.push(...notch(planner.plans[each], planner.walls[wall + position]));
                        wanted.push(each);
                    }
                }
                wall += ring.length;
                rings.push(points);
            }
            return { rings, wanted: wanted.sort((one, other) => one - other), slits };
        });
        const blockers = new FloorBlockers(plan.spaces, parts, outlines, solids, this.#limits);
        for (const [index, part] of parts.entries()) {
            if (blockers.isExhausted) break;
            const chosen = blockers.on(part, index, enteredFrom(planner, outlines[index].slits));
            const surface = surfaceWithout(chosen, part, outlines[index], planner.plans, blockers);
            if (surface === null) this.incompleteSpaces.add(part.space);
            else this.#addPart(part, outlines[index], planner.plans, surface, sides);
        }
        if (blockers.isExhausted) return false;
        for (const [index, each] of planner.plans.entries()) this.#addPortal(each, sides[index]);
        return true;
    }

    #addPortal(plan, { left, right }) {
        const edges = [left, right].filter((each) => each >= 0);
        // A portal of which one side could not be built would look like an exit.
        const expected = [plan.left, plan.right].filter((each) => each !== null).length;
        if (edges.length === 0 || edges.length !== expected || edges.some((each) => this.portalOfEdge[each] >= 0)) return;
        for (const edge of edges) {
            this.portalOfEdge[edge] = this.portals.length;
            this.portalsOfSpace[this.spaceOfTriangle[Math.floor(edge / 3)]].push(this.portals.length);
        }
        if (edges.length === 2) {
            this.links[left] = right;
            this.links[right] = left;
        }
        this.portals.push({ doorway: plan.doorway, width: plan.width, start: plan.start, end: plan.end, edges });
    }

    /** Adds the triangles of a part, and finds the half-edges of its portals. */
    #addPart(part, { wanted, slits }, plans, { triangulation, isInside, ends }, sides) {
        let count = this.origins.length;
        const newIndex = isInside.map((each) => (each ? (count += 3) - 3 : -1));
        const indexOf = (edge) => (edge >= 0 && isInside[Math.floor(edge / 3)] ? newIndex[Math.floor(edge / 3)] + (edge % 3) : -1);
        const newPoint = new Map();
        for (const [triangle, each] of isInside.entries()) {
            if (!each) continue;
            this.trianglesOfSpace[part.space].push(newIndex[triangle] / 3);
            this.spaceOfTriangle.push(part.space);
            for (let edge = 3 * triangle; edge < 3 * triangle + 3; edge += 1) {
                const origin = triangulation.origins[edge];
                if (!newPoint.has(origin)) {
                    newPoint.set(origin, this.points.length);
                    this.points.push(triangulation.points[origin]);
                }
                this.origins.push(newPoint.get(origin));
                this.twins.push(indexOf(triangulation.twins[edge]));
                this.links.push(-1);
                this.portalOfEdge.push(-1);
            }
        }
        for (const [index, plan] of wanted.entries()) {
            const edge = triangulation.edge(ends[index][0], ends[index][1]);
            if (edge < 0) continue;
            const left = indexOf(edge);
            const right = indexOf(triangulation.twins[edge]);
            if (slits.has(plan)) {
                if (plans[plan].left?.part !== undefined) sides[plan].left = left;
                else sides[plan].right = right;
            } else if (left < 0 !== right < 0) {
                if (left >= 0) sides[plan].left = left;
                else sides[plan].right = right;
            }
        }
    }

    #findPieces() {
        this.pieceOfTriangle = new Array(this.triangleCount).fill(-1);
        for (let start = 0; start < this.pieceOfTriangle.length; start += 1) {
            if (this.pieceOfTriangle[start] >= 0) continue;
            const piece = this.pieceCount;
            this.pieceCount += 1;
            this.pieceOfTriangle[start] = piece;
            const stack = [start];
            while (stack.length > 0) {
                const triangle = stack.pop();
                for (let edge = 3 * triangle; edge < 3 * triangle + 3; edge += 1) {
                    const other = Math.floor(this.twins[edge] / 3);
                    if (other < 0 || this.pieceOfTriangle[other] >= 0) continue;
                    this.pieceOfTriangle[other] = piece;
                    stack.push(other);
                }
            }
        }
    }

    // MARK: - Points

    /** Whether a triangle contains a point, borders included. */
    contains(triangle, point) {
        const [a, b, c] = [0, 1, 2].map((offset) => this.corner(3 * triangle + offset));
        return orientation(a, b, point) >= 0 && orientation(b, c, point) >= 0 && orientation(c, a, point) >= 0;
    }

    /** The triangles of a space that contain a point. */
    trianglesAt(space, point) {
        return this.trianglesOfSpace[space].filter((triangle) => this.contains(triangle, point));
    }

    doubleArea(triangle) {
        return orientation(this.corner(3 * triangle), this.corner(3 * triangle + 1), this.corner(3 * triangle + 2));
    }

    /** A point inside of a space: one of these if it is, otherwise in its largest triangle. Null for a space without triangles. */
    inside(space, preferred) {
        for (const point of preferred) {
            if (this.trianglesOfSpace[space].some((triangle) => this.contains(triangle, point))) return point;
        }
        let best = null;
        for (const triangle of this.trianglesOfSpace[space]) {
            const area = this.doubleArea(triangle);
            if (area > (best?.area ?? 0)) best = { area, triangle };
        }
        return best ? this.#center(best.triangle) : null;
    }

    #center(triangle) {
        const [a, b, c] = [0, 1, 2].map((offset) => this.corner(3 * triangle + offset));
        const point = roundedPoint({ x: (a.x + b.x + c.x) / 3, y: (a.y + b.y + c.y) / 3 });
        return this.contains(triangle, point) ? point : a;
    }

    /** The point of a triangle that is nearest to a point, and its distance. */
    nearest(point, triangle) {
        if (this.contains(triangle, point)) return { point, distance: 0 };
        const center = this.#center(triangle);
        let best = { position: this.corner(3 * triangle), distance: Infinity };
        for (let edge = 3 * triangle; edge < 3 * triangle + 3; edge += 1) {
            const [start, end] = [this.corner(edge), this.corner(nextEdge(edge))];
            const [dx, dy] = [end.x - start.x, end.y - start.y];
            const share = clamp(((point.x - start.x) * dx + (point.y - start.y) * dy) / (dx * dx + dy * dy));
            const position = { x: start.x + dx * share, y: start.y + dy * share };
            const length = distance(position, point);
            if (length < best.distance) best = { position, distance: length };
        }
        // The nearest point can be outside after rounding; then one that is nearer to the center is taken.
        for (const share of [0, 0.015625, 0.0625, 0.25, 0.5]) {
            const moved = roundedPoint({
                x: best.position.x + (center.x - best.position.x) * share, y: best.position.y + (center.y - best.position.y) * share,
            });
            if (this.contains(triangle, moved)) return { point: moved, distance: best.distance };
        }
        return { point: center, distance: best.distance };
    }
}

/** The portals at each wall, along it, and inside of each part, by the indices of their plans. */
function demandsOf(planner) {
    const notches = new Map();
    const slits = new Map();
    for (const [index, plan] of planner.plans.entries()) {
        for (const side of [plan.left, plan.right]) {
            if (side?.part !== undefined) addTo(slits, side.part, index);
            if (side?.wall === undefined) continue;
            const { start, end } = planner.walls[side.wall];
            const along = (point) => (end.x - start.x) * (point.x - start.x) + (end.y - start.y) * (point.y - start.y);
            addTo(notches, side.wall, { plan: index, position: along(plan.start) + along(plan.end) });
        }
    }
    for (const list of notches.values()) list.sort((one, other) => one.position - other.position || one.plan - other.plan);
    return { notches, slits };
}
