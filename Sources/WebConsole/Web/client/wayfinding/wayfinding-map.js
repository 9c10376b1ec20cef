import { BoxTree, rounded } from "./grid.js";
import { hasPassage } from "./exits.js";
import { Landmarks } from "./landmarks.js";
import { MissingPassages, reasonLimit } from "./missing-passages.js";
import { OneWayDoors, isTraversal } from "./one-way-doors.js";
import { PassageRules, Reachability, codes, flights, obstacle, obstaclesOf, steps } from "./passage-rules.js";
import { PathSearch } from "./path-search.js";
import { routeEnd, tooFar } from "./route-ends.js";
import { routeLegs } from "./route-legs.js";
import { Shafts, boxOfSpace } from "./shafts.js";
import { SpacePlan, idOf, idsOf, kindOf } from "./space-plan.js";
import { paceOf, travelTimesOf } from "./travel-times.js";
import { VenueMesh } from "./venue-mesh.js";
import { workLimits } from "./work-limits.js";

class SearchLimitError extends Error {}

const liftCategories = ["elevator", "escalator", "stairs", "ramp"];

/** Whether it is an amenity that is a lift, stairs, an escalator or a ramp; then its units are closed when it is. */
const isLift = ({ type, properties }) => type === "amenity" && liftCategories.includes(properties.category);

/**
 * Computes routes in a venue from its features. Units are areas to walk in, openings join two of them, and nothing else passes a wall. Floors
 * are joined by relationships, and where there are none by units of the same kind that lie above each other. The same features and queries
 * give the same answers as in Swift, byte for byte.
 */
export class WayfindingMap {
    /**
     * `features` are those of a replica, of all levels and of the venue; `language` is that of the archive. Floors whose units and openings are
     * where they were are taken over from `former`, a map of the venue before some features changed; the map is the same as without it.
     */
    constructor(features, { language = null, former = null, limits = workLimits } = {}, built = null) {
        const { byId, sorted, plan } = built ?? planOf(features);
        this.language = language;
        this.limits = limits;
        /** How long ways take; see `travelTimesOf`. Setting them computes nothing again. */
        this.travelTimes = travelTimesOf(null);
        this.features = byId;
        this.plan = plan;
        this.mesh = built?.mesh ?? VenueMesh.of(plan, former, limits);
        this.shafts = new Shafts(sorted, this.plan, this.mesh, limits);
        this.doors = new OneWayDoors(sorted, this.plan, this.mesh);
        this.rules = PassageRules.of(this.plan, this.mesh, this.shafts, this.doors.directions);
        this.reachability = new Reachability(this.mesh, this.shafts);
        this.indexOfSpace = new Map(this.plan.spaces.map(({ id }, index) => [id, index]));
        this.spaceTree = new BoxTree(this.plan.spaces.map(boxOfSpace));
        this.landmarks = new Landmarks(sorted, this.plan, this.mesh, this.indexOfSpace, this.features);
    }

    /** The same map, made floor by floor: `pause` is awaited after each, so that a page can do something else. */
    static async build(features, { language = null, former = null, pause }) {
        const made = planOf(features);
        await pause();
        const mesh = new VenueMesh(made.plan);
        for (const _ of mesh.addFloors(made.plan, former)) await pause();
        return new WayfindingMap([], { language }, { ...made, mesh });
    }

    /** A map of all held levels of a replica. */
    static of(replica) {
        const { language = null, wayfinding = null } = replica.state.about ?? {};
        const map = new WayfindingMap(replica.features(), { language });
        map.travelTimes = travelTimesOf(wayfinding);
        return map;
    }

    /**
     * The shortest way by time, or the reason why there is none: `{ distance, duration, legs, reasons, status, alternative? }`.
     *
     * `from` and `to` are `{ feature }` or `{ longitude, latitude, ordinal }`. `closed` maps the ids of what is shut (units, openings,
     * relationships, levels, amenities of lifts) to the time at which that ends, or to null. Sentences are Japanese if that is the first
     * of the `languages`, otherwise English.
     */
    route(query) {
        try {
            const found = this.#answer(query);
            return this.isTooComplex ? withUnknown(found, [tooFar()]) : found;
        } catch (error) {
            if (error instanceof SearchLimitError) return answer("unknown", { reasons: [tooFar()] });
            throw error;
        }
    }

