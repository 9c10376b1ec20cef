// The ways to write a name into the area that it names.

import { groupName } from "./label-groups.js";
import { besideShape, markHeight } from "./label-images.js";
import { spaceIn } from "./label-fit.js";
import { excerptsOf } from "./short-names.js";

/** The smallest area in which a pictogram is drawn, in CSS pixels. */
const pictogramSpace = 20;
/** The size of the name of a group of facilities, and the side of the pictogram beside it. */
const [groupSize, pictogramSide] = [11, 22];
/** Where a name may be beside a pictogram, the best first. */
export const sides = ["right", "left", "below", "above"];
/** The width and the height of the smallest name, and of the smallest one that is cut. */
const [leastName, leastExcerptSpace] = [[10, 9], [24, 9]];
/** The side of the pictogram of a facility where a usual one has no space. */
const smallPictogram = 16;
/** The largest sizes of names by kind; at a point, where nothing limits them, of all. */
const largestSizes = { shop: 15, kiosk: 12, room: 11, amenity: 11, atPoint: 12 };
/** From this size on, a name has its pictogram above it where there is space. */
const markedSize = 11;
/** How much larger a name must be along its area to be turned, and from which size on it is not turned: horizontal ones are easier to read. */
const [turningGain, readableSize] = [1.25, 11];
/** How far from vertical a name may lean, in radians, that is read from below. */
const nearlyVertical = 0.15;

/**
 * What may be drawn inside of the area of a candidate, the best first: `{image, angle, count}`. Made one by one, because most often the first
 * one is drawn. `group` are the equal neighbours that the candidate stands for.
 */
export function* insideOptions(candidate, context, group) {
    const { images, colours } = context;
    const { place, area, isSelected } = candidate;
    const count = group.length;
    if (count > 1) {
        const texts = images.lines(groupName(group), 1, { isInArea: true });
        for (const side of sides) {
            const shape = besideShape(texts, groupSize * images.enlargement, side, pictogramSide * images.enlargement);
            yield { image: images.beside(place, texts, shape, colours), at: shape.around(candidate.point), count };
        }
    }
    if (place.isMarked) {
        yield { image: images.pictogram(place, colours, isSelected), count };
        return yield { image: images.pictogram(place, colours, isSelected, Math.round(smallPictogram * images.enlargement)), count };
    }
    for (const { texts, size, angle, isMarked, isShort } of namesOf(candidate, context)) {
        yield { image: images.text(place, texts, size, colours, { isSelected, isMarked, isInKiosk: area?.isKiosk }), angle, isShort };
    }
    if (!isSelected) return;
    // The name of the selected place is always shown, also where no area has space for it.
    const texts = [1, 2, 3].map((lines) => images.lines(place.name, lines, { isInArea: false, isSelected })).find((each) => each);
    yield { image: images.text(place, texts, 14 * images.enlargement, colours, { isSelected }) };
}

export const hasSpaceForPictogram = (candidate, context) =>
    spacesOf(candidate, context).some(({ space }) => space(pictogramSpace - 6, pictogramSpace - 6) >= 1);

/** `{space, angle}`: the space for horizontal boxes, and for boxes along the area, see `spaceIn`. It is found once for a candidate. */
export function spacesOf(candidate, { project }) {
    candidate.spaces ??= findSpaces(candidate, project);
    return candidate.spaces;
}

function findSpaces({ point, area, isAtPoint }, project) {
    if (!area) return [{ space: () => Infinity, angle: 0 }];
    const horizontal = { space: spaceIn(area.rings, point, project), angle: 0 };
    if (isAtPoint || !area.along) return [horizontal];
    const along = project(area.along);
    let angle = Math.atan2(along.y - point.y, along.x - point.x);
    // Never upside down; what is nearly vertical is read from below, in all rooms.
    while (angle > Math.PI / 2 - nearlyVertical) angle -= Math.PI;
    while (angle <= -Math.PI / 2 - nearlyVertical) angle += Math.PI;
    return Math.abs(angle) < 0.05 ? [horizontal] : [horizontal, { space: horizontal.space.turned(angle), angle }];
}

