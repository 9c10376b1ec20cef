// What a problem is to a person, and what to do about it.

import { word } from "../words/words.js";

const known = new Set([
    "too-large", "unsupported-media-type", "upload-lost", "queue-full", "rate-limited", "too-slow", "forbidden",
    "unauthorized",
    "venue-not-found", "revision-not-found", "revision-pruned", "venue-gone", "wrong-state", "head-moved", "nothing-to-restore",
    "unavailable", "busy", "history-changed", "upload-not-found", "key-not-found", "guarded",
]);

/** `{title, advice}`; `advice` may be empty. */
export function problemWords(error) {
    if (error.status === 0) return { title: word("state.offline"), advice: word("state.offlineHelp") };
    if (known.has(error.kind)) {
        return { title: word(`desk.problem.${error.kind}`), advice: word(`desk.problem.${error.kind}.advice`) };
    }
    return { title: error.title || error.message, advice: error.detail ?? "" };
}

/** The same in one line. */
export function problemLine(error) {
    const { title, advice } = problemWords(error);
    return advice ? `${title} ${advice}` : title;
}
