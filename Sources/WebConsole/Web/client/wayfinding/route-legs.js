// The legs of a path: one for each level that it passes, and one for each change of floors.

import { labelText } from "../map/labels.js";
import { clamp, rounded, samePoint } from "./grid.js";
import { lengthOf, spacesOf } from "./landmarks.js";
import { Phrases } from "./phrases.js";
import { secondsOf } from "./shafts.js";
import { namedLabel } from "./space-plan.js";

export function routeLegs(map, steps, from, to, { pace, languages }) {
    const parts = partsOf(map, steps, from, pace);
    const spaces = spacesOf(map, steps, from, to);
    return parts.map((part, index) => {
        const length = lengthOf(part.points);
        const decimeters = rounded(length / 100);
        const leg = {
            confidence: part.isStated ? "stated" : "derived",
            distance: decimeters / 10,
            duration: rounded(part.seconds ?? length / (pace.speed * 1_000)),
            geometry: { coordinates: part.points.map((point) => map.plan.frame.degrees(point)), type: "LineString" },
            instruction: instructionOf(map, part, parts[index + 1], decimeters, to, spaces, languages),
            level_id: map.plan.levels[part.level].id,
            mode: part.mode,
        };
        if (part.toLevel !== undefined) leg.to_level_id = map.plan.levels[part.toLevel].id;
        return leg;
    });
}

function partsOf({ plan, mesh, shafts }, steps, from, pace) {
    const parts = [];
    let walk = { mode: "walk", level: plan.spaces[from.spaces[0]].level, points: [], isStated: true };
    let crossings = [];
    const finish = () => {
        if (walk.points.length > 1) parts.push(walk);
    };
    const append = (point) => {
        const { points } = walk;
        if (points.length === 0 || !samePoint(points[points.length - 1], point)) points.push(point);
    };
    for (const step of steps) {
        if (step.portal !== undefined) {
            crossings.push(step);
        } else if (step.point !== undefined) {
            for (const { portal, space } of crossings) {
                const { level } = plan.spaces[space];
                if (level === walk.level || walk.points.length === 0) continue;
                const crossing = crossingOf(walk.points[walk.points.length - 1], step.point, mesh.portals[portal]);
                append(crossing);
                finish();
                walk = { mode: "walk", level, space, points: [crossing], isStated: true };
            }
            crossings = [];
            append(step.point);
        } else {
            finish();
            const [departure, arrival] = [shafts.stops[step.departure], shafts.stops[step.arrival]];
            const { mode, relationship } = shafts.shafts[departure.shaft];
            parts.push({
                mode, level: departure.level, toLevel: arrival.level, points: [departure.point, arrival.point],
                seconds: secondsOf(mode, departure, arrival, pace), isStated: relationship !== null, departure, arrival,
            });
            walk = { mode: "walk", level: arrival.level, points: [], isStated: true };
        }
    }
    finish();
    if (parts.length === 0 && walk.points.length > 0) parts.push({ ...walk, points: [walk.points[0], walk.points[0]] });
    return parts;
}

/** Where a straight line passes a portal. */
function crossingOf(start, end, portal) {
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const [ex, ey] = [portal.end.x - portal.start.x, portal.end.y - portal.start.y];
    const denominator = dx * ey - dy * ex;
    if (denominator === 0) return start;
    const [px, py] = [portal.start.x - start.x, portal.start.y - start.y];
    const share = clamp((px * ey - py * ex) / denominator);
    return { x: start.x + dx * share, y: start.y + dy * share };
}

// MARK: - Instructions

function instructionOf(map, part, next, decimeters, to, spaces, languages) {
    const phrases = new Phrases(languages);
    const text = (label) => labelText(label, [...languages, map.language].filter((each) => each !== null));
    if (part.departure !== undefined) {
        const { departure, arrival } = part;
        const beside = map.landmarks.nearest(departure.point, departure.ordinal, spaces);
        const floors = arrival.ordinal - departure.ordinal;
        const { name } = map.plan.levels[arrival.level];
        const goal = floors === 0 ? areaOf(map, departure.level, arrival.level, arrival.space, text) : { level: name === null ? null : text(name) };
        return phrases.ride(part.mode, beside ? text(beside.label) : null, goal, floors);
    }
    const goal = next === undefined ? { name: nameOf(map, to, text) }
        : next.mode === "walk" ? areaOf(map, part.level, next.level, next.space, text) : { mode: next.mode };
    if (next === undefined && decimeters === 0) return phrases.arrival(goal);
    const texts = [];
    for (const { label } of map.landmarks.along(part.points, map.plan.levels[part.level].ordinal, spaces)) {
        const passed = text(label);
        if (passed !== goal.name && !texts.includes(passed)) texts.push(passed);
    }
    return phrases.walk(decimeters, texts, goal);
}

/**
 * What somebody enters who goes to a level on the same height, with the space behind its border: a building, or else what has another name than
 * where they are, because floors of several buildings often have the same names.
 */
function areaOf({ features, plan }, from, to, space, text) {
    const [here, there] = [plan.levels[from], plan.levels[to]];
    const textOf = (label) => (label === null ? null : text(label));
    const nameOfFeature = (id) => textOf(namedLabel(features.get(id)?.properties.name));
    if (!there.buildings.some((each) => here.buildings.includes(each))) {
        const building = there.buildings.map(nameOfFeature).find((each) => each !== null);
        if (building !== undefined) return { building };
    }
    const known = [here.longName, here.name].map(textOf);
    const names = [there.longName, there.name].map(textOf).filter((each) => !known.includes(each));
    return { area: [...names, space === null ? null : nameOfFeature(plan.spaces[space].id)].find((each) => each !== null) ?? null };
}

function nameOf(map, end, text) {
    const feature = map.features.get(end.feature);
    if (feature === undefined) return null;
    const label = namedLabel(feature.properties.name);
    if (label !== null) return text(label);
    const space = feature.type === "unit" ? map.indexOfSpace.get(feature.id) : undefined;
    const occupant = space === undefined ? undefined : map.landmarks.occupant(space);
    return occupant ? text(occupant.label) : null;
}
