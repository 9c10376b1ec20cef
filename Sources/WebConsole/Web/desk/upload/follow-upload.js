// What becomes of an upload, told as it happens.

import { askJSON } from "../../api.js";
import { backOff, pause } from "../../sync/pause.js";

const final = new Set(["published", "unchanged", "rejected", "failed", "discarded"]);

/** Whether no worker will touch it any more by itself, the rule book included. */
export function isFinished(upload) {
    if (!final.has(upload.state)) return false;
    return upload.findings.complete || (upload.state !== "published" && upload.state !== "unchanged");
}

const isWaiting = (upload) => upload.state === "staged";
export const isAtWork = (upload) => upload.state === "received" || upload.state === "processing";

/**
 * Calls `onUpload` with every new state until nothing more can happen, and `onTrouble(error)` while the server cannot be asked.
 * Returns when the page is left or the upload is finished; throws what asking again does not mend.
 */
export async function followUpload(id, { signal, onUpload, onTrouble }) {
    for (let attempt = 0; !signal.aborted; ) {
        let upload;
        try {
            upload = await askJSON(`/uploads/${id}?wait=1`, { signal, headers: language(), retries: 0 });
            attempt = 0;
        } catch (error) {
            if (signal.aborted) return;
            if (error.status >= 400 && error.status < 500 && error.status !== 429) throw error;
            onTrouble?.(error);
            await pause(backOff((attempt += 1)), signal).catch(() => {});
            continue;
        }
        onUpload(upload);
        if (isFinished(upload)) return;
        // While it is at work the server holds the answer back, unless it is about to stop; otherwise we do.
        await pause(isAtWork(upload) ? 100 : isWaiting(upload) ? 4000 : 800, signal).catch(() => {});
    }
}

/** Sentences are told in the language of the page. */
export const language = () => ({ "Accept-Language": document.documentElement.lang });
