// Receives the events of new revisions, which need a key.

import { ServerConnection } from "./connection.js";
import { RetryPolicy } from "./retry-policy.js";
import { HistoryLost, SyncError, endsFollowing, malformed } from "./sync-error.js";

/** The longest line of an event stream. */
const maximumLine = 4 * 2 ** 20;

/**
 * Follows `GET /events` until `signal` is aborted, and then resolves. `onRevision({venue, revision, position, kind, levels})` is called
 * for every new revision of every venue that the key may read. `onConnect()` is awaited after every connect, because events may have been
 * missed; `onDisconnect(error)` is called after every failure. Reconnects after growing pauses, also after a refused key, which may be granted
 * again. Errors of `onConnect` count as failures of the connection. Rejects with a `SyncError` of the kind `file` if a store of `onConnect`
 * cannot be used.
 */
export async function followEvents({ server, key, fetch, policy = new RetryPolicy(), signal, onRevision, onConnect, onDisconnect }) {
    const connection = new ServerConnection(server, { key, fetch, policy });
    let lastEventID = null;
    for (let failures = 0; !signal?.aborted; ) {
        let failure = new SyncError("unreachable", "the stream of events has ended");
        try {
            const events = new EventStream((event) => {
                lastEventID = event.id ?? lastEventID;
                if (event.name === "revision") onRevision(revisionOf(event.data));
            });
            await connection.stream("/events", {
                signal, headers: lastEventID === null ? {} : { "Last-Event-ID": lastEventID },
                onStart: async () => {
                    await onConnect?.();
                    failures = 0;
                },
                onText: (text) => events.feed(text),
            });
        } catch (error) {
            if (signal?.aborted) return;
            // The event id belongs to another history. `onConnect` synchronizes, which brings what was missed.
            if (error instanceof HistoryLost) lastEventID = null;
            else if (endsFollowing(error)) throw error;
            else failure = error;
        }
        if (signal?.aborted) return;
        onDisconnect?.(failure);
        failures += 1;
        await policy.sleep(policy.pause(failures, failure.retryAfter), signal).catch((error) => {
            if (!signal?.aborted) throw error;
        });
    }
}

function revisionOf(data) {
    try {
        const event = JSON.parse(data);
        if (typeof event.venue === "string" && Number.isSafeInteger(event.revision)) return event;
    } catch {
        // Refused below.
    }
    throw malformed("an event that is not a revision");
}

/** Parses an event stream (HTML standard, §9.2.6). Comments are skipped. */
class EventStream {
    #onEvent;
    #rest = "";
    #event = { name: "message", data: "", id: null };

    constructor(onEvent) {
        this.#onEvent = onEvent;
    }

    feed(text) {
        const lines = (this.#rest + text).split("\n");
        this.#rest = lines.pop();
        for (const line of lines) this.#line(line.replace(/\r$/, ""));
        if (this.#rest.length + this.#event.data.length > maximumLine) throw malformed("an event that is too long");
    }

    #line(line) {
        if (line === "") {
            const event = this.#event;
            this.#event = { name: "message", data: "", id: null };
            if (event.data !== "") this.#onEvent(event);
            return;
        }
        const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
        if (field === "event") this.#event.name = value;
        else if (field === "id") this.#event.id = value;
        else if (field === "data") this.#event.data += (this.#event.data === "" ? "" : "\n") + value;
    }
}
