// What the map does not state although it may be the way: then a way that is not found may exist.

import { hasPassage } from "./exits.js";
import { expanded } from "./grid.js";
import { addTo } from "./lists-by-key.js";
import { obstacle, obstaclesOf } from "./passage-rules.js";
import { boxOfSpace } from "./shafts.js";

/** How far from a lift that nothing enters a unit may be into which its opening would lead, in millimetres. */
const nearby = 1_500;
/** How many units may be near all such lifts together. */
const nearLimit = 200_000;
/** At most so many features are named. */
export const reasonLimit = 8;

export class MissingPassages {
    /** Lifts, stairs, escalators and ramps that lead to no known floor: `{ code, feature, ordinal, pieces }`, the pieces from which they are entered. */
    #leads = [];
    /** Where openings may be missing: `{ reasons, pieces, inside }`, between pieces of a floor, or between them and what is inside of a lift. */
    #gaps = [];
    #leadsOfPiece = new Map();
    #gapsOfPiece = new Map();
    #gapsAround = new Map();
    #map;
    #rules;
    #ordinalOfPiece;
    #piecesOfOrdinal = new Map();

    /** `rules` have the closures, which do not count here, and the ends of a query. */
    constructor(map, profile, rules) {
        this.#map = map;
        this.#rules = rules.blockedBy(obstaclesOf[profile] & ~obstacle.closed);
        const { plan, mesh, shafts, reachability, spaceTree } = map;
        this.#ordinalOfPiece = reachability.spaceOfPiece.map((space) => plan.spaces[space].ordinal);
        for (const [piece, ordinal] of this.#ordinalOfPiece.entries()) addTo(this.#piecesOfOrdinal, ordinal, piece);
        const isPassable = ({ kind }) => profile === "walk" || (kind !== "stairs" && kind !== "escalator");
        const unusable = plan.unusable.filter(({ isRestricted }) => !isRestricted);
        let left = nearLimit;
        for (const [index, space] of plan.spaces.entries()) {
            if (!this.#rules.isSpaceOpen(index)) continue;
            if (mesh.incompleteSpaces.has(index)) unusable.push(space);
            if (!changesFloors(space) || !isPassable(space) || mesh.trianglesOfSpace[index].length === 0) continue;
            const inside = this.#piecesOf(index);
            let around = [];
            if (!hasPassage(map, index)) {
                const near = spaceTree.indices(expanded(boxOfSpace(space), nearby), left);
                left -= near.length;
                around = near.filter((each) => each !== index && plan.spaces[each].ordinal === space.ordinal).flatMap((each) => this.#piecesOf(each));
            }
            const feature = space.id;
            if (!shafts.isLinked(index)) this.#leads.push({ code: "leads-nowhere", feature, ordinal: space.ordinal, pieces: [...inside, ...around] });
            else if (around.length > 0) this.#gaps.push({ reasons: [{ code: "no-opening", feature }], pieces: around, inside });
        }
        this.#addUnusable(unusable.filter(isPassable));
        for (const gap of this.#gaps) {
            for (const piece of gap.pieces) addTo(this.#gapsOfPiece, piece, gap);
            for (const piece of gap.inside) addTo(this.#gapsAround, piece, gap);
        }
        for (const [index, lead] of this.#leads.entries()) {
            lead.index = index;
            for (const piece of lead.pieces) addTo(this.#leadsOfPiece, piece, lead);
        }
    }

    #piecesOf(space) {
        const { mesh } = this.#map;
        return [...new Set(mesh.trianglesOfSpace[space].map((triangle) => mesh.pieceOfTriangle[triangle]))];
    }

    /** A unit without a usable outline may lie anywhere on its floor. */
    #addUnusable(units) {
        const [gaps, leads] = [new Map(), new Map()];
        for (const unit of units) {
            if (changesFloors(unit)) addTo(leads, unit.ordinal, unit);
            if (!changesFloors(unit) || unit.kind === "ramp") addTo(gaps, unit.ordinal, unit);
        }
        const sorted = (lists) => [...lists].sort(([one], [other]) => one - other);
        const reasonsOf = (list) => list.slice(0, reasonLimit).map(({ id }) => ({ code: "unusable", feature: id }));
        const piecesOn = (ordinal) => this.#piecesOfOrdinal.get(ordinal) ?? [];
        for (const [ordinal, list] of sorted(gaps)) this.#gaps.push({ reasons: reasonsOf(list), pieces: piecesOn(ordinal), inside: [] });
        for (const [ordinal, list] of sorted(leads)) for (const reason of reasonsOf(list)) this.#leads.push({ ...reason, ordinal, pieces: piecesOn(ordinal) });
    }

    /** For a side, with a function that returns whether a piece is on the other one. */
    crossing(isReached) {
        const { stopsOfPiece } = this.#map.reachability;
        return new GapCrossing(this.#gapsOfPiece, this.#gapsAround, stopsOfPiece, isReached);
    }

    /** What a side of a way that was not found has for `reasons`, from its pieces. */
    side(pieces) {
        return {
            ordinals: new Set(pieces.map((piece) => this.#ordinalOfPiece[piece])),
            leads: new Set(pieces.flatMap((piece) => this.#leadsOfPiece.get(piece) ?? [])),
        };
    }

    /** Why there may be a way between two sides; empty if the map shows that there is none. `crossing` is that of the far side. */
    reasons(near, far, crossing) {
        // What leads to another floor helps if the other side is on one, or has something else that may come from there.
        const mayLead = (lead, { ordinals, leads }) => ordinals.size > (ordinals.has(lead.ordinal) ? 1 : 0) || leads.size > (leads.has(lead) ? 1 : 0);
        const leading = new Set([...near.leads].filter((lead) => mayLead(lead, far)).concat([...far.leads].filter((lead) => mayLead(lead, near))));
        const joining = crossing.isJoined ? this.#gaps.filter((gap) => crossing.hasCrossed(gap)).flatMap(({ reasons }) => reasons) : [];
        const leads = [...leading].sort((one, other) => one.index - other.index).map(({ code, feature }) => ({ code, feature }));
        const isFirst = ({ code, feature }, index, all) => all.findIndex((each) => each.code === code && each.feature === feature) === index;
        return [...leads, ...joining].slice(0, reasonLimit).filter(isFirst);
    }

    /** The reasons for triangles at the ends of a way that was not found. */
    between(starts, ends) {
        const { reachability } = this.#map;
        const piecesOf = (reached) => [...reached.keys()].filter((piece) => reached[piece]);
        const forward = reachability.pieces(starts, this.#rules);
        const crossing = this.crossing((piece) => forward[piece]);
        const backward = reachability.pieces(ends, this.#rules, true, crossing);
        return this.reasons(this.side(piecesOf(forward)), this.side(piecesOf(backward)), crossing);
    }
}

/** What missing openings may join with the pieces of a side. */
class GapCrossing {
    /** Whether one of the gaps that were crossed leads to what is reached. */
    isJoined = false;
    #entered = new Set();
    #left = new Set();
    #gapsOfPiece;
    #gapsAround;
    #stopsOfPiece;
    #isReached;

    constructor(gapsOfPiece, gapsAround, stopsOfPiece, isReached) {
        [this.#gapsOfPiece, this.#gapsAround, this.#stopsOfPiece, this.#isReached] = [gapsOfPiece, gapsAround, stopsOfPiece, isReached];
    }

    hasCrossed(gap) {
        return this.#entered.has(gap) || this.#left.has(gap);
    }

    /** Goes on from a piece. `visit` is called for others, `ride` returns the pieces to which a stop of a lift leads. */
    leave(piece, visit, ride) {
        const reach = (other) => {
            if (this.#isReached(other)) this.isJoined = true;
            else visit(other);
        };
        for (const gap of this.#gapsOfPiece.get(piece) ?? []) {
            if (this.#entered.has(gap)) continue;
            this.#entered.add(gap);
            // Nobody passes a lift to leave it on the same floor.
            if (gap.inside.length === 0) gap.pieces.forEach(reach);
            if (gap.inside.some(this.#isReached)) this.isJoined = true;
            for (const inside of gap.inside) for (const stop of this.#stopsOfPiece[inside]) ride(stop).forEach(reach);
        }
        for (const gap of this.#gapsAround.get(piece) ?? []) {
            if (this.#left.has(gap)) continue;
            this.#left.add(gap);
            gap.pieces.forEach(reach);
        }
    }
}

/** Whether a unit leads to other floors. Steps are between two heights of one floor. */
const changesFloors = ({ kind, category }) => kind !== "floor" && category !== "steps";
