// The places that a step of a way names, such as the shops that it passes.

import { metresBetween } from "../../client/map/geometry.js";

/**
 * The places among `places` that the instruction of a leg names; of several with the same name, the one that is nearest to the line of the leg.
 */
export function landmarksOf({ instruction, geometry }, places) {
    const byName = new Map();
    for (const place of places) {
        if (!place.isNamed || !hasName(instruction, place.name)) continue;
        if (!byName.has(place.name)) byName.set(place.name, []);
        byName.get(place.name).push(place);
    }
    // A name may be a part of another one, which comes first.
    const names = [...byName.keys()].sort((one, other) => other.length - one.length);
    let rest = instruction;
    const found = names.filter((name) => {
        const isNamed = hasName(rest, name);
        rest = rest.replaceAll(name, "\n");
        return isNamed;
    });
    const distance = ({ point }) => distanceToLine(point, geometry.coordinates);
    return found.map((name) => byName.get(name).reduce((best, each) => (distance(each) < distance(best) ? each : best)));
}

/** Whether a text has a name that is not a part of a word; words of Chinese and Japanese have no gaps between them. */
function hasName(text, name) {
    const joins = (one, other) => isWordCharacter.test(one) && isWordCharacter.test(other);
    for (let index = text.indexOf(name); name && index >= 0; index = text.indexOf(name, index + 1)) {
        const end = index + name.length;
        if (!joins(text.slice(index - 1, index), name[0]) && !joins(name.at(-1), text.slice(end, end + 1))) return true;
    }
    return false;
}

const isWordCharacter = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;

/** The distance of a position from a line in metres. */
function distanceToLine(point, line) {
    const scale = Math.cos((point[1] * Math.PI) / 180);
    const distances = line.map((end, index) => {
        const start = line[Math.max(0, index - 1)];
        const [dx, dy] = [(end[0] - start[0]) * scale, end[1] - start[1]];
        const along = ((point[0] - start[0]) * scale * dx + (point[1] - start[1]) * dy) / (dx * dx + dy * dy || 1);
        const share = Math.min(1, Math.max(0, along));
        return metresBetween(point, [start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share]);
    });
    return Math.min(...distances);
}
