// Builds responses of a server for tests.

import { createHash } from "node:crypto";

const revisionDigest = `sha-256:${"0".repeat(64)}`;

export const uuid = (end) => `00000000-0000-4000-8000-${end.padStart(12, "0")}`;

export const [ground, first] = [uuid("f0"), uuid("f1")];

export function feature(end, type, properties = {}) {
    return JSON.stringify({ feature_type: type, geometry: null, id: uuid(end), properties, type: "Feature" });
}

export const named = (end, type, name) => feature(end, type, { name: { en: name } });

export function digest(bodies) {
    return `sha-256:${createHash("sha256").update(bodies.map((body) => `${body}\n`).join("")).digest("hex")}`;
}

export const separated = (bodies) => bodies.map((body, index) => (index + 1 < bodies.length ? `${body},` : body));

/** `total`: all bodies of the level after the change set, sorted by id; null for a level that is gone or continues. */
export function block(level, kind, total, bodies = [], removed = [], more = {}) {
    const head = { level_id: level, ordinal: null, kind, digest: total && digest(total), ...more };
    const gone = removed.map((id) => ({ id, feature_type: "unit", reason: "deleted" }));
    return [`${JSON.stringify(head).slice(0, -1)},"features":[`, ...separated(bodies), `],"removed":${JSON.stringify(gone)}}`];
}

export const snapshot = (level, ...bodies) => block(level, "snapshot", bodies, bodies);

/** The lines of a page; a page of one venue in a change set over all venues has no cursor. */
export function lines(from, to, cursor, blocks = [], more = {}) {
    const head = {
        protocol: 1, venue: "mall", from, to, digest: revisionDigest, about: { language: "en" }, complete: true,
        ...(cursor === undefined ? {} : { cursor }), ...more,
    };
    return [`${JSON.stringify(head).slice(0, -1)},"levels":[`, ...joined(blocks), "]}"];
}

export function joined(parts) {
    return parts.flatMap((part, index) => (index + 1 < parts.length ? [...part.slice(0, -1), `${part.at(-1)},`] : part));
}

export const page = (...values) => ({ status: 200, body: lines(...values) });

export function problem(status, slug = "x", { headers = {}, ...members } = {}) {
    return { status, headers, body: [JSON.stringify({ type: `/problems/${slug}`, title: slug, status, ...members })] };
}

export function collection(...bodies) {
    return { status: 200, body: ['{"type":"FeatureCollection","features":[', ...separated(bodies), "]}"] };
}
