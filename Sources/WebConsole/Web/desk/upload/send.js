// Sends an archive, with XMLHttpRequest because `fetch` does not report the progress of a request body.

import { Problem } from "../../api.js";
import { session } from "../../session.js";

/** How long no byte may leave, and how long the response to the last one may take, in milliseconds. The server checks and stores it then. */
const [stallLimit, responseLimit] = [60_000, 300_000];

/**
 * Sends a file as an upload of a venue. `options` are the query parameters of `POST /venues/{venue}/uploads`; undefined ones are left
 * out. `onProgress(done, total)` is called with numbers of bytes. Resolves with the queued upload; without progress for too
 * long, it fails like a request without a connection.
 */
export function send(venue, file, options, { onProgress, signal }) {
    // Not URLSearchParams: it encodes a space as a plus sign, which the server does not decode.
    const query = Object.entries({ ...options, file_name: file.name }).filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
    return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open("POST", `/venues/${encodeURIComponent(venue)}/uploads?${query}`);
        request.responseType = "text";
        request.setRequestHeader("Content-Type", "application/zip");
        request.setRequestHeader("Accept-Language", document.documentElement.lang);
        for (const [name, value] of Object.entries(session.headers)) request.setRequestHeader(name, value);
        let timer;
        const expect = (milliseconds) => {
            clearTimeout(timer);
            timer = setTimeout(() => {
                reject(new Problem(0));
                request.abort();
            }, milliseconds);
        };
        request.upload.addEventListener("progress", (event) => {
            onProgress(event.loaded, event.total || file.size);
            expect(stallLimit);
        });
        request.upload.addEventListener("load", () => expect(responseLimit));
        request.addEventListener("loadend", () => clearTimeout(timer));
        request.addEventListener("load", () => {
            const body = parseJSON(request.responseText);
            if (request.status === 202) resolve(body);
            else reject(new Problem(request.status, body));
        });
        request.addEventListener("error", () => reject(new Problem(0)));
        request.addEventListener("abort", () => reject(new DOMException("The transfer was cancelled.", "AbortError")));
        signal?.addEventListener("abort", () => request.abort(), { once: true });
        request.send(file);
        expect(stallLimit);
    });
}

function parseJSON(text) {
    try {
        return JSON.parse(text);
    } catch {
        return {};
    }
}
