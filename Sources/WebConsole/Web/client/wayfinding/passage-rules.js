// What may be passed in a search, and what can be reached at all.

import { backward, forward } from "./one-way-doors.js";

/** Why something may not be passed, as bits. A destination may be entered, but not left again. */
export const obstacle = { closed: 1, stairs: 2, escalator: 4, narrow: 8, restricted: 16, emergencyExit: 32, destination: 64, oneWay: 128 };

/** What somebody in a wheelchair cannot pass, but others can. */
export const steps = obstacle.stairs | obstacle.escalator | obstacle.narrow;

/** Stairs and escalators: those that follow one another are one flight. */
export const flights = obstacle.stairs | obstacle.escalator;

export const codes = [
    [obstacle.closed, "closed"], [obstacle.stairs, "stairs"], [obstacle.escalator, "escalator"], [obstacle.narrow, "narrow-opening"],
    [obstacle.restricted, "restricted"], [obstacle.emergencyExit, "emergency-exit"],
    [obstacle.oneWay, "one-way"],
];

/** The least width of an opening for wheelchairs, in millimetres. */
const leastStepFreeWidth = 800;
/** How much narrower an opening can be because its ends are rounded to the grid, in millimetres. */
const widthTolerance = 2;

/** Where the bits of closed directions are in those of directions. */
const closedShift = 2;

const common = obstacle.closed | obstacle.restricted | obstacle.emergencyExit | obstacle.oneWay;
/** The obstacles of each profile. */
export const obstaclesOf = { walk: common, "step-free": common | steps };

const ofSteps = (kind) => (kind === "stairs" ? obstacle.stairs : kind === "escalator" ? obstacle.escalator : 0);

/** The obstacles of each space, portal and shaft, and those that count. */
export class PassageRules {
    /** `directions` are those of `OneWayDoors`. */
    constructor(spaces, portals, shafts, directions, blocking) {
        Object.assign(this, { spaces, portals, shafts, directions, blocking });
    }

    /** Rules without closures. */
    static of(plan, mesh, { shafts }, directions) {
        return new PassageRules(
            plan.spaces.map(({ kind, isRestricted }) => ofSteps(kind) | (isRestricted ? obstacle.restricted : 0)),
            mesh.portals.map(({ doorway, width }) => {
                if (doorway === null) return 0;
                const isExit = plan.doorways[doorway].category === "emergencyexit";
                return (width < leastStepFreeWidth - widthTolerance ? obstacle.narrow : 0) | (isExit ? obstacle.emergencyExit : 0);
            }),
            shafts.map(({ mode }) => ofSteps(mode)), directions, 0);
    }

    copy() {
        return new PassageRules([...this.spaces], [...this.portals], [...this.shafts], [...this.directions], this.blocking);
    }

    /** The same rules with other obstacles that count. */
    blockedBy(blocking) {
        return new PassageRules(this.spaces, this.portals, this.shafts, this.directions, blocking);
    }

    /** Restricted units are left where a route begins, and entered where it ends, if it does so at something in them. */
    admit(start, ends) {
        for (const space of ends.flatMap(({ named }) => named)) {
            if ((this.spaces[space] & obstacle.restricted) !== 0) this.spaces[space] = (this.spaces[space] & ~obstacle.restricted) | obstacle.destination;
        }
        for (const space of start.named) this.spaces[space] &= ~(obstacle.restricted | obstacle.destination);
    }

    /** Whether a unit can only be entered. */
    isDestination(space) {
        return (this.spaces[space] & obstacle.destination) !== 0;
    }

    isSpaceOpen(space) {
        return (this.spaces[space] & this.blocking) === 0;
    }

    isPortalOpen(portal) {
        return (this.portals[portal] & this.blocking) === 0;
    }

    /** The obstacle of a portal that is passed from the space of its first half-edge, or else of its second one. */
    obstacleOfDirection(portal, isLeavingFirst) {
        const direction = isLeavingFirst ? forward : backward;
        if ((this.directions[portal] & direction) === 0) return obstacle.oneWay;
        return (this.directions[portal] & (direction << closedShift)) === 0 ? 0 : obstacle.closed;
    }

