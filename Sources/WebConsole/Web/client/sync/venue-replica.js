// A verified local copy of one venue or of some of its levels.

import { ServerConnection } from "./connection.js";
import { ConnectionTracker } from "./connection-tracker.js";
import { followLoop } from "./follow.js";
import { adding, dropping, everything, selectionOf } from "./level-selection.js";
import { RetryPolicy } from "./retry-policy.js";
import { StoredVenues } from "./stored-venues.js";
import { SyncError } from "./sync-error.js";
import { TrustedKeys } from "./trust.js";
import { VenueReader } from "./venue-reader.js";
import { VenueSynchronizer } from "./venue-synchronizer.js";
import { isVenueKey } from "./wire.js";
import { MemoryReplicaStore } from "../store/memory-replica-store.js";

/** The server ends a page at this number of features and removals, or at 8 MiB. */
const defaultPageLimit = 50_000;

/**
 * A venue in a store and in memory, verified by digests. Reading is synchronous and sees one revision. Events:
 *
 * - `change`: the replica has changed; `detail` is a `SyncReport`
 * - `connection`: the state of the connection has changed; `detail` is the new connection
 */
export class VenueReplica extends EventTarget {
    #reader;
    #synchronizer;
    #stored;
    #tracker;
    #policy;
    #routes = null;

