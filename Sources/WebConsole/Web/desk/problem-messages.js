// Explains the problems of the API to the user, with advice.

import { noResponse } from "../network.js";
import { localized } from "../localization/localization.js";

/** The problem types with a message `desk.problem.{type}`. */
const knownTypes = new Set([
    "too-large", "unsupported-media-type", "upload-lost", "queue-full", "rate-limited", "too-slow", "forbidden",
    "unauthorized",
    "venue-not-found", "revision-not-found", "revision-pruned", "venue-gone", "wrong-state", "head-moved", "nothing-to-restore",
    "unavailable", "busy", "history-changed", "upload-not-found", "key-not-found", "guarded",
    "feature-not-found", "override-not-found", "not-contested", "feature-changed", "feature-exists",
]);

/** `{title, advice}`; `advice` may be empty. */
export function problemMessage(error) {
    if (error.status === 0) {
        const { title, text } = noResponse();
        return { title, advice: text };
    }
    if (knownTypes.has(error.type)) {
        return { title: localized(`desk.problem.${error.type}`), advice: localized(`desk.problem.${error.type}.advice`) };
    }
    return { title: error.title || error.message, advice: error.detail ?? "" };
}

/** Title and advice in one line, as sentences: some titles are headings without a full stop. */
export function problemLine(error) {
    const { title, advice } = problemMessage(error);
    if (!advice) return title;
    return /[.!?。！？…]$/.test(title) ? `${title} ${advice}` : localized("desk.problem.line", { title, advice });
}
