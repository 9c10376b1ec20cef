// Follows an upload until it is finished.

import { requestJSON } from "../../api.js";
import { backoffDelay, pause } from "../../retry.js";

const finalStates = new Set(["published", "unchanged", "rejected", "failed", "discarded"]);

/** Whether the upload is in a final state and its validation is complete. */
export function isFinished(upload) {
    if (!finalStates.has(upload.state)) return false;
    return upload.findings.complete || (upload.state !== "published" && upload.state !== "unchanged");
}

const isStaged = (upload) => upload.state === "staged";
/** Whether the upload is queued or being processed. */
export const isInProgress = (upload) => upload.state === "received" || upload.state === "processing";

/**
 * Calls `onUpload` with every new state, and `onRequestFailed(error)` when a request fails that is tried again.
 * Returns when the upload is finished or the user leaves the page; throws errors that a retry does not fix.
 */
export async function followUpload(id, { signal, onUpload, onRequestFailed }) {
    for (let attempt = 0; !signal.aborted; ) {
        let upload;
        try {
            upload = await requestJSON(`/uploads/${id}?wait=1`, { signal, headers: acceptLanguage(), retries: 0 });
            attempt = 0;
        } catch (error) {
            if (signal.aborted) return;
            if (error.status >= 400 && error.status < 500 && error.status !== 429) throw error;
            onRequestFailed?.(error);
            await pause(backoffDelay((attempt += 1)), signal).catch(() => {});
            continue;
        }
        onUpload(upload);
        if (isFinished(upload)) return;
        // While the upload is in progress, the server delays the response until something changes (`wait=1`). Otherwise it responds
        // at once, and we wait here.
        await pause(isInProgress(upload) ? 100 : isStaged(upload) ? 4000 : 800, signal).catch(() => {});
    }
}

/** The header for descriptions in the language of the page. */
export const acceptLanguage = () => ({ "Accept-Language": document.documentElement.lang });
