// All venues that a key may read, in one store and at one catalogue position.

import { CatalogueUpdate } from "./catalogue-update.js";
import { ServerConnection, queryOf } from "./connection.js";
import { ConnectionTracker } from "./connection-tracker.js";
import { VenueContents } from "./contents.js";
import { differenceOf } from "./difference.js";
import { followLoop } from "./follow.js";
import { RetryPolicy } from "./retry-policy.js";
import { StoredVenues } from "./stored-venues.js";
import { HistoryLost, StateChanged, SyncError, contradiction } from "./sync-error.js";
import { VenueReader } from "./venue-reader.js";
import { cataloguePageOf } from "./wire.js";
import { MemoryReplicaStore } from "../store/memory-replica-store.js";

const defaultPageLimit = 50_000;
/** How often a synchronization is started again because another writer has changed the store. */
const maximumAttempts = 5;

/** The result of a synchronization of all venues. */
class CatalogueReport {
    /** Whether the replica was written, even if only the cursor changed. */
    hasCommitted = false;
    /** A `SyncReport` for every venue that is new or has changed, sorted by venue. */
    venues = [];
    /** The venues that were deleted, or that the key may not read any more. */
    gone = [];
    hasStartedOver = false;

    constructor(from, to) {
        /** The previous catalogue position; null if there was none. */
        this.from = from;
        this.to = to;
    }
}

/**
 * All levels of every venue that the key may read; `GET /sync`. It has the events of `VenueReplica`; the `detail` of `change` is a
 * `CatalogueReport`.
 */
export class CatalogueReplica extends EventTarget {
    #connection;
    #stored;
    #tracker;
    #pageLimit;
    #queue = Promise.resolve();

    /** Use `CatalogueReplica.open`. */
    constructor(stored, connection, pageLimit) {
        super();
        this.#stored = stored;
        this.#connection = connection;
        this.#pageLimit = pageLimit;
        const times = [...stored.venues.values()].map(({ state }) => state.syncedAt);
        this.#tracker = new ConnectionTracker(
            times.length > 0 ? Math.max(...times) : null, (current) => this.#dispatch("connection", current));
    }

    /** Opens the replica; see `VenueReplica.open`. */
    static async open({ server, key, store = new MemoryReplicaStore(), fetch, policy, pageLimit = defaultPageLimit }) {
        const connection = new ServerConnection(server, { key, fetch, policy: policy ?? new RetryPolicy() });
        const stored = new StoredVenues(store);
        await stored.refresh();
        if (!stored.catalogue && stored.venues.size > 0) throw new SyncError("file", "the store holds a single venue");
        return new CatalogueReplica(stored, connection, pageLimit);
    }

    /** The keys of the held venues, sorted. */
    get venues() {
        return [...this.#stored.venues.keys()].sort();
    }

    /** The catalogue position; null before the first synchronization. */
    get position() {
        return this.#stored.catalogue?.position ?? null;
    }

    /** Reads one venue; undefined if it is not held. */
    venue(key) {
        return this.#stored.venues.has(key) ? new VenueReader(() => this.#stored.venues.get(key)) : undefined;
    }

    get connection() {
        return this.#tracker.connection;
    }

    /** Brings all venues up to date. Rejects with a `SyncError`; then the replica is unchanged. */
    sync({ signal } = {}) {
        return this.#tracker.tracking(this.#connection.policy, () => this.#synchronize(undefined, signal));
    }

    /** Keeps the replica up to date until `signal` is aborted; see `VenueReplica.follow`. The reports are `CatalogueReport`. */
    async follow(report = () => {}, { signal } = {}) {
        const poll = (seconds) => this.#synchronize(this.#cursor === null ? undefined : seconds, signal);
        await followLoop({ poll, report, tracker: this.#tracker, policy: this.#connection.policy, signal });
    }

    /** Waits for a running synchronization, and closes the store. */
    async close() {
        await this.#queue;
        await this.#stored.close();
    }

    /** Null if levels of the store are damaged: then everything is replaced. */
    get #cursor() {
        return this.#stored.damaged.length > 0 ? null : (this.#stored.catalogue?.cursor ?? null);
    }

    async #synchronize(wait, signal) {
        for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
            try {
                return await this.#pull(this.#cursor, wait, signal);
            } catch (error) {
                if (error instanceof StateChanged) await this.#exclusively(() => this.#refresh());
                else if (error instanceof HistoryLost) return this.#startOver(signal);
                else throw error;
            }
        }
        throw new SyncError("busy", "others keep writing to the store");
    }

    /** Reads what another writer has stored. */
    async #refresh() {
        const { venues: before, catalogue } = this.#stored;
        await this.#stored.refresh();
        const { venues: after } = this.#stored;
        if (this.position === (catalogue?.position ?? null)) return;
        const report = new CatalogueReport(catalogue?.position ?? null, this.position);
        report.gone = [...before.keys()].filter((venue) => !after.has(venue)).sort();
        report.venues = this.venues.map((venue) => differenceOf(before.get(venue) ?? new VenueContents(venue), after.get(venue)))
            .filter(({ hasChanges }) => hasChanges);
        this.#dispatch("change", report);
    }

    async #startOver(signal) {
        try {
            const report = await this.#pull(null, undefined, signal);
            report.hasStartedOver = true;
            return report;
        } catch (error) {
            throw error instanceof HistoryLost ? contradiction("the history was lost twice") : error;
        }
    }

    async #pull(cursor, wait, signal) {
        const { catalogue } = this.#stored;
        const first = await this.#page(cursor, { wait, signal, cache: wait === undefined ? "no-cache" : "no-store" });
        return this.#exclusively(async () => {
            // Another call has changed the replica while the server delayed its response.
            if (this.#stored.catalogue !== catalogue) throw new StateChanged();
            return this.#apply(first, cursor, signal);
        });
    }

    async #page(cursor, { wait, ...options }) {
        const query = queryOf([["since", cursor], ["limit", this.#pageLimit], ["wait", wait]]);
        const { document, lists } = await this.#connection.document(`/sync?${query}`, { ...options, wait });
        return cataloguePageOf(document, lists);
    }

    async #apply(first, cursor, signal) {
        const position = cursor === null ? null : this.position;
        if (first.from !== position || first.to < (position ?? 0)) {
            // No digest covers the position. If the stored one is wrong, no change set can continue it.
            throw position === null ? contradiction("changes, although everything was requested") : new HistoryLost(null);
        }
        const report = new CatalogueReport(this.position, first.to);
        const isUnchanged = first.isComplete && first.cursor === cursor && first.venues.length + first.gone.length === 0;
        if (isUnchanged) return report;
        const update = new CatalogueUpdate(this.#stored, this.#connection, cursor === null);
        const cursors = new Set([cursor]);
        let page = first;
        for (update.apply(page); !page.isComplete; update.apply(page)) {
            if (cursors.has(page.cursor)) throw contradiction("a repeated page");
            cursors.add(page.cursor);
            const { attempts } = this.#connection.policy;
            const { cursor: next } = page;
            page = await this.#connection.policy.attempting(attempts, signal, () => this.#page(next, { signal, cache: "default" }));
            if (page.from !== first.from || page.to !== first.to) throw contradiction("pages of different change sets");
        }
        const outcome = await update.commit({ position: first.to, cursor: page.cursor }, signal);
        Object.assign(report, outcome, { hasCommitted: true });
        this.#dispatch("change", report);
        return report;
    }

    #exclusively(work) {
        const outcome = this.#queue.then(work);
        this.#queue = outcome.catch(() => {});
        return outcome;
    }

    #dispatch(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}
