// What somebody reaches from the exits under a profile, and why not the rest.

import { codes, obstaclesOf } from "./passage-rules.js";
import { connectedComponents } from "./connected-components.js";
import { hasPassage } from "./exits.js";
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
    /** Lifts, stairs, escalators and ramps that lead nowhere: those that can be reached, and those of each component of what cannot. */
    #unlinked = { reached: [], ofComponent: new Map() };
    /** The only ordinal on which there are exits; null for none or several. */
    #exitOrdinal;

    constructor(map, pieces, unjoinedDoorways) {
        this.#map = map;
        this.#pieces = pieces;
        this.#unjoinedDoorways = unjoinedDoorways;
    }

    /** Searches from `starts`, as of `ObstacleSearch.run`. A generator, as of `finish`. */
    *run(profile, starts) {
        const { plan, mesh, shafts } = this.#map;
        const ordinals = new Set(starts.map(({ triangle }) => plan.spaces[mesh.spaceOfTriangle[triangle]].ordinal));
        this.#exitOrdinal = ordinals.size === 1 ? [...ordinals][0] : null;
        this.#search = new ObstacleSearch(this.#map, obstaclesOf[profile]);
        yield* this.#search.run(starts);
        this.#components = yield* connectedComponents(this.#map, obstaclesOf[profile], (piece) => this.#search.counts[piece] !== 0);
        for (const [index, { kind }] of plan.spaces.entries()) {
            const piece = this.#pieces[index];
            if (kind === "floor" || piece === undefined || shafts.isLinked(index)) continue;
            if (profile === "walk" || kind === "elevator" || kind === "ramp") this.#addUnlinked(index, piece);
        }
    }

    #addUnlinked(space, piece) {
        const { reached, ofComponent } = this.#unlinked;
        const component = this.#components.componentOfPiece[piece];
        if (this.#search.counts[piece] !== 0 && component < 0) return;
        if (this.#search.counts[piece] !== 0 && !ofComponent.has(component)) ofComponent.set(component, []);
        const list = this.#search.counts[piece] === 0 ? reached : ofComponent.get(component);
        if (list.length < reasonLimit) list.push(space);
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
        const leading = this.#missing(space, piece).map((each) => ({ code: "leads-nowhere", feature: plan.spaces[each].id }));
        if (this.#search.counts[piece] >= 0) {
            return { status: leading.length === 0 ? "none" : "unknown", reasons: [...leading, ...this.#obstacles(piece)] };
        }
        const doorways = this.#unjoinedDoorways[space].slice(0, reasonLimit)
            .map((each) => ({ code: "joins-nothing", feature: plan.doorways[each].id }));
        if (!hasPassage(this.#map, space)) return { status: "unknown", reasons: [{ code: "no-opening", feature: id }, ...doorways] };
        const reasons = [...leading, ...doorways];
        return { status: "unknown", reasons: reasons.length > 0 ? reasons : [{ code: "not-connected", feature: id }] };
    }

    /** A lift that is drawn on another floor alone may be what is missing. */
    #missing(space, piece) {
        if (this.#map.plan.spaces[space].ordinal === this.#exitOrdinal) return [];
        const { reached, ofComponent } = this.#unlinked;
        return [...reached, ...(ofComponent.get(this.#components.componentOfPiece[piece]) ?? [])].slice(0, reasonLimit);
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