    /** Use `VenueReplica.open`. */
    constructor(venue, stored, connection, pageLimit, trust = null) {
        super();
        this.venue = venue;
        this.#stored = stored;
        this.#policy = connection.policy;
        this.#synchronizer = new VenueSynchronizer({
            venue, connection, stored, pageLimit, trust, onReport: (report) => this.#dispatch("change", report),
        });
        this.#reader = new VenueReader(() => this.#synchronizer.contents);
        this.#tracker = new ConnectionTracker(this.state.syncedAt, (current) => this.#dispatch("connection", current));
    }

    /**
     * Opens the replica of a venue. Sends no requests, and reads what the store has. Without a store, the replica is in memory only.
     *
     * `trust` are the public keys of the operator. Then a revision is applied only if one of them has signed it, if the statement about it
     * has not expired, and if it is not older than what is held. Without it, revisions need no signature.
     *
     * Throws a `TypeError` for an invalid address, key or venue key, and a `SyncError` for a store that is not the replica of this venue.
     */
    static async open({ server, venue, key, store = new MemoryReplicaStore(), fetch, policy, pageLimit = defaultPageLimit, trust = null }) {
        if (!isVenueKey(venue)) throw new TypeError(`“${venue}” is not a venue key`);
        const connection = new ServerConnection(server, { key, fetch, policy: policy ?? new RetryPolicy() });
        const keys = trust === null ? null : await TrustedKeys.of(trust);
        const stored = new StoredVenues(store);
        await stored.refresh();
        const other = [...stored.venues.keys()].find((held) => held !== venue);
        if (stored.catalogue || other) throw new SyncError("file", `the store holds ${other ? `the venue ${other}` : "all venues"}`);
        return new VenueReplica(venue, stored, connection, pageLimit, keys);
    }

    // Reading. Sends no requests; see `VenueReader`.

    get state() {
        return this.#reader.state;
    }

    levels() {
        return this.#reader.levels();
    }

    features(choice) {
        return this.#reader.features(choice);
    }

    feature(id) {
        return this.#reader.feature(id);
    }

    digest(level) {
        return this.#reader.digest(level);
    }

    // Routes, without a network. What computes them is loaded with the first question.

    /**
     * The fastest way between two places of the held levels, or the reason why there is none: what `GET /venues/{venue}/route` responds with,
     * byte for byte if all levels are held. `from` and `to` are `{ feature }` or `{ longitude, latitude, ordinal }`; opening hours are
     * evaluated `at` a moment, and `closed` are the ids of what is shut besides. Without `languages`, that of the archive is used.
     */
    async route(query) {
        return (await this.#routing()).route(query);
    }

    /** Those of several features that can be reached first, `{ feature, seconds }`, in this order. */
    async nearest(query) {
        return (await this.#routing()).nearest(query);
    }

    /**
     * What can be reached from the exits on the held levels, what is cut off, and which features to mend: what
     * `GET /venues/{venue}/reachability` responds with, byte for byte if all levels are held. `egress` adds the nearest exits of every unit by
     * ways without lifts, which takes longer. Rejects once `signal` is aborted.
     */
    async reachability(options) {
        return (await this.#routing()).reachability(options);
    }

    /** Frees the memory that routes need. */
    discardRoutes() {
        this.#routes = null;
    }

    async #routing() {
        const { ReplicaRoutes } = await import("../wayfinding/replica-routes.js");
        this.#routes ??= new ReplicaRoutes(this);
        return this.#routes;
    }

    /** The damaged levels that were left out when the store was read. The next synchronization replaces them. */
    get damagedLevels() {
        return this.#stored.damaged.map(({ level }) => level);
    }

    /** `{state, lastSynced, error, retryAt}`; see `ConnectionTracker` for the states. */
    get connection() {
        return this.#tracker.connection;
    }

    // Synchronization.

    /**
     * Brings the replica up to date with the newest revision. `levels` is the new selection: `"everything"`, or a list of level names;
     * without it the stored selection is used, which initially is everything. Rejects with a `SyncError`; then the replica is unchanged.
     */
    async sync({ levels, signal } = {}) {
        const chosen = levels === undefined ? null : selectionOf(levels);
        return this.#synchronize((state) => chosen ?? state.selection ?? everything, signal);
    }

    /** Adds a level, or several, to the selection and brings the replica up to date. */
    async add(levels, { signal } = {}) {
        const added = namesOf(levels);
        return this.#synchronize((state) => adding(state.selection, added), signal);
    }

    /** Removes a level, or several, from the selection and brings the replica up to date. */
    async drop(levels, { signal } = {}) {
        const dropped = namesOf(levels);
        const held = () => this.levels().filter(({ level, isHeld }) => isHeld && level !== null);
        return this.#synchronize((state) => dropping(state.selection ?? everything, dropped, held()), signal);
    }

    /**
     * Keeps the replica up to date until `signal` is aborted; then resolves. `adding` is a level, or several, that the first
     * synchronization that succeeds adds to the selection, so that a floor can be chosen without a network; without it, and if nothing is
     * selected yet, all levels are selected. `report` is called with events:
     *
     * - `{kind: "connected", isBack}`: the first response, or the first one after failures
     * - `{kind: "synced", report}`: this call has stored a response. Only the event `change` is also sent for what `add`, `drop`, `sync`
     *   and other tabs or programs have stored: show the replica after that
     * - `{kind: "failed", error, pause}`: a request failed and is repeated after `pause` milliseconds
     *
     * A refused key, a venue that does not exist and a full disk are retried too, because the key may be granted again: an app that does not
     * want to wait for that aborts `signal`. Rejects with a `SyncError` of the kind `file` if the store cannot be used, and with a `TypeError`
     * for an invalid level name.
     */
    async follow(report = () => {}, { adding: levels = [], signal } = {}) {
        const names = namesOf(levels);
        if (names.length > 0) selectionOf(names);
        let missing = names;
        const poll = async (seconds) => {
            if (missing.length === 0) return this.#synchronizer.poll(seconds, signal);
            const outcome = await this.#synchronizer.synchronize((state) => adding(state.selection, missing), signal);
            missing = [];
            return outcome;
        };
        await followLoop({ poll, report, tracker: this.#tracker, policy: this.#policy, signal });
    }

    /** Waits for a running synchronization, and closes the store. */
    async close() {
        await this.#synchronizer.settle();
        await this.#stored.close();
    }

    #synchronize(choose, signal) {
        return this.#tracker.tracking(this.#policy, () => this.#synchronizer.synchronize(choose, signal));
    }

    #dispatch(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}

function namesOf(levels) {
    return typeof levels === "string" ? [levels] : [...levels];
}
