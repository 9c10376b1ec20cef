// The requests of the editor.

import { bodyJSON, request, requestAll, requestJSON } from "../../api.js";
import { isSame, mergePatch, valueAt } from "./changes.js";
import { localization } from "../../localization/localization.js";

const path = (venue) => `/venues/${encodeURIComponent(venue)}`;
/** The language of the server's sentences about changes. */
const language = () => ({ "Accept-Language": localization.language });

/** A feature as it is published now: `{feature, tag, overrides}`. `tag` is its entity tag. */
export async function readFeature(venue, id, { signal } = {}) {
    const [response, overrides] = await Promise.all([
        request(`${path(venue)}/features/${id}`, { signal, cache: "no-cache" }), overridesOf(venue, id, { signal })]);
    return { feature: await bodyJSON(response), tag: response.headers.get("ETag"), overrides };
}

export function overridesOf(venue, id, options) {
    return requestAll(`${path(venue)}/overrides?feature=${id}`, "overrides", options);
}

/** The overrides of several features. A venue has few, so all of them are read at once. */
export async function overridesOfAll(venue, ids, options) {
    const all = await requestAll(`${path(venue)}/overrides`, "overrides", { ...options, limit: Infinity });
    return all.filter(({ feature }) => ids.includes(feature));
}

/** The author, the time and the message of the newest version of a feature. */
export async function newestVersion(venue, id, options) {
    const { versions } = await requestJSON(`${path(venue)}/features/${id}/history?limit=1`, options);
    return versions[0] ?? null;
}

/**
 * Sends an edit, and once more with force if it causes errors that can be accepted: the review of the edit, which comes before its publication,
 * shows what the rule book finds, and undoing an edit may bring back errors that were there before.
 *
 * @param send sends the edit; its argument is whether to force it.
 */
async function acceptingErrors(send) {
    try {
        return await send(false);
    } catch (error) {
        if (error.type !== "edit-refused" || !error.document?.can_be_forced) throw error;
        return send(true);
    }
}

/** Changes one feature, if it still has the entity tag `tag`. With `isDryRun`, only returns what would change. */
export function patchFeature(venue, id, changes, { tag, message, until, isDryRun = false }) {
    return acceptingErrors(async (isForced) => {
        const flags = { dry_run: isDryRun ? "true" : null, force: isForced ? "true" : null };
        const query = Object.entries({ message, until, ...flags }).filter(([, value]) => value)
            // Not `URLSearchParams`: it writes spaces as plus signs, which are plus signs in this API.
            .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
        const response = await request(`${path(venue)}/features/${id}?${query}`, {
            method: "PATCH", body: JSON.stringify(mergePatch(changes)),
            headers: { "Content-Type": "application/merge-patch+json", ...(tag ? { "If-Match": tag } : {}), ...language() },
        });
        return bodyJSON(response);
    });
}

/** Several operations as one revision. `id`, a UUID, makes a repeated request have the first outcome. */
export function sendEdits(venue, edits, { id, base, message, until, isDryRun = false } = {}) {
    const json = { id, base, message: message || undefined, until: until ?? undefined, dry_run: isDryRun || undefined };
    return acceptingErrors((isForced) => requestJSON(`${path(venue)}/edits`, {
        method: "POST", json: { ...json, force: isForced || undefined, edits }, headers: language(),
    }));
}

/** Ends an override, so that the feature says what the source says. */
export function endOverride(venue, id) {
    return requestJSON(`${path(venue)}/overrides/${id}`, { method: "DELETE", headers: language() });
}

/** A random UUID. `crypto.randomUUID` exists in secure contexts only, and an intranet may have no certificate. */
export function randomID() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([from, to]) => digits.slice(from, to)).join("-");
}

/** How often an undo is tried again because another revision was published meanwhile. */
const undoAttempts = 5;

/**
 * Takes back exactly these changes: what was overridden before has its former value and time again, everything else says what the
 * source says. Returns null, and changes nothing, if somebody has changed the same values since.
 *
 * @param overrides the overrides of the feature before the changes.
 */
export function undoChanges(venue, id, changes, overrides, message) {
    return undoAll(venue, [{ id, changes, overrides }], message);
}

/** Takes back changes of several features, `[{id, changes, overrides}]`, as `undoChanges` does. */
export async function undoAll(venue, features, message) {
    for (let attempt = 1; ; attempt += 1) {
        // The revision first: if one is published between the two requests, the edit is refused and the features are read again.
        const { head } = await requestJSON(path(venue), { cache: "no-cache" });
        const present = [];
        // A few at a time: all at once could be more than the server allows.
        for (let first = 0; first < features.length; first += 8) {
            present.push(...await Promise.all(features.slice(first, first + 8).map(({ id }) => requestJSON(`${path(venue)}/features/${id}`, { cache: "no-cache" }))));
        }
        const isPresent = ({ changes }, index) => changes.every(({ pointer, value }) => isSame(valueAt(present[index], pointer), value));
        if (!features.every(isPresent)) return null;
        try {
            return await sendUndo(venue, features, message, head);
        } catch (error) {
            if (error.type !== "head-moved" || attempt === undoAttempts) throw error;
        }
    }
}

/** One revision, unless former overrides ended at different times: a request has one time for all of its overrides. */
async function sendUndo(venue, features, message, base) {
    const groups = new Map([[null, []]]);
    for (const { id, changes, overrides } of features) {
        const former = (pointer) => overrides.find((override) => override.pointer === pointer && override.kind === "value");
        const untilOf = ({ pointer }) => former(pointer)?.until ?? null;
        for (const until of new Set(changes.map(untilOf))) {
            const group = changes.filter((change) => untilOf(change) === until);
            const kept = group.filter(({ pointer }) => former(pointer)).map(({ pointer, before }) => ({ pointer, value: before }));
            const edits = group.filter(({ pointer }) => !former(pointer)).map(({ pointer }) => ({ revert: id, pointer }));
            if (kept.length > 0) edits.push({ feature: id, patch: mergePatch(kept) });
            groups.set(until, [...(groups.get(until) ?? []), ...edits]);
        }
    }
    let result = null;
    for (const [until, edits] of groups) {
        if (edits.length === 0) continue;
        result = await sendEdits(venue, edits, { base: result?.revision ?? base, message, until });
    }
    return result;
}
