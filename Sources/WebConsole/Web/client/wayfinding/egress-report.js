// For every unit the nearest exits by ways without lifts. It is computed from the map alone, and is not an evacuation plan.

import { centerOf, middleOf } from "./shafts.js";
import { exitPortalsOf } from "./exits.js";
import { lengthOf } from "./landmarks.js";
import { obstacle, obstaclesOf } from "./passage-rules.js";
import { paceOf } from "./travel-times.js";
import { PathSearch } from "./path-search.js";
import { reportedName } from "./report-members.js";
import { rounded } from "./grid.js";

/** The greatest number of exits from which ways are searched. */
const exitLimit = 200;
/** How many nodes of a search are visited, or ways followed, at a time. */
const portion = 256;

/**
 * The report for a map, `{ notice, units }`, as somebody who walks goes. Emergency exits are passages here. Its members are in the order of
 * canonical JSON. A generator, as of `finish`.
 */
export function* egressReport(map) {
    const targets = [];
    for (const space of map.plan.spaces.keys()) {
        const point = centerOf(map.plan, map.mesh, space);
        if (point !== null) targets.push({ space, point, triangles: map.mesh.trianglesAt(space, point), ways: [] });
        yield;
    }
    const exits = exitPortalsOf(map);
    const pace = paceOf("walk", map.travelTimes);
    let isComplete = exits.length <= exitLimit && !map.isTooComplex;
    for (const exit of exits.slice(0, exitLimit)) {
        const isFinished = yield* addWays(map, map.mesh.portals[exit], targets, pace);
        isComplete &&= isFinished;
    }
    const units = [];
    for (const target of targets) {
        units.push(unitOf(map, target, exits, isComplete));
        yield;
    }
    yield* addUnitsWithoutCenter(map, units, exits.length === 0 && isComplete ? "no-exit-stated" : "unusable");
    return { notice: "Not an evacuation plan", units: units.sort((one, other) => (one.feature < other.feature ? -1 : 1)) };
}

/** Adds the units from which no way can be searched: on a floor that is too complex, or without a usable outline, which have the status. */
function* addUnitsWithoutCenter(map, units, status) {
    const { mesh, plan } = map;
    const located = new Set(units.map(({ feature }) => feature));
    const unit = (id, level, status) => ({ exits: [], feature: id, level_id: level, name: reportedName(map, id), second: null, status });
    for (const { id, level, ordinal } of plan.spaces) {
        yield;
        if (!located.has(id)) units.push(unit(id, plan.levels[level].id, mesh.tooComplexOrdinals.includes(ordinal) ? "too-far" : status));
    }
    for (const { id, level } of plan.unusable) {
        yield;
        units.push(unit(id, plan.levels[level].id, status));
    }
}

function unitOf(map, { space, ways }, exits, isComplete) {
    const { id, level } = map.plan.spaces[space];
    return {
        exits: ways.map(({ feature, decimeters }) => ({ distance: decimeters / 10, feature })),
        feature: id,
        level_id: map.plan.levels[level].id,
        name: reportedName(map, id),
        second: ways.length === 2 ? true : exits.length === 0 || !isComplete ? null : false,
        status: ways.length > 0 ? "exit" : !isComplete ? "too-far" : exits.length === 0 ? "no-exit-stated" : "cut-off",
    };
}

/** Adds the ways from units to an exit, found from the exit, to those of the two nearest ones. Returns whether the search was finished. */
function* addWays(map, portal, targets, pace) {
    const { mesh, shafts, plan } = map;
    const triangles = portal.edges.map((edge) => Math.floor(edge / 3));
    const search = new PathSearch(mesh, shafts, rulesOf(map, triangles, targets), pace, targets, { isReversed: true, limits: map.limits });
    search.begin({ point: middleOf(portal), triangles }, targets.length);
    while (search.advance(portion)) yield;
    const feature = plan.doorways[portal.doorway].id;
    for (const [index, { ways }] of targets.entries()) {
        const result = search.results[index];
        yield;
        if (result === null || (ways.length === 2 && result.length > ways[1].length)) continue;
        const points = search.path(index).map(({ point }) => point).filter((point) => point !== undefined);
        // How far somebody goes, without the heights of floors.
        ways.push({ feature, length: result.length, decimeters: rounded(lengthOf(points) / 100) });
        ways.sort((one, other) => one.length - other.length || (one.feature < other.feature ? -1 : 1));
        ways.length = Math.min(ways.length, 2);
    }
    return !search.isExhausted;
}

/** Whoever is in a unit that is not a passage may leave it. */
function rulesOf(map, triangles, targets) {
    const rules = map.rules.copy();
    for (const [index, { mode }] of map.shafts.shafts.entries()) if (mode === "elevator") rules.shafts[index] |= obstacle.closed;
    rules.admit({ named: triangles.map((triangle) => map.mesh.spaceOfTriangle[triangle]) }, [{ named: targets.map(({ space }) => space) }]);
    return rules.blockedBy(obstaclesOf.walk & ~obstacle.emergencyExit);
}