/**
 * The ways to write a name that fit: `{texts, size, angle, isMarked, isShort}`. The whole name comes before its short form, then the largest
 * one, and that of fewer lines before others.
 */
function namesOf(candidate, context) {
    const { place, area, isAtPoint, isSelected } = candidate;
    const { images, shortNames } = context;
    // Measuring a name takes longer than seeing that the area has no space for any.
    if (!isSelected && !spacesOf(candidate, context).some(({ space }) => space(...leastName) >= 1)) return [];
    const options = { isInArea: Boolean(area) && !isAtPoint, isSelected };
    const counts = area ? [1, 2, 3] : isSelected ? [1] : [1, 2];
    const whole = fitting(candidate, context, counts.map((count) => images.lines(place.name, count, options)));
    const short = shortNames.get(place.id);
    if (!short || isSelected) return whole;
    return [...whole, ...fitting(candidate, context, [images.lines(short, 1, options)]).map((each) => ({ ...each, isShort: true }))];
}

/** What is left of a name in an area that has no space for all of it: its first words, in one or two lines. */
export function* excerptOptions(candidate, context) {
    const { images, colours } = context;
    const { place, area, isAtPoint, isSelected, isFound } = candidate;
    if (!area || isAtPoint || !place.isNamed || place.isMarked || isSelected || (place.isBackOfHouse && !isFound)) return;
    if (!spacesOf(candidate, context).some(({ space }) => space(...leastExcerptSpace) >= 1)) return;
    const options = { isInArea: true };
    for (const text of excerptsOf(place.name)) {
        for (const { texts, size, angle } of fitting(candidate, context, [1, 2].map((count) => images.lines(text, count, options)))) {
            yield { image: images.text(place, texts, size, colours, { isInKiosk: area.isKiosk }), angle, isShort: true };
        }
    }
}

function fitting(candidate, context, choices) {
    const { place, area, isAtPoint, isSelected } = candidate;
    const { images } = context;
    const factor = images.enlargement;
    const spaces = spacesOf(candidate, context);
    const most = isSelected ? 14 : isAtPoint ? largestSizes.atPoint : place.isBackOfHouse ? 10 : largestSizes[place.kind];
    const sizes = isSelected ? [14 * factor] : images.sizes.filter((size) => size <= most * factor);
    const largestIn = (space, width, height) => {
        // The smallest name may touch the walls, with the space that its lines have above and below; a larger one keeps a distance.
        const limit = space(width + 0.6, height + 0.6);
        return sizes.findLast((size) => size <= limit) ?? (space(width * sizes[0], (height - 0.25) * sizes[0]) >= 1 ? sizes[0] : 0);
    };
    const names = [];
    for (const texts of choices) {
        if (!texts) continue;
        const sized = ({ space, angle }) => ({ space, angle, size: largestIn(space, texts.width, texts.height) });
        const level = sized(spaces[0]);
        const turned = spaces[1] && level.size < readableSize * factor ? sized(spaces[1]) : null;
        const best = turned && turned.size > turningGain * level.size ? turned : level;
        if (best.size === 0) continue;
        const hasMark = area && !isAtPoint && place.kind === "shop" && !isSelected && best.angle === 0;
        const marked = hasMark ? largestIn(best.space, Math.max(texts.width, markHeight), texts.height + markHeight) : 0;
        if (marked >= markedSize * factor && marked >= 0.8 * best.size) names.push({ texts, size: marked, angle: 0, isMarked: true, value: marked + best.size });
        names.push({ texts, size: best.size, angle: best.angle, isMarked: false, value: best.size * (best.angle === 0 ? 1 : 0.9) });
    }
    return names.sort((one, other) => other.value - one.value);
}