    #answer({ from, to, profile = "walk", closed = new Map(), languages = ["en"] }) {
        const [start, end] = [routeEnd(this, from), routeEnd(this, to)];
        const failures = [start.reason, end.reason].filter((each) => each !== undefined);
        if (failures.length > 0) return answer("unknown", { reasons: unique(failures) });
        const pace = paceOf(profile, this.travelTimes);
        const closures = closuresOf(this, closed);
        closures.rules.admit(start, [end]);
        const rules = closures.rules.blockedBy(obstaclesOf[profile]);
        const query = { start, end, rules, closures, pace, profile };
        const found = this.#path(query);
        if (found !== null) return answer("route", { legs: routeLegs(this, found, start, end, { pace, languages }) });
        const open = closures.ends.size > 0 ? this.#path(query, obstacle.closed) : null;
        const walking = { ...query, rules: rules.blockedBy(obstaclesOf.walk), pace: paceOf("walk", this.travelTimes) };
        const other = profile === "step-free" ? this.#walkingPath(walking, open !== null) : null;
        const result = open === null ? this.#missing(query, other) : answer("infeasible", { reasons: this.#reasons(open, query, obstacle.closed) });
        if (other === null) return result;
        const legs = routeLegs(this, other, start, end, { pace: walking.pace, languages });
        return { alternative: { ...summary(legs), profile: "walk" }, ...result };
    }

    /** Those features that can be reached first, `{ feature, seconds }`, in this order. */
    nearest({ from, features, profile = "walk", closed = new Map(), limit = 1 }) {
        const start = routeEnd(this, from);
        if (start.reason !== undefined || limit <= 0) return [];
        const pace = paceOf(profile, this.travelTimes);
        const { rules } = closuresOf(this, closed);
        const targets = [...features].map((feature) => ({ feature: idOf(feature), end: routeEnd(this, { feature }) }))
            .filter(({ end }) => end.reason === undefined);
        rules.admit(start, targets.map(({ end }) => end), { limits: this.limits });
        const search = new PathSearch(this.mesh, this.shafts, rules.blockedBy(obstaclesOf[profile]), pace, targets.map(({ end }) => end));
        search.run(start, limit);
        return targets.map(({ feature }, index) => ({ feature, length: search.results[index]?.length }))
            .filter(({ length }) => length !== undefined)
            .sort((one, other) => one.length - other.length || (one.feature < other.feature ? -1 : 1))
            .slice(0, limit)
            .map(({ feature, length }) => ({ feature, seconds: rounded(length / (pace.speed * 1_000)) }));
    }

    /** Whether something can be closed: units that can be entered, openings, levels, relationships of ways, lifts, and occupants and anchors of units. */
    canClose(feature) {
        const { type, properties } = this.features.get(idOf(feature)) ?? {};
        switch (type) {
            case "opening": case "level": return true;
            case "unit": return kindOf(properties.category) !== null;
            case "relationship": return isTraversal({ type, properties }) || liftCategories.includes(properties.category);
            default: return unitsClosedWith(this, idOf(feature)).some((unit) => this.features.get(unit)?.type === "unit" && this.canClose(unit));
        }
    }

    /** Whether a floor, or what joins floors, needs more work than is done. A way that is not found may exist then. */
    get isTooComplex() {
        return this.mesh.tooComplexOrdinals.length > 0 || this.shafts.isExhausted;
    }

    /** The opening hours of everything that can be passed, as `{ feature, hours }`, for `closed`. */
    get timetables() {
        const { spaces, doorways } = this.plan;
        const ofShafts = this.shafts.shafts.map(({ relationship, hours }) => ({ id: relationship, hours }));
        const ofAmenities = [...this.features.values()].filter(isLift)
            .map(({ id, properties }) => ({ id, hours: typeof properties.hours === "string" ? properties.hours : null }));
        return [...spaces, ...doorways, ...ofShafts, ...this.doors.relationships, ...ofAmenities].filter(({ id, hours }) => id !== null && hours !== null)
            .map(({ id, hours }) => ({ feature: id, hours }));
    }

    // MARK: - Paths

    /** The shortest path if some obstacles did not exist; null for none. */
    #path({ start, end, rules, pace }, ignored = 0) {
        const open = rules.blockedBy(rules.blocking & ~ignored);
        // The search would go through everything else before it finds that there is no path.
        const reached = this.reachability.pieces(start.triangles, open);
        if (!end.triangles.some((triangle) => reached[this.mesh.pieceOfTriangle[triangle]])) return null;
        const search = new PathSearch(this.mesh, this.shafts, open, pace, [end], { limits: this.limits });
        search.run(start);
        if (search.isExhausted) throw new SearchLimitError();
        return search.path(0);
    }

    /** The path for those who can use steps. If what is closed is known without it, it may need more work than is done. */
    #walkingPath(query, isOptional) {
        try {
            return this.#path(query);
        } catch (error) {
            if (isOptional && error instanceof SearchLimitError) return null;
            throw error;
        }
    }

    /** The obstacles on a path that was found without some of them. Of stairs that follow one another, only the first are named. */
    #reasons(path, { start, end, rules, closures }, ignored, named = ignored) {
        const reasons = [];
        /** The flight on which the path has just been. */
        let flight = 0;
        const add = (obstacles, feature, causes = [feature]) => {
            for (const [bit, code] of codes) {
                if ((obstacles & rules.blocking & named & ~flight & bit) === 0) continue;
                for (const id of bit === obstacle.closed ? causes : [feature]) {
                    const until = bit === obstacle.closed ? closures.ends.get(id) ?? null : null;
                    reasons.push(until === null ? { code, feature: id } : { code, feature: id, until });
                }
            }
        };
        const addSpace = (space) => add(rules.spaces[space], this.plan.spaces[space].id, closures.causesOfSpace.get(space));
        const addPortal = (portal, space) => {
            const { doorway, edges } = this.mesh.portals[portal];
            if (doorway === null) return;
            const side = edges.findIndex((edge) => this.mesh.spaceOfTriangle[Math.floor(edge / 3)] === space);
            const direction = side >= 0 ? rules.obstacleOfDirection(portal, side === 1) : 0;
            add(rules.portals[portal] | direction, this.plan.doorways[doorway].id, closures.causesOfPortal.get(portal));
        };
        const addStop = ({ portal, behind }) => {
            if (portal !== null) addPortal(portal);
            if (!behind.some((space) => rules.isSpaceOpen(space))) behind.forEach(addSpace);
        };
        const enter = (space) => {
            addSpace(space);
            flight = rules.spaces[space] & flights;
        };
        if (start.spaces.length > 0) enter(this.#firstSpace(path, start, end, rules.blockedBy(rules.blocking & ~ignored)));
        for (const { portal, space, departure, arrival } of path) {
            if (portal !== undefined) {
                addPortal(portal, space);
                enter(space);
            } else if (departure !== undefined) {
                const [stop, other] = [this.shafts.stops[departure], this.shafts.stops[arrival]];
                addStop(stop);
                const id = this.shafts.shafts[stop.shaft].relationship ?? (stop.space === null ? null : this.plan.spaces[stop.space].id);
                if (id !== null) add(rules.shafts[stop.shaft], id);
                flight |= rules.shafts[stop.shaft] & flights;
                addStop(other);
                if (other.space === null) flight = 0;
                else enter(other.space);
            }
        }
        // A path that begins at an opening can begin in any unit at it, and has no step that passes it.
        if (reasons.length === 0) [...start.spaces, ...end.spaces].forEach(addSpace);
        return unique(reasons);
    }

    /** The unit in which a path begins: several can lie above each other at a place. */
    #firstSpace(path, start, end, open) {
        const first = path.find(({ point }) => point === undefined);
        let spaces = end.spaces;
        if (first?.portal !== undefined) {
            spaces = this.mesh.portals[first.portal].edges.map((edge) => this.mesh.spaceOfTriangle[Math.floor(edge / 3)])
                .filter((space) => space !== first.space);
        } else if (first !== undefined) {
            spaces = this.shafts.stops[first.departure].triangles.map((triangle) => this.mesh.spaceOfTriangle[triangle]);
        }
        return start.spaces.find((space) => spaces.includes(space) && open.isSpaceOpen(space)) ?? start.spaces[0];
    }

    /** The path if some obstacles did not exist, and these: `{ path, ignored }`. Null if it is not for obstacles that there is none. */
    #pathWithoutObstacles(query) {
        const restrictions = obstacle.restricted | obstacle.emergencyExit | obstacle.oneWay;
        for (const ignored of [steps | obstacle.closed, restrictions | obstacle.closed, steps | restrictions | obstacle.closed]) {
            const path = this.#path(query, ignored);
            if (path !== null) return { path, ignored };
        }
        return null;
    }

    /** No way under the profile, or missing data. `walking` is the path for those who can use steps, or null. */
    #missing(query, walking) {
        const { start, end, rules, profile } = query;
        const missing = new MissingPassages(this, profile, rules).between(start.triangles, end.triangles);
        const found = walking === null ? this.#pathWithoutObstacles(query) : { path: walking, ignored: steps };
        if (found !== null) {
            const reasons = this.#reasons(found.path, query, found.ignored, found.ignored & ~obstacle.closed).slice(0, reasonLimit);
            return answer(missing.length === 0 ? "none" : "unknown", { reasons: [...missing, ...reasons] });
        }
        let reasons = unique([...start.spaces.slice(0, 1), ...end.spaces.slice(0, 1)].filter((space) => !hasPassage(this, space))
            .map((space) => ({ code: "no-opening", feature: this.plan.spaces[space].id })));
        if (reasons.length === 0) reasons = missing;
        if (reasons.length === 0 && end.spaces.length > 0) {
            reasons = [{ code: "not-connected", feature: this.plan.spaces[end.spaces[0]].id }];
        }
        return answer("unknown", { reasons });
    }
}

