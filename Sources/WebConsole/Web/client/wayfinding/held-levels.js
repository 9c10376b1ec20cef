// The levels of a venue that are not held: what they have is not known.

/** At most so many levels that are not held are named. */
const missingLimit = 8;

/** The ids of those of the `levels` of a reader that are not held, sorted. */
export const levelsNotHeld = (levels) => levels.filter(({ isHeld, level }) => !isHeld && level !== null).map(({ level }) => level).sort();

/** The reasons of an answer or a report that lacks these levels. */
export const notHeldReasons = (missing) => missing.slice(0, missingLimit).map((feature) => ({ code: "level-not-held", feature }));
