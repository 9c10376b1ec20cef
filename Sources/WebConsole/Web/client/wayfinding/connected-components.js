// Pieces of units that are joined with each other, in whichever direction.

import { entranceOf } from "./exits.js";

/**
 * `{ componentOfPiece, count }`: the component of each piece, and -1 for pieces with one of the blocking obstacles and those that are not
 * included. `crossingOf` returns what leads on from a component, one of `MissingPassages`. A generator, as of `finish`.
 */
export function* connectedComponents({ rules: allRules, mesh, shafts, reachability }, blocking = 0, isIncluded = () => true, crossingOf = null) {
    const rules = allRules.blockedBy(blocking);
    const { portalsOfPiece, stopsOfPiece, spaceOfPiece } = reachability;
    const isPiece = (piece) => rules.isSpaceOpen(spaceOfPiece[piece]) && isIncluded(piece);
    const componentOfPiece = new Int32Array(mesh.pieceCount).fill(-1);
    const isShaftDone = new Array(shafts.shafts.length).fill(false);
    const stack = [];
    let count = 0;
    const visit = (piece) => {
        if (componentOfPiece[piece] >= 0 || !isPiece(piece)) return;
        componentOfPiece[piece] = count;
        stack.push(piece);
    };
    const visitTriangle = (triangle) => visit(mesh.pieceOfTriangle[triangle]);
    const ride = (stop) => {
        const { shaft } = shafts.stops[stop];
        if (isShaftDone[shaft] || !rules.isShaftOpen(shaft) || !rules.isStopOpen(shafts.stops[stop])) return;
        isShaftDone[shaft] = true;
        const { first, end } = shafts.shafts[shaft];
        for (const other of shafts.stops.slice(first, end)) if (rules.isStopOpen(other)) other.triangles.forEach(visitTriangle);
    };
    const rideFrom = (stop) => {
        const { shaft } = shafts.stops[stop];
        if (!rules.isShaftOpen(shaft) || !rules.isStopOpen(shafts.stops[stop])) return [];
        const { first, end } = shafts.shafts[shaft];
        return shafts.stops.slice(first, end).filter((other) => other !== shafts.stops[stop] && rules.isStopOpen(other))
            .flatMap(({ triangles }) => triangles.map((triangle) => mesh.pieceOfTriangle[triangle]));
    };
    for (let start = 0; start < mesh.pieceCount; start += 1) {
        visit(start);
        if (stack.length === 0) continue;
        while (stack.length > 0) {
            yield;
            const piece = stack.pop();
            for (const portal of portalsOfPiece[piece]) {
                if (rules.isPortalOpen(portal)) for (const edge of mesh.portals[portal].edges) visitTriangle(Math.floor(edge / 3));
            }
            stopsOfPiece[piece].forEach(ride);
            crossingOf?.(count).leave(piece, visit, rideFrom);
        }
        count += 1;
    }
    return { componentOfPiece, count };
}

/**
 * Where to begin in a venue without exits, as of `ObstacleSearch.run`: in the hall of the part with most units. `pieces` are those in which the
 * spaces are entered. A generator, as of `finish`.
 */
export function* largestPart(map, pieces) {
    const { componentOfPiece, count } = yield* connectedComponents(map);
    const units = new Array(count).fill(0);
    for (const piece of pieces) if (piece !== undefined) units[componentOfPiece[piece]] += 1;
    const largest = units.reduce((best, each, index) => (best < 0 || each > units[best] ? index : best), -1);
    let hall = { space: null, portals: -1 };
    for (const [space, { kind, isRestricted }] of map.plan.spaces.entries()) {
        if (pieces[space] === undefined || componentOfPiece[pieces[space]] !== largest || kind !== "floor" || isRestricted) continue;
        const portals = map.mesh.portalsOfSpace[space].length;
        if (portals > hall.portals) hall = { space, portals };
    }
    return hall.space === null ? [] : [{ triangle: entranceOf(map, hall.space), portal: null }];
}
