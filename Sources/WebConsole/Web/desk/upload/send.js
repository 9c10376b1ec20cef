// Sends an archive. Only XMLHttpRequest tells how much of a body has gone.

import { Problem } from "../../api.js";
import { session } from "../../session.js";

/**
 * Sends a file as an upload of a venue. `options` are those of `POST /venues/{venue}/uploads`; what is undefined is left out.
 * `onProgress(done, total)` is told of bytes. Resolves with the upload as it was queued.
 */
export function send(venue, file, options, { onProgress, signal }) {
    // A space is %20: what URLSearchParams writes for it is a plus sign to the server.
    const query = Object.entries(options).filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
    return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open("POST", `/venues/${encodeURIComponent(venue)}/uploads?${query}`);
        request.responseType = "text";
        request.setRequestHeader("Content-Type", "application/zip");
        request.setRequestHeader("Accept-Language", document.documentElement.lang);
        for (const [name, value] of Object.entries(session.headers)) request.setRequestHeader(name, value);
        request.upload.addEventListener("progress", (event) => onProgress(event.loaded, event.total || file.size));
        request.addEventListener("load", () => {
            const document = parse(request.responseText);
            if (request.status === 202) resolve(document);
            else reject(new Problem(request.status, document));
        });
        request.addEventListener("error", () => reject(new Problem(0)));
        request.addEventListener("abort", () => reject(new DOMException("given up", "AbortError")));
        signal?.addEventListener("abort", () => request.abort(), { once: true });
        request.send(file);
    });
}

function parse(text) {
    try {
        return JSON.parse(text);
    } catch {
        return {};
    }
}
