// The documents that the server sends, checked member by member. Unknown members are ignored.

import { parseJSON } from "./body-lines.js";
import { malformed } from "./sync-error.js";

/** UUIDs on the wire are always in lower case. */
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const maximumCursor = 65_536;
const digestPattern = /^sha-256:[0-9a-f]{64}$/;

/** Parses a page of `GET /venues/{venue}/sync`. `lists` are the lists of bodies of the response. */
export function pageOf(document, lists) {
    const remaining = [...lists];
    const page = venuePageOf(document, remaining);
    if (remaining.length > 0) throw malformed("features that belong to no level");
    return { ...page, cursor: cursorOf(document) };
}

/** Parses a part of a page of `GET /sync`, which has no cursor of its own. Takes one list from `lists` for each level. */
function venuePageOf(document, lists) {
    if (integer(document, "protocol") !== 1) throw malformed("an unknown protocol version");
    const about = object(document, "about");
    return {
        frame: {
            venue: text(document, "venue"),
            from: optional(integer, document, "from"),
            to: integer(document, "to"),
            digest: digest(document, "digest"),
            about: {
                language: optional(text, about, "language"),
                timeZone: optional(text, about, "time_zone"),
                country: optional(text, about, "country"),
                ...wayfindingOf(about.wayfinding),
            },
        },
        isComplete: boolean(document, "complete"),
        blocks: list(document, "levels").map((block) => {
            if (list(block, "features").length > 0 || lists.length === 0) {
                throw malformed("features that are not on lines of their own");
            }
            return blockOf(block, lists.shift());
        }),
    };
}

/** Parses a page of `GET /sync`: `{from, to, isComplete, cursor, gone, venues}`. */
export function cataloguePageOf(document, lists) {
    if (integer(document, "protocol") !== 1) throw malformed("an unknown protocol version");
    const remaining = [...lists];
    const venues = list(document, "venues").map((venue) => venuePageOf(venue, remaining));
    const gone = list(document, "gone");
    if (remaining.length > 0 || !gone.every((venue) => typeof venue === "string")) {
        throw malformed("not a change set over all venues");
    }
    return {
        from: optional(integer, document, "from"), to: integer(document, "to"), isComplete: boolean(document, "complete"),
        cursor: cursorOf(document), gone, venues,
    };
}

function blockOf(document, bodies) {
    const kind = text(document, "kind");
    if (!["changes", "snapshot", "gone"].includes(kind)) throw malformed("a level of an unknown kind");
    return {
        level: levelID(document, "level_id"), kind, digest: optional(digest, document, "digest"),
        isContinued: member(document, "continued") !== undefined && boolean(document, "continued"),
        removed: list(document, "removed").map(removalOf), bodies,
    };
}

function removalOf(document) {
    if (text(document, "reason") === "moved") levelID(document, "moved_to");
    text(document, "feature_type");
    return uuid(text(document, "id"));
}

/** Parses a 410: `{to, cursor, levels: [{level, digest, href}]}`; null if it has no levels to start over with. */
export function restartOf(problem) {
    try {
        return {
            to: checked(problem, "to", (value) => Number.isSafeInteger(value) && value >= 1), cursor: cursorOf(problem),
            levels: list(problem, "levels").map((entry) => (
                { level: levelID(entry, "level_id"), digest: digest(entry, "digest"), href: text(entry, "href") })),
        };
    } catch {
        return null;
    }
}

/** The id and the type of a feature. Refuses an invalid body. */
export function identify(body) {
    const feature = parseJSON(body);
    return { id: uuid(text(feature, "id")), type: text(feature, "feature_type") };
}

/** The setting `wayfinding` as a member of `about`, which is absent if the venue has none. */
export const wayfindingOf = (value) => (typeof value === "object" && value !== null && !Array.isArray(value) ? { wayfinding: value } : {});

export function member(document, name) {
    const isObject = typeof document === "object" && document !== null && !Array.isArray(document);
    return isObject && Object.hasOwn(document, name) ? document[name] : undefined;
}

function checked(document, name, isValid) {
    const value = member(document, name);
    if (!isValid(value)) throw malformed(`missing or invalid “${name}”`);
    return value;
}

export function text(document, name) {
    return checked(document, name, (value) => typeof value === "string");
}

export function list(document, name) {
    return checked(document, name, Array.isArray);
}

export function object(document, name) {
    return checked(document, name, (value) => typeof value === "object" && value !== null && !Array.isArray(value));
}

/** A cursor, which has to fit into the address of a request. */
function cursorOf(document) {
    return checked(document, "cursor", (value) => typeof value === "string" && value.length <= maximumCursor);
}

function boolean(document, name) {
    return checked(document, name, (value) => typeof value === "boolean");
}

export function integer(document, name) {
    return checked(document, name, (value) => Number.isSafeInteger(value) && value >= 0);
}

export function digest(document, name) {
    return checked(document, name, (value) => typeof value === "string" && digestPattern.test(value));
}

/** The value of `read`, or null if the member is missing or null. */
export function optional(read, document, name) {
    return (member(document, name) ?? null) === null ? null : read(document, name);
}

/** A level id; null is the venue-wide part. The member has to be present. */
export function levelID(document, name) {
    const value = member(document, name);
    if (value === undefined) throw malformed(`missing or invalid “${name}”`);
    return value === null ? null : uuid(text(document, name));
}

function uuid(value) {
    if (!isUUID(value)) throw malformed("an id that is not a lower-case UUID");
    return value;
}

/** Venue keys are lower-case letters, digits and hyphens, in parts between dots. */
export function isVenueKey(value) {
    return typeof value === "string" && /^(?=.{1,64}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(value);
}

export function isUUID(value) {
    return typeof value === "string" && uuidPattern.test(value);
}
