// What somebody reaches from the exits under a profile, and why not the rest.

import { codes, obstaclesOf } from "./passage-rules.js";
import { connectedComponents } from "./connected-components.js";
import { hasPassage } from "./exits.js";
import { MissingPassages } from "./missing-passages.js";
import { ObstacleSearch } from "./obstacle-search.js";

/** The greatest number of reasons of one kind. */
const reasonLimit = 8;

export class ProfileReach {
    #map;
    /** The piece in which each space is entered; undefined for one without triangles. */
    #pieces;
    /** Openings without a second side at each space, or near it. */
    #unjoinedDoorways;
    #search;
    #components;
    #missing;
    /** What is reached, and each component of what is not, as sides of `MissingPassages`, the latter with their crossings. */
    #near;
    #far;

    constructor(map, pieces, unjoinedDoorways) {
        this.#map = map;
        this.#pieces = pieces;
        this.#unjoinedDoorways = unjoinedDoorways;
    }

    /** Searches from `starts`, as of `ObstacleSearch.run`. A generator, as of `finish`. */
    *run(profile, starts) {
        this.#search = new ObstacleSearch(this.#map, obstaclesOf[profile]);
        yield* this.#search.run(starts);
        this.#missing = new MissingPassages(this.#map, profile, this.#map.rules);
        const isReached = (piece) => this.#search.counts[piece] === 0;
        const crossings = [];
        this.#components = yield* connectedComponents(this.#map, obstaclesOf[profile], (piece) => !isReached(piece),
            (component) => crossings[component] ??= this.#missing.crossing(isReached));
        const near = [];
        const far = crossings.map(() => []);
        for (const [piece, component] of this.#components.componentOfPiece.entries()) {
            if (isReached(piece)) near.push(piece);
            else far[component]?.push(piece);
        }
        this.#near = this.#missing.side(near);
        this.#far = far.map((pieces, component) => ({ side: this.#missing.side(pieces), crossing: crossings[component] }));
    }

    isReached(space) {
        const piece = this.#pieces[space];
        return piece !== undefined && (this.#search.counts[piece] === 0 || this.#search.isReachedAsDestination(piece, space));
    }

    /** Why a space is not reached: `{ status, reasons }`. */
    reasons(space) {
        const { plan } = this.#map;
        const { id } = plan.spaces[space];
        const piece = this.#pieces[space];
        if (piece === undefined) {
            const isTooComplex = this.#map.mesh.tooComplexOrdinals.includes(plan.spaces[space].ordinal);
            return { status: "unknown", reasons: [{ code: isTooComplex ? "too-far" : "unusable", feature: id }] };
        }
        const missing = this.#missingBefore(piece);
        if (this.#search.counts[piece] >= 0) {
            return { status: missing.length === 0 ? "none" : "unknown", reasons: [...missing, ...this.#obstacles(piece)] };
        }
        const doorways = this.#unjoinedDoorways[space].slice(0, reasonLimit)
            .map((each) => ({ code: "joins-nothing", feature: plan.doorways[each].id }));
        if (!hasPassage(this.#map, space)) return { status: "unknown", reasons: [{ code: "no-opening", feature: id }, ...doorways] };
        const reasons = [...missing, ...doorways];
        return { status: "unknown", reasons: reasons.length > 0 ? reasons : [{ code: "not-connected", feature: id }] };
    }

    /** What may be the way to a piece. */
    #missingBefore(piece) {
        const far = this.#far[this.#components.componentOfPiece[piece]] ?? this.#alone(piece);
        far.reasons ??= this.#missing.reasons(this.#near, far.side, far.crossing);
        return far.reasons;
    }

    /** A piece of what is not a passage is in no component. */
    #alone(piece) {
        const crossing = this.#missing.crossing((other) => this.#search.counts[other] === 0);
        crossing.leave(piece, () => {}, () => []);
        return { side: this.#missing.side([piece]), crossing };
    }

    #obstacles(piece) {
        const reasons = [];
        for (const { obstacles, feature } of this.#search.obstacles(piece, reasonLimit)) {
            for (const [bit, code] of codes) {
                const isKnown = reasons.some((each) => each.code === code && each.feature === feature);
                if ((obstacles & bit) !== 0 && !isKnown) reasons.push({ code, feature });
            }
        }
        return reasons;
    }
}
