// Functions for the tests of this folder: replicas in IndexedDB with scripted responses.

import { IndexedDBReplicaStore, RetryPolicy, SyncError, VenueReplica } from "../../src/index.js";
import { digestOf } from "../../src/sync/digest.js";

const id = (end) => `00000000-0000-4000-8000-${end.padStart(12, "0")}`;

window.body = (end, name) => JSON.stringify({ feature_type: "unit", geometry: null, id: id(end), properties: { name: { ja: name } }, type: "Feature" });

/** A page with the venue-wide part alone: its bodies before and after the change set. */
window.pageOf = async (from, to, cursor, bodies, total = bodies) => {
    const digest = await digestOf(new TextEncoder().encode(total.map((body) => `${body}\n`).join("")));
    const head = { protocol: 1, venue: "mall", from, to, digest, about: { language: "ja" }, complete: true, cursor };
    const block = { level_id: null, ordinal: null, kind: from === null ? "snapshot" : "changes", digest };
    return [
        `${JSON.stringify(head).slice(0, -1)},"levels":[`, `${JSON.stringify(block).slice(0, -1)},"features":[`,
        ...bodies.map((body, index) => (index + 1 < bodies.length ? `${body},` : body)), '],"removed":[]}', "]}", ""].join("\n");
};

/** Opens a replica; `responses` are texts, or functions that return one. */
window.open = async (name, responses = [], { factory } = {}) => {
    window.requests = [];
    window.store = new IndexedDBReplicaStore(name, factory && { indexedDB: factory });
    window.replica = await VenueReplica.open({
        server: location.origin, venue: "mall", store: window.store,
        policy: new RetryPolicy({ attempts: 1, minimumPause: 1, maximumPause: 2 }),
        fetch: async (url) => {
            window.requests.push(new URL(url).searchParams.get("since"));
            const response = responses.shift();
            return new Response(typeof response === "function" ? await response() : response);
        },
    });
    window.changes = [];
    window.replica.addEventListener("change", ({ detail }) => window.changes.push([detail.from, detail.to, detail.added, detail.changed]));
};

window.held = () => [window.replica.state.revision, window.replica.features().map((feature) => feature.name(["ja"]))];

/** The kind of the error of a synchronization; null if it succeeds. */
window.sync = async () => {
    try {
        await window.replica.sync();
        return null;
    } catch (error) {
        if (!(error instanceof SyncError)) throw error;
        return error.kind;
    }
};

window.isReady = true;
