// Receives the events of new revisions from `/events`, which needs a key. Without a key, live-venue.js uses long polls instead.

import { request, Problem } from "../api.js";
import { backoffDelay, pause } from "../retry.js";

/**
 * Calls `onRevision({venue, revision, …})` for every event until `signal` is aborted, and reconnects after failures. `onState` is
 * called with `live` and `disconnected`. `onConnect` is awaited after every connect, because events may have been missed.
 */
export async function followEvents({ signal, onRevision, onConnect, onState }) {
    let lastEventId = null;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
        // Closes the connection in every case: browsers allow six connections per server, and further requests would wait.
        const connection = new AbortController();
        try {
            const headers = lastEventId === null ? {} : { "Last-Event-ID": lastEventId };
            const anySignal = AbortSignal.any([signal, connection.signal]);
            const response = await request("/events", { headers, signal: anySignal, retries: 0 });
            await onConnect?.();
            onState?.("live");
            attempt = 0;
            for await (const event of readEvents(response.body)) {
                lastEventId = event.id ?? lastEventId;
                if (event.name === "revision") onRevision(JSON.parse(event.data));
            }
        } catch (error) {
            if (signal.aborted) return;
            if (isPermanent(error)) throw error;
            // The event id belongs to another history. `onConnect` syncs, which brings what was missed.
            if (error instanceof Problem && error.status === 410) lastEventId = null;
        } finally {
            connection.abort();
        }
        onState?.("disconnected");
        await pause(backoffDelay(attempt), signal).catch(() => {});
    }
}

/** Whether retrying is pointless: the key is revoked, or the venue was deleted or is not readable any more. */
export function isPermanent(error) {
    if (!(error instanceof Problem)) return false;
    return error.status === 401 || error.type === "venue-not-found" || error.type === "venue-gone";
}

/** Parses an event stream (HTML standard, §9.2.6). Comments are skipped. */
async function* readEvents(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let remainder = "";
    let event = { name: "message", data: "", id: undefined };
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        const lines = (remainder + value).split("\n");
        remainder = lines.pop();
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
