// Where a route begins or ends: `{ point, triangles, spaces, ordinal, feature, named }`. The named spaces are those in which the feature is
// that was asked for, which can be restricted; positions and openings name none.

import { boxAround, boxOf, expanded, intersects } from "./grid.js";
import { centerOf, middleOf } from "./shafts.js";
import { idOf, idsOf, polygonsOf } from "./space-plan.js";

/** Positions up to this distance from a unit are taken to be in it, in millimetres. */
const reach = 1_000;

/** That the search was given up, as a reason of its own for each answer. */
export const tooFar = () => ({ code: "too-far" });

/** A place that is in no unit may be in one of its floor, if that is too complex. */
const outsideUnits = ({ mesh: { tooComplexOrdinals } }, { ordinal = null, ...feature }) =>
    (tooComplexOrdinals.some((each) => ordinal === null || each === ordinal) ? tooFar() : { code: "outside-units", ...feature });

/** The end for `{ feature }` or `{ longitude, latitude, ordinal }`; otherwise `{ reason }`. */
export function routeEnd(map, place) {
    if (place.feature === undefined) {
        const point = map.plan.frame.point([place.longitude, place.latitude]);
        const end = point === null ? null : endAt(map, point, place.ordinal, null);
        return end ?? { reason: outsideUnits(map, { ordinal: place.ordinal }) };
    }
    const id = idOf(place.feature);
    const feature = map.features.get(id);
    if (feature === undefined) return { reason: { code: "unknown-feature", feature: id ?? String(place.feature) } };
    return endOf(map, feature) ?? { reason: outsideUnits(map, { feature: id }) };
}

function endOf(map, feature) {
    const { id, type, properties, geometry } = feature;
    const anchor = map.features.get(idOf(properties.anchor_id));
    const atAnchor = () => (anchor?.type === "anchor" ? endAtPoint(map, anchor, [idOf(anchor.properties.unit_id)], id) : null);
    switch (type) {
        case "unit": return map.indexOfSpace.has(id) ? endIn(map, map.indexOfSpace.get(id), null, id) : null;
        case "opening": return endAtOpening(map, id);
        case "occupant": return atAnchor();
        case "anchor": return endAtPoint(map, feature, [idOf(properties.unit_id)], id);
        case "amenity": return endAtPoint(map, feature, idsOf(properties.unit_ids), id);
        default: {
            const end = atAnchor();
            if (end !== null) return end;
            const level = map.plan.levels.find((each) => each.id === idOf(properties.level_id));
            if (level === undefined) return null;
            const outline = polygonsOf(geometry).flatMap(([ring = []]) => ring).map((each) => map.plan.frame.point(each)).filter((each) => each !== null);
            const area = boxAround(outline);
            // Tools convert outlines and display points separately: one that is elsewhere would send people there.
            const isOwn = (point) => point !== null && (area === null || intersects(expanded(area, reach), boxOf(point, point)));
            for (const point of [map.plan.point(properties.display_point)].filter(isOwn).concat(outline.slice(0, 1))) {
                const found = endAt(map, point, level.ordinal, id);
                if (found !== null) return found;
            }
            return null;
        }
    }
}

function endAtOpening({ plan, mesh }, id) {
    const portal = mesh.portals.find(({ doorway }) => doorway !== null && plan.doorways[doorway].id === id);
    if (portal === undefined) return null;
    const triangles = portal.edges.map((edge) => Math.floor(edge / 3));
    const spaces = triangles.map((triangle) => mesh.spaceOfTriangle[triangle]);
    return { point: middleOf(portal), triangles, spaces, ordinal: plan.spaces[spaces[0]].ordinal, feature: id, named: [] };
}

/** At a feature with a point and the units in which it should be. */
function endAtPoint(map, feature, units, id) {
    const spaces = units.map((unit) => map.indexOfSpace.get(unit)).filter((each) => each !== undefined);
    const point = map.plan.point(feature.geometry);
    const holder = point === null ? undefined : spaces.find((space) => map.mesh.trianglesAt(space, point).length > 0);
    if (holder !== undefined) return endIn(map, holder, point, id);
    if (spaces.length === 0) return null;
    // What lies on its unit may have been cut out of it.
    const end = point === null ? null : endAt(map, point, map.plan.spaces[spaces[0]].ordinal, id);
    return end ?? endIn(map, spaces[0], null, id);
}

function endIn({ plan, mesh }, space, at, feature) {
    const point = at ?? centerOf(plan, mesh, space);
    if (point === null) return null;
    return { point, triangles: mesh.trianglesAt(space, point), spaces: [space], ordinal: plan.spaces[space].ordinal, feature, named: [space] };
}

/** In all units at a point, or else at the nearest point of a unit. */
function endAt({ plan, mesh, spaceTree }, point, ordinal, feature) {
    const near = spaceTree.indices(expanded(boxOf(point, point), reach)).filter((space) => plan.spaces[space].ordinal === ordinal);
    const holders = near.map((space) => ({ space, triangles: mesh.trianglesAt(space, point) })).filter(({ triangles }) => triangles.length > 0);
    if (holders.length > 0) {
        const spaces = holders.map(({ space }) => space);
        return { point, triangles: holders.flatMap(({ triangles }) => triangles), spaces, ordinal, feature, named: namedOf(plan, spaces, feature) };
    }
    let best = null;
    for (const space of near) {
        for (const triangle of mesh.trianglesOfSpace[space]) {
            const nearest = mesh.nearest(point, triangle);
            if (nearest.distance <= reach && nearest.distance < (best?.distance ?? Infinity)) best = { ...nearest, space };
        }
    }
    if (best === null) return null;
    const spaces = [best.space];
    return { point: best.point, triangles: mesh.trianglesAt(best.space, best.point), spaces, ordinal, feature, named: namedOf(plan, spaces, feature) };
}

/** A feature at a place is in a restricted unit if there is no other one. */
const namedOf = (plan, spaces, feature) => (feature !== null && spaces.every((space) => plan.spaces[space].isRestricted) ? spaces : []);
