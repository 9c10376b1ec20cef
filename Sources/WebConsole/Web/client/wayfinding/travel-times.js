// How fast people walk in a venue, and how long its lifts take: the venue's setting `wayfinding`.

const members = [
    ["walk_speed", "walkSpeed", 1.2, 0.2, 3], ["step_free_speed", "stepFreeSpeed", 0.8, 0.2, 3],
    ["elevator_seconds", "elevatorSeconds", 90, 0, 900], ["elevator_seconds_per_level", "elevatorSecondsPerLevel", 20, 0, 300],
];

/**
 * `{ walkSpeed, stepFreeSpeed, elevatorSeconds, elevatorSecondsPerLevel }` of a setting, in metres a second and seconds. Members that are missing,
 * or that cannot be used, have their usual values.
 */
export function travelTimesOf(setting) {
    return Object.fromEntries(members.map(([name, key, usual, least, most]) => {
        const value = setting?.[name];
        return [key, typeof value === "number" && value >= least && value <= most ? value : usual];
    }));
}

/** How long ways take for a profile: `{ speed, elevatorSeconds, elevatorSecondsPerLevel }`. */
export function paceOf(profile, { walkSpeed, stepFreeSpeed, elevatorSeconds, elevatorSecondsPerLevel }) {
    return { speed: profile === "walk" ? walkSpeed : stepFreeSpeed, elevatorSeconds, elevatorSecondsPerLevel };
}
