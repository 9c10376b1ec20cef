// The levels, units and openings of a venue on the grid, each by id.

import { LocalFrame } from "./local-frame.js";
import { labelTexts } from "../map/labels.js";
import { samePoint } from "./grid.js";

/** Units with more positions are left out. */
const positionLimit = 100_000;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id in lower case; null if it is none. */
export function idOf(value) {
    if (typeof value !== "string") return null;
    const id = value.toLowerCase();
    return uuid.test(id) ? id : null;
}

export const idsOf = (value) => (Array.isArray(value) ? value.map(idOf).filter((id) => id !== null) : []);

export const textOf = (value) => (typeof value === "string" ? value : null);

/** A label that has texts, or null. */
export const namedLabel = (label) => (labelTexts(label).length > 0 ? label : null);

/** How many there are of a level is up to an archive, and each step of a route compares them: the first ones. */
const buildingLimit = 16;

// MARK: - Geometry

function coordinateOf(value) {
    if (!Array.isArray(value) || value.length < 2 || typeof value[0] !== "number" || typeof value[1] !== "number") return null;
    return Math.abs(value[0]) <= 180 && Math.abs(value[1]) <= 90 ? [value[0], value[1]] : null;
}

const lineOf = (value) => (Array.isArray(value) ? value.map(coordinateOf).filter((each) => each !== null) : []);

const listOf = (value) => (Array.isArray(value) ? value : []);

export const pointOf = (geometry) => (geometry?.type === "Point" ? coordinateOf(geometry.coordinates) : null);

function linesOf(geometry) {
    if (geometry?.type === "LineString") return [lineOf(geometry.coordinates)];
    return geometry?.type === "MultiLineString" ? listOf(geometry.coordinates).map(lineOf) : [];
}

export function polygonsOf(geometry) {
    if (geometry?.type === "Polygon") return [listOf(geometry.coordinates).map(lineOf)];
    return geometry?.type === "MultiPolygon" ? listOf(geometry.coordinates).map((polygon) => listOf(polygon).map(lineOf)) : [];
}

// MARK: - The plan

/** What a unit is for somebody who walks; null for what cannot be entered. */
export function kindOf(category) {
    switch (category) {
        case "brick": case "column": case "concrete": case "drywall": case "glass": case "opentobelow": case "structure": case "wood":
            return null;
        case "stairs": case "steps": return "stairs";
        case "escalator": case "elevator": case "ramp": return category;
        default: return "floor";
    }
}

const isOrdinal = (value) => Number.isInteger(value) && Math.abs(value) <= 1_000_000;

export class SpacePlan {
    levels = [];
    spaces = [];
    doorways = [];
    /** What cannot be entered: `{ level, ordinal, polygons }`. */
    solids = [];
    /** Units that could be entered, but cannot be used because they are too far away, too complex, or have no polygon: without polygons. */
    unusable = [];

    /** `features` are sorted by id. */
    constructor(features) {
        const units = features.filter(({ type }) => type === "unit").map((unit) => ({ unit, polygons: polygonsOf(unit.geometry) }));
        this.frame = LocalFrame.around(units.map(({ polygons }) => polygons[0]?.[0]?.[0]).filter((each) => each !== undefined));
        const levels = new Map();
        for (const level of features) {
            if (level.type !== "level" || !isOrdinal(level.properties.ordinal)) continue;
            levels.set(level.id, this.levels.length);
            this.levels.push({
                id: level.id, ordinal: level.properties.ordinal, name: namedLabel(level.properties.short_name) ?? namedLabel(level.properties.name),
                longName: namedLabel(level.properties.name), buildings: idsOf(level.properties.building_ids).slice(0, buildingLimit),
            });
        }
        for (const { unit, polygons } of units) this.#addSpace(unit, polygons, levels.get(idOf(unit.properties.level_id)));
        for (const opening of features) {
            const level = levels.get(idOf(opening.properties.level_id));
            if (opening.type !== "opening" || level === undefined) continue;
            this.doorways.push({
                id: opening.id, category: textOf(opening.properties.category) ?? "", level, ordinal: this.levels[level].ordinal,
                lines: linesOf(opening.geometry).map((line) => line.map((each) => this.frame.point(each)).filter((each) => each !== null)),
                hours: textOf(opening.properties.hours),
            });
        }
    }

    #addSpace(unit, polygons, level) {
        const category = textOf(unit.properties.category) ?? "";
        const kind = kindOf(category);
        if (level === undefined) return;
        const grid = this.#grid(polygons) ?? [];
        if (kind === null) {
            if (grid.length > 0) this.solids.push({ level, ordinal: this.levels[level].ordinal, polygons: grid });
            return;
        }
        (grid.length > 0 ? this.spaces : this.unusable).push({
            id: unit.id, kind, category, level, ordinal: this.levels[level].ordinal,
            isRestricted: category === "nonpublic" || /[^ \t\r\n]/.test(textOf(unit.properties.restriction) ?? ""),
            polygons: grid, displayPoint: this.point(unit.properties.display_point), hours: textOf(unit.properties.hours),
        });
    }

    /** The grid point of a geometry that is a Point; null otherwise. */
    point(geometry) {
        const coordinate = pointOf(geometry);
        return coordinate === null ? null : this.frame.point(coordinate);
    }

    /** Polygons on the grid, without repeated positions; null if a position is too far away or there are too many. */
    #grid(polygons) {
        if (polygons.reduce((sum, rings) => sum + rings.reduce((count, ring) => count + ring.length, 0), 0) > positionLimit) return null;
        const result = [];
        for (const polygon of polygons) {
            const rings = [];
            for (const [index, ring] of polygon.entries()) {
                const points = [];
                for (const position of ring) {
                    const point = this.frame.point(position);
                    if (point === null) return null;
                    if (points.length === 0 || !samePoint(points[points.length - 1], point)) points.push(point);
                }
                if (points.length > 1 && samePoint(points[0], points[points.length - 1])) points.pop();
                if (points.length >= 3) rings.push(points);
                else if (index === 0) break;
            }
            if (rings.length > 0) result.push(rings);
        }
        return result;
    }
}
