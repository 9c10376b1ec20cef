// What joins floors: relationships, and where these say nothing, units that lie above each other.

import { BoxTree, boxAround, distance } from "./grid.js";
import { addTo } from "./lists-by-key.js";
import { idOf, textOf } from "./space-plan.js";
import { nextEdge } from "./triangulation.js";

const modes = ["elevator", "stairs", "escalator", "ramp"];
/** The least share of the smaller unit that two units of a shaft have in common. */
const leastOverlap = 0.3;
/** Units with more triangles than this are compared by their first ones. */
const comparedTriangles = 256;
/** The greatest number of stops of a relationship, and of relationships of a unit. */
const stopLimit = 256;

/** The middle of a portal. */
export const middleOf = ({ start, end }) => ({ x: Math.floor((start.x + end.x) / 2), y: Math.floor((start.y + end.y) / 2) });

/** The box of a unit. */
export const boxOfSpace = (space) => boxAround(space.polygons.flat(2));

/** Where a unit is entered and left: its display point, or else its middle, if they are inside. Null for a unit without triangles. */
export function centerOf(plan, mesh, index) {
    const space = plan.spaces[index];
    const { left, right, bottom, top } = boxOfSpace(space);
    const middle = { x: Math.floor((left + right) / 2), y: Math.floor((bottom + top) / 2) };
    return mesh.inside(index, space.displayPoint ? [space.displayPoint, middle] : [middle]);
}

/**
 * `shafts` are `{ mode, relationship, hours, isDirected, first, end, lowest, highest }`: a range of `stops`, and their ordinals. A stop is a
 * unit or a portal, and cannot be used if everything is closed that is `behind` it: the units of the shaft to which it leads.
 */
export class Shafts {
    shafts = [];
    stops = [];
    stopsOfSpace = new Map();
    stopsOfTriangle = new Map();
    #plan;
    #mesh;
    /** The shafts of relationships of each space. */
    #statedShafts = new Map();
    /** How many pairs of triangles may still be compared. */
    #pairsLeft;

