// Doors for the floors of the sample venue, which has none: each room has one to the walkway.

import { at, id } from "./sample-venue.js";

/** Where the walkway begins and ends, in metres from the south. */
const [south, north] = [24, 36];

/** What is on several floors, and the ids of the units without a door. */
export const withDoors = ({ without = [], hours = {} } = {}) => (entries) => {
    const units = entries.filter(({ feature }) => feature.feature_type === "unit" && feature.properties.category !== "walkway");
    return [...entries, ...units.filter(({ feature }) => !without.includes(feature.id)).map(({ level, feature: unit }) => {
        const [[[west, bottom]]] = unit.geometry.coordinates;
        const isSouth = bottom < at(0, south)[1] - 1e-6;
        const y = isSouth ? south : north;
        const [x] = [(west - at(0, 0)[0]) * 90_600];
        return {
            level, feature: {
                feature_type: "opening", id: id(`door ${unit.id}`), type: "Feature",
                geometry: { type: "LineString", coordinates: [at(x + 3, y), at(x + 4.5, y)] },
                properties: {
                    accessibility: null, access_control: null, alt_name: null, category: "pedestrian", display_point: null, door: null, level_id: level,
                    name: null, ...(hours[unit.id] ? { hours: hours[unit.id] } : {}),
                },
            },
        };
    })];
};