    /** Closes directions of a portal, as bits. */
    closeDirections(portal, bits) {
        this.directions[portal] |= bits << closedShift;
    }

    /** Whether a portal may be passed in this direction, if it is open at all. */
    leads(portal, isLeavingFirst) {
        return (this.obstacleOfDirection(portal, isLeavingFirst) & this.blocking) === 0;
    }

    isShaftOpen(shaft) {
        return (this.shafts[shaft] & this.blocking) === 0;
    }

    /** Whether a shaft can be entered and left at a stop. */
    isStopOpen({ portal, behind }) {
        return (portal === null || this.isPortalOpen(portal)) && (behind.length === 0 || behind.some((space) => this.isSpaceOpen(space) && !this.isDestination(space)));
    }
}

/** What can be reached from where, without lengths: pieces of units, joined by portals and shafts. */
export class Reachability {
    #mesh;
    #shafts;
    portalsOfPiece;
    stopsOfPiece;
    spaceOfPiece;

    constructor(mesh, shafts) {
        this.#mesh = mesh;
        this.#shafts = shafts;
        const lists = () => Array.from({ length: mesh.pieceCount }, () => []);
        [this.portalsOfPiece, this.stopsOfPiece, this.spaceOfPiece] = [lists(), lists(), []];
        for (const [triangle, piece] of mesh.pieceOfTriangle.entries()) this.spaceOfPiece[piece] = mesh.spaceOfTriangle[triangle];
        for (const [index, { edges }] of mesh.portals.entries()) {
            if (edges.length < 2) continue;
            for (const edge of edges) this.portalsOfPiece[mesh.pieceOfTriangle[Math.floor(edge / 3)]].push(index);
        }
        for (const [index, { triangles }] of shafts.stops.entries()) {
            for (const piece of new Set(triangles.map((each) => mesh.pieceOfTriangle[each]))) this.stopsOfPiece[piece].push(index);
        }
    }

    /**
     * For each piece whether it can be reached from triangles, or with `isReversed` whether they can be reached from it. A `crossing` is one of
     * `MissingPassages`, and leads on from each.
     */
    pieces(triangles, rules, isReversed = false, crossing = null) {
        const reached = new Array(this.spaceOfPiece.length).fill(false);
        const stack = [];
        const visitPiece = (piece) => {
            if (reached[piece] || !rules.isSpaceOpen(this.spaceOfPiece[piece])) return;
            reached[piece] = true;
            stack.push(piece);
        };
        const visit = (triangle) => visitPiece(this.#mesh.pieceOfTriangle[triangle]);
        triangles.forEach(visit);
        while (stack.length > 0) {
            const piece = stack.pop();
            for (const portal of this.portalsOfPiece[piece]) {
                if (!rules.isPortalOpen(portal)) continue;
                const { edges } = this.#mesh.portals[portal];
                for (const [side, edge] of edges.entries()) {
                    const isHere = this.#mesh.pieceOfTriangle[Math.floor(edge / 3)] === piece;
                    if (isHere && rules.leads(portal, (side === 0) !== isReversed)) visit(Math.floor(edges[1 - side] / 3));
                }
            }
            for (const stop of this.stopsOfPiece[piece]) this.#ride(stop, rules, isReversed).forEach(visitPiece);
            crossing?.leave(piece, visitPiece, (stop) => this.#ride(stop, rules, isReversed));
        }
        return reached;
    }

    /** The pieces to which a stop leads. */
    #ride(stop, rules, isReversed) {
        const index = this.#shafts.stops[stop].shaft;
        const found = [];
        if (!rules.isShaftOpen(index) || !rules.isStopOpen(this.#shafts.stops[stop])) return found;
        const { first, end, isDirected } = this.#shafts.shafts[index];
        for (let other = first; other < end; other += 1) {
            if (other === stop || (isDirected && other > stop === isReversed)) continue;
            if (!rules.isStopOpen(this.#shafts.stops[other])) continue;
            for (const triangle of this.#shafts.stops[other].triangles) found.push(this.#mesh.pieceOfTriangle[triangle]);
        }
        return found;
    }
}