    /** `features` are sorted by id. */
    constructor(features, plan, mesh, { trianglePairs }) {
        this.#pairsLeft = trianglePairs;
        this.#plan = plan;
        this.#mesh = mesh;
        const spaces = new Map(plan.spaces.map(({ id }, index) => [id, index]));
        const portals = new Map();
        for (const [index, { doorway }] of mesh.portals.entries()) {
            if (doorway !== null && !portals.has(plan.doorways[doorway].id)) portals.set(plan.doorways[doorway].id, index);
        }
        for (const { id, type, properties } of features) {
            if (type !== "relationship" || !modes.includes(properties.category)) continue;
            const intermediary = Array.isArray(properties.intermediary) ? properties.intermediary : [];
            const ids = [properties.origin, ...intermediary, properties.destination].map((each) => idOf(each?.id)).filter((each) => each !== null);
            const ends = [...new Set(ids)].map((each) => {
                if (spaces.has(each)) return this.#stopIn(spaces.get(each));
                return portals.has(each) ? this.#stopAt(portals.get(each), properties.category) : null;
            }).filter((each) => each !== null).slice(0, stopLimit);
            this.#addStated(ends, {
                mode: properties.category, relationship: id, hours: textOf(properties.hours), isDirected: properties.direction === "directed",
            });
        }
        for (const mode of modes) this.#derive(mode);
    }

    #spacesOf({ space, triangles }) {
        return space === null ? triangles.map((triangle) => this.#mesh.spaceOfTriangle[triangle]) : [space];
    }

    /** Adds the shaft of a relationship, which can name halls and openings beside the units of the shaft. */
    #addStated(ends, shaft) {
        const borders = new Set(ends.flatMap((end) => this.#spacesOf(end)));
        if ([...borders].some((space) => (this.#statedShafts.get(space)?.length ?? 0) >= stopLimit)) return;
        const isUnit = ({ space }) => space !== null && this.#plan.spaces[space].kind === shaft.mode;
        const units = new Set(ends.filter(isUnit).map(({ space }) => space));
        const portals = new Set(ends.filter(({ portal }) => portal !== null).map(({ portal }) => portal));
        // Whoever is in a hall goes to the shaft by way of the opening; whether that can be passed is known only there.
        const isBeside = (end) => !isUnit(end) && (end.space === null
            ? this.#spacesOf(end).some((space) => units.has(space))
            : this.#mesh.portalsOfSpace[end.space].some((portal) =>
                portals.has(portal) || this.#mesh.portals[portal].edges.some((edge) => units.has(this.#mesh.spaceOfTriangle[Math.floor(edge / 3)]))));
        const stops = ends.filter((end) => !isBeside(end)).map((end) => (isUnit(end) || end.behind.length > 0 ? end : {
            ...end, behind: [...units].filter((space) => this.#plan.spaces[space].ordinal === end.ordinal),
        }));
        const index = this.shafts.length;
        this.#add(stops, shaft);
        if (this.shafts.length > index) for (const space of borders) addTo(this.#statedShafts, space, index);
    }

    /** Whether a shaft leads to a unit, by whatever is named. */
    isLinked(space) {
        return this.stopsOfSpace.has(space) || this.#statedShafts.has(space);
    }

    /** The shafts that lead to a unit. */
    shaftsOf(space) {
        const derived = (this.stopsOfSpace.get(space) ?? []).map((stop) => this.stops[stop].shaft);
        return [...new Set([...(this.#statedShafts.get(space) ?? []), ...derived])].map((index) => this.shafts[index]);
    }

    #add(ends, shaft) {
        if (ends.length < 2) return;
        const first = this.stops.length;
        for (const end of ends) {
            if (end.space !== null) addTo(this.stopsOfSpace, end.space, this.stops.length);
            for (const triangle of end.triangles) addTo(this.stopsOfTriangle, triangle, this.stops.length);
            this.stops.push({ ...end, shaft: this.shafts.length });
        }
        const ordinals = ends.map(({ ordinal }) => ordinal);
        this.shafts.push({ ...shaft, first, end: this.stops.length, lowest: Math.min(...ordinals), highest: Math.max(...ordinals) });
    }

    #stopIn(space) {
        const point = centerOf(this.#plan, this.#mesh, space);
        if (point === null) return null;
        const { level, ordinal } = this.#plan.spaces[space];
        return { space, portal: null, point, triangles: this.#mesh.trianglesAt(space, point), level, ordinal, behind: [] };
    }

    #stopAt(index, mode) {
        const portal = this.#mesh.portals[index];
        const triangles = portal.edges.map((edge) => Math.floor(edge / 3));
        const { level, ordinal } = this.#plan.spaces[this.#mesh.spaceOfTriangle[triangles[0]]];
        const behind = triangles.map((each) => this.#mesh.spaceOfTriangle[each]).filter((each) => this.#plan.spaces[each].kind === mode);
        return { space: null, portal: index, point: middleOf(portal), triangles, level, ordinal, behind };
    }

    // MARK: - Units above each other

    /** Whether the limit was reached, so that units that lie above each other may not be joined. */
    get isExhausted() {
        return this.#pairsLeft <= 0;
    }

    #derive(mode) {
        const { spaces } = this.#plan;
        const { ordinals } = this.#mesh;
        const units = [...spaces.keys()].filter((index) => spaces[index].kind === mode);
        const above = new Map();
        for (let index = 1; index < ordinals.length; index += 1) {
            const [low, high] = [ordinals[index - 1], ordinals[index]];
            const lower = units.filter((unit) => spaces[unit].ordinal === low && !this.#isStated(mode, unit, high));
            const upper = units.filter((unit) => spaces[unit].ordinal === high && !this.#isStated(mode, unit, low));
            for (const [one, other] of this.#pairs(lower, upper)) above.set(one, other);
        }
        const isAbove = new Set(above.values());
        for (const unit of units) {
            // A lift has one shaft for all its floors; the others have one for each two.
            if (!above.has(unit) || (mode === "elevator" && isAbove.has(unit))) continue;
            const chain = [unit];
            while (above.has(chain[chain.length - 1]) && (mode === "elevator" || chain.length < 2)) chain.push(above.get(chain[chain.length - 1]));
            const ends = chain.map((each) => this.#stopIn(each)).filter((each) => each !== null);
            this.#add(ends, { mode, relationship: null, hours: null, isDirected: false });
        }
    }

    /** Whether a relationship joins a unit with an ordinal, or passes it. */
    #isStated(mode, space, ordinal) {
        return (this.#statedShafts.get(space) ?? []).map((index) => this.shafts[index])
            .some((shaft) => shaft.mode === mode && shaft.lowest <= ordinal && ordinal <= shaft.highest);
    }

    /** Pairs of units that lie above each other, each unit at most once, those with the greatest overlap first. */
    #pairs(lower, upper) {
        const tree = new BoxTree(upper.map((each) => boxOfSpace(this.#plan.spaces[each])));
        const candidates = [];
        for (const low of lower) {
            for (const index of tree.indices(boxOfSpace(this.#plan.spaces[low]), this.#pairsLeft)) {
                const [first, second] = [low, upper[index]].map((each) => this.#mesh.trianglesOfSpace[each].slice(0, comparedTriangles));
                this.#pairsLeft = Math.max(0, this.#pairsLeft - first.length * second.length - 1);
                // A unit that was not compared may have more in common than those that were.
                if (this.isExhausted) return [];
                const share = overlap(this.#mesh, first, second);
                if (share >= leastOverlap) candidates.push({ share, low, high: upper[index] });
            }
        }
        candidates.sort((one, other) => other.share - one.share || one.low - other.low || one.high - other.high);
        const used = new Set();
        const pairs = [];
        for (const { low, high } of candidates) {
            if (used.has(low) || used.has(high)) continue;
            used.add(low).add(high);
            pairs.push([low, high]);
        }
        return pairs;
    }
}

// MARK: - Overlap

/** The share of the smaller one of two spaces that they have in common, from their triangles. */
function overlap(mesh, first, second) {
    const areaOf = (triangles) => triangles.reduce((sum, triangle) => sum + mesh.doubleArea(triangle), 0);
    const smaller = Math.min(areaOf(first), areaOf(second));
    if (!(smaller > 0)) return 0;
    let common = 0;
    for (const triangle of first) {
        for (const clip of second) common += commonDoubleArea(mesh, triangle, clip);
    }
    return common / smaller;
}

/** Clips a triangle by another one (Sutherland and Hodgman). */
function commonDoubleArea(mesh, triangle, clip) {
    let polygon = [0, 1, 2].map((offset) => mesh.corner(3 * triangle + offset));
    for (let edge = 3 * clip; edge < 3 * clip + 3; edge += 1) {
        const [start, end] = [mesh.corner(edge), mesh.corner(nextEdge(edge))];
        if (polygon.length === 0) return 0;
        let previous = polygon[polygon.length - 1];
        let previousSide = sideOf(start, end, previous);
        const clipped = [];
        for (const point of polygon) {
            const side = sideOf(start, end, point);
            if ((side > 0 && previousSide < 0) || (side < 0 && previousSide > 0)) {
                const share = previousSide / (previousSide - side);
                clipped.push({ x: previous.x + (point.x - previous.x) * share, y: previous.y + (point.y - previous.y) * share });
            }
            if (side >= 0) clipped.push(point);
            previous = point;
            previousSide = side;
        }
        polygon = clipped;
    }
    let area = 0;
    for (let index = 1; index < polygon.length - 1; index += 1) area += sideOf(polygon[0], polygon[index], polygon[index + 1]);
    return area;
}

const sideOf = (start, end, point) => (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x);

// MARK: - Times

/** The seconds that a change of floors takes at a pace; see `paceOf`. */
export function secondsOf(mode, departure, arrival, { speed, elevatorSeconds, elevatorSecondsPerLevel }) {
    const floors = Math.abs(arrival.ordinal - departure.ordinal);
    const seconds = mode === "elevator" ? elevatorSeconds + elevatorSecondsPerLevel * floors : (mode === "ramp" ? 60 : 20) * floors;
    return Math.max(seconds, distance(departure.point, arrival.point) / (speed * 1_000));
}

/** How many pairs of stops are looked at. */
const detourPairs = 20_000;

/** What each level of a change of floors costs at least besides the distance between its stops, as millimetres of walking: 0 if that is not known. */
export function leastDetour({ shafts, stops }, pace, rules) {
    let [least, pairs] = [Infinity, 0];
    for (const [index, { mode, first, end }] of shafts.entries()) {
        if (!rules.isShaftOpen(index)) continue;
        pairs += ((end - first) * (end - first - 1)) / 2;
        if (pairs > detourPairs) return 0;
        for (let departure = first; departure < end; departure += 1) {
            for (let arrival = departure + 1; arrival < end; arrival += 1) {
                const [stop, other] = [stops[departure], stops[arrival]];
                const levels = Math.abs(other.ordinal - stop.ordinal);
                if (levels === 0) continue;
                const length = secondsOf(mode, stop, other, pace) * (pace.speed * 1_000);
                least = Math.min(least, Math.max(0, length - distance(stop.point, other.point)) / levels);
            }
        }
    }
    return least < Infinity ? least : 0;
}
