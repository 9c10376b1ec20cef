// What the address asks for: `from` and `to`, each the id of a feature or `longitude,latitude,ordinal`, and `profile`.

/** The ways to move, the usual one first. */
export const profiles = ["walk", "step-free"];

const featureID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const position = /^(-?\d{1,3}(?:\.\d{1,15})?),(-?\d{1,2}(?:\.\d{1,15})?),(-?\d{1,4})$/;
/** How much of a text that is no place a message quotes. */
const quotedLength = 60;

/** `{feature}` or `{longitude, latitude, ordinal}`; `{fault}` for a text that is neither, null for none. */
export function parseEnd(text) {
    if (!text) return null;
    if (featureID.test(text)) return { feature: text.toLowerCase() };
    const [longitude, latitude, ordinal] = (position.exec(text) ?? []).slice(1).map(Number);
    if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) return { longitude, latitude, ordinal };
    return { fault: text.length > quotedLength ? `${text.slice(0, quotedLength)}…` : text };
}

/** The text of an end in the address; empty without one. */
export function endText(end) {
    if (!end) return "";
    return end.feature ?? [end.longitude, end.latitude].map((degrees) => Number(degrees.toFixed(7))).concat(end.ordinal).join(",");
}

/** A place as an end. An amenity of several floors, such as a lift, is meant on the floor of the place: there it is its unit. */
export function endOfPlace({ id, unit, feature }) {
    const units = feature?.properties.unit_ids;
    return { feature: feature?.type === "amenity" && Array.isArray(units) && units.length > 1 && unit ? unit : id };
}

export const isSameEnd = (one, other) => endText(one) === endText(other);

/**
 * `{from, to, profile, ordinal, faults}` of an address, with the texts that are no places or profiles by their parameters; null if it asks
 * for no way. `ordinal` is that of the floor that it names, or null.
 */
export function parseRequest(query) {
    if (!query.has("from") && !query.has("to")) return null;
    const faults = new Map();
    const ends = ["from", "to"].map((name) => {
        const end = parseEnd(query.get(name));
        if (end?.fault) faults.set(name, end.fault);
        return end?.fault ? null : end;
    });
    const profile = query.get("profile") ?? profiles[0];
    if (!profiles.includes(profile)) faults.set("profile", profile.slice(0, quotedLength));
    const ordinal = query.has("floor") ? Number(query.get("floor")) : null;
    return { from: ends[0], to: ends[1], profile: profiles.includes(profile) ? profile : profiles[0], ordinal, faults };
}

/** The parameters of a request for the address. An empty `to` says that the ends are not chosen yet. */
export function requestParameters({ from, to, profile }) {
    return { ...(from ? { from: endText(from) } : {}), ...(to || !from ? { to: endText(to) } : {}), profile };
}
