// Hears of new revisions: over `/events` with a key; without one, by holding `sync` open, which public venues allow.

import { ask, Problem } from "../api.js";
import { backOff, pause } from "./pause.js";

/**
 * Calls `onRevision({venue, revision, …})` for every event, until `signal` is aborted. `onState` hears `live` and `away`, and
 * `onReturn` is awaited whenever the line stands again, because something may have been missed.
 */
export async function followEvents({ signal, onRevision, onReturn, onState }) {
    let last = null;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
        // A line that is given up is closed, too: a browser keeps six to a server, and then asks nothing any more.
        const line = new AbortController();
        try {
            const headers = last === null ? {} : { "Last-Event-ID": last };
            const answer = await ask("/events", { headers, signal: AbortSignal.any([signal, line.signal]), retries: 0 });
            await onReturn?.();
            onState?.("live");
            attempt = 0;
            for await (const event of readEvents(answer.body)) {
                last = event.id ?? last;
                if (event.name === "revision") onRevision(JSON.parse(event.data));
            }
        } catch (error) {
            if (signal.aborted) return;
            if (isOver(error)) throw error;
            // An id of another history: what was missed is for `sync` to tell.
            if (error instanceof Problem && error.status === 410) last = null;
        } finally {
            line.abort();
        }
        onState?.("away");
        await pause(backOff(attempt), signal).catch(() => {});
    }
}

/** Whether nothing is left to come back for: the key is revoked, the venue was deleted or is not to be seen any more. */
export function isOver(error) {
    if (!(error instanceof Problem)) return false;
    return error.status === 401 || error.kind === "venue-not-found" || error.kind === "venue-gone";
}

/** The events of a stream (HTML standard, §9.2.6), comments left out. */
async function* readEvents(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let event = { name: "message", data: "", id: undefined };
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        for (const line of lines) {
            if (line === "") {
                if (event.data) yield event;
                event = { name: "message", data: "", id: undefined };
                continue;
            }
            const [, field, text] = /^([^:]*)(?:: ?(.*))?$/.exec(line.replace(/\r$/, "")) ?? [];
            if (field === "event") event.name = text;
            else if (field === "id") event.id = text;
            else if (field === "data") event.data += (event.data ? "\n" : "") + text;
        }
    }
}