function planOf(features) {
    const byId = new Map([...features].map(({ id, type, properties, geometry }) =>
        [id, { id, type, properties: properties ?? {}, geometry: geometry ?? null }]));
    const sorted = [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
    return { byId, sorted, plan: new SpacePlan(sorted) };
}

// MARK: - Answers

/** The members are in the order of canonical JSON. */
function answer(status, { legs = [], reasons = [] }) {
    return { ...summary(legs), reasons, status };
}

/** What is not known may have a way, so that the map cannot show that there is none. */
export function withUnknown(answer, reasons) {
    if (reasons.length === 0 || (answer.status !== "none" && answer.status !== "unknown")) return answer;
    return { ...answer, reasons: unique([...answer.reasons, ...reasons]), status: "unknown" };
}

function summary(legs) {
    return {
        distance: legs.reduce((sum, leg) => sum + rounded(leg.distance * 10), 0) / 10,
        duration: legs.reduce((sum, leg) => sum + leg.duration, 0),
        legs,
    };
}

function unique(reasons) {
    const isSame = (one, other) => one.code === other.code && one.feature === other.feature && one.until === other.until;
    return reasons.filter((each, index) => reasons.findIndex((other) => isSame(each, other)) === index);
}

/** What is closed: `{ rules, causesOfSpace, causesOfPortal, ends }`. */
function closuresOf(map, closed) {
    const ends = new Map([...closed].map(([id, until]) => [idOf(id), until]).filter(([id]) => id !== null));
    const rules = map.rules.copy();
    const [causesOfSpace, causesOfPortal] = [new Map(), new Map()];
    if (ends.size === 0) return { rules, causesOfSpace, causesOfPortal, ends };
    const add = (causes, index, id) => causes.set(index, [...(causes.get(index) ?? []), id]);
    for (const [index, { id, level }] of map.plan.spaces.entries()) {
        const levelId = map.plan.levels[level].id;
        if (ends.has(id)) add(causesOfSpace, index, id);
        if (ends.has(levelId)) add(causesOfSpace, index, levelId);
    }
    for (const id of [...ends.keys()].sort()) {
        for (const unit of unitsClosedWith(map, id)) {
            const space = map.indexOfSpace.get(unit);
            if (space !== undefined && !causesOfSpace.get(space)?.includes(id)) add(causesOfSpace, space, id);
        }
    }
    for (const space of causesOfSpace.keys()) rules.spaces[space] |= obstacle.closed;
    for (const [index, { doorway }] of map.mesh.portals.entries()) {
        if (doorway === null || !ends.has(map.plan.doorways[doorway].id)) continue;
        rules.portals[index] |= obstacle.closed;
        add(causesOfPortal, index, map.plan.doorways[doorway].id);
    }
    for (const [index, { bits, causes }] of map.doors.closedDirections(ends)) {
        rules.closeDirections(index, bits);
        for (const id of causes) add(causesOfPortal, index, id);
    }
    for (const [index, { relationship }] of map.shafts.shafts.entries()) {
        if (relationship !== null && ends.has(relationship)) rules.shafts[index] |= obstacle.closed;
    }
    return { rules, causesOfSpace, causesOfPortal, ends };
}

/** The units that are closed with an amenity that is a lift, with an occupant or with an anchor. */
function unitsClosedWith({ features }, id) {
    const feature = features.get(id);
    if (feature === undefined) return [];
    if (isLift(feature)) return idsOf(feature.properties.unit_ids);
    const anchor = feature.type === "occupant" ? features.get(idOf(feature.properties.anchor_id)) : feature;
    return anchor?.type === "anchor" ? [idOf(anchor.properties.unit_id)] : [];
}
