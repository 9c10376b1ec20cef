// A verified local copy of one venue or of some of its levels.

import { ServerConnection } from "./connection.js";
import { ConnectionTracker } from "./connection-tracker.js";
import { followLoop } from "./follow.js";
import { adding, dropping, everything, selectionOf } from "./level-selection.js";
import { RetryPolicy } from "./retry-policy.js";
import { StoredVenues } from "./stored-venues.js";
import { SyncError } from "./sync-error.js";
import { VenueSynchronizer } from "./venue-synchronizer.js";
import { MemoryReplicaStore } from "../store/memory-replica-store.js";

/** The server ends a page at this number of features and removals, or at 8 MiB. */
const defaultPageLimit = 50_000;
const venuePattern = /^(?=.{1,64}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/**
 * A venue in a store and in memory, verified by digests. Reading is synchronous and sees one revision. Events:
 *
 * - `change`: the replica has changed; `detail` is a `SyncReport`
 * - `connection`: the state of the connection has changed; `detail` is the new connection
 */
export class VenueReplica extends EventTarget {
    #synchronizer;
    #stored;
    #tracker;
    #policy;

    /** Use `VenueReplica.open`. */
    constructor(venue, stored, connection, pageLimit) {
        super();
        this.venue = venue;
        this.#stored = stored;
        this.#policy = connection.policy;
        this.#synchronizer = new VenueSynchronizer({
            venue, connection, stored, pageLimit, onReport: (report) => this.#dispatch("change", report),
        });
        const { syncedAt } = this.state;
        this.#tracker = new ConnectionTracker(
            syncedAt === null ? null : new Date(syncedAt), (current) => this.#dispatch("connection", current));
    }

    /**
     * Opens the replica of a venue. Sends no requests, and reads what the store has. Without a store, the replica is in memory only.
     *
     * Throws a `TypeError` for an invalid address, key or venue key, and a `SyncError` for a store that is not the replica of this venue.
     */
    static async open({ server, venue, key, store = new MemoryReplicaStore(), fetch, policy, pageLimit = defaultPageLimit }) {
        if (typeof venue !== "string" || !venuePattern.test(venue)) throw new TypeError(`“${venue}” is not a venue key`);
        const connection = new ServerConnection(server, { key, fetch, policy: policy ?? new RetryPolicy() });
        const stored = new StoredVenues(store);
        await stored.refresh();
        const other = [...stored.venues.keys()].find((held) => held !== venue);
        if (stored.catalogue || other) throw new SyncError("file", `the store holds ${other ? `the venue ${other}` : "all venues"}`);
        return new VenueReplica(venue, stored, connection, pageLimit);
    }

    // Reading. Sends no requests.

    /** `{revision, cursor, digest, selection, about, syncedAt}`; the revision is null before the first synchronization. */
    get state() {
        return this.#synchronizer.contents.state;
    }

    /** `{state, lastSynced, error, retryAt}`; see `ConnectionTracker` for the states. */
    get connection() {
        return this.#tracker.connection;
    }

    /** The damaged levels that were left out when the store was read. The next synchronization replaces them. */
    get damagedLevels() {
        return this.#stored.damaged.map(({ level }) => level);
    }

    /** The venue-wide part and all levels of the venue in ascending order, held or not. */
    levels() {
        const { levels, digests, state } = this.#synchronizer.contents;
        const features = new Map(this.features({ level: null, types: ["level"] }).map((feature) => [feature.id, feature]));
        const ids = [...new Set([...features.keys(), ...digests.keys()])].filter((level) => level !== null);
        const describe = (level) => {
            const feature = features.get(level);
            return {
                level, ordinal: feature?.ordinal ?? null, name: feature?.name([state.about.language]) ?? null,
                shortName: feature?.name([state.about.language], "short_name") ?? null,
                isHeld: digests.has(level), features: levels.get(level)?.size ?? 0, digest: digests.get(level) ?? null,
            };
        };
        const order = (one, other) =>
            (one.ordinal ?? Infinity) - (other.ordinal ?? Infinity) || (one.level < other.level ? -1 : 1);
        return [...(digests.has(null) ? [describe(null)] : []), ...ids.map(describe).sort((one, other) => order(one, other))];
    }

    /**
     * The features of a level (null: the venue-wide part), or of all held levels if `level` is undefined; sorted by level and id.
     * `types` selects feature types.
     */
    features({ level, types } = {}) {
        const { levels } = this.#synchronizer.contents;
        const wanted = types && new Set(types);
        const names = level === undefined ? [...levels.keys()].sort((one, other) => ((one ?? "") < (other ?? "") ? -1 : 1)) : [level];
        return names.flatMap((name) => [...(levels.get(name)?.values() ?? [])]
            .filter(({ type }) => !wanted || wanted.has(type))
            .sort((one, other) => (one.id < other.id ? -1 : 1)));
    }

    /** The feature with an id; undefined if it is not held. */
    feature(id) {
        return this.#synchronizer.contents.features.get(id);
    }

    /** The digest of a held level; undefined if it is not held. */
    digest(level) {
        return this.#synchronizer.contents.digests.get(level);
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
     * Keeps the replica up to date until `signal` is aborted; then resolves. `report` is called with events:
     *
     * - `{kind: "connected", isBack}`: the first response, or the first one after failures
     * - `{kind: "synced", report}`: the replica has changed
     * - `{kind: "failed", error, pause}`: a request failed and is repeated after `pause` milliseconds
     *
     * Rejects with a `SyncError` that a retry does not help against, such as a revoked key, a deleted venue or a full disk.
     */
    async follow(report = () => {}, { signal } = {}) {
        let isConnected = false;
        let hasFailed = false;
        const poll = async (seconds) => {
            const outcome = await this.#synchronizer.poll(seconds, signal);
            if (outcome === null) return true;
            this.#tracker.succeeded(this.#policy.now());
            if (!isConnected) report({ kind: "connected", isBack: hasFailed });
            isConnected = true;
            hasFailed = false;
            if (outcome.hasCommitted) report({ kind: "synced", report: outcome });
            return outcome.hasCommitted;
        };
        const onFailure = (error, pause) => {
            isConnected = false;
            hasFailed = true;
            this.#tracker.failed(error, new Date(this.#policy.now() + pause));
            report({ kind: "failed", error, pause });
        };
        await this.#tracking(() => followLoop({ poll, policy: this.#policy, signal, onFailure }));
    }

    /** Waits for a running synchronization, and closes the store. */
    async close() {
        await this.#synchronizer.settle();
        await this.#stored.close();
    }

    async #synchronize(choose, signal) {
        const report = await this.#tracking(() => this.#synchronizer.synchronize(choose, signal));
        this.#tracker.succeeded(this.#policy.now());
        return report;
    }

    async #tracking(work) {
        try {
            return await work();
        } catch (error) {
            if (error instanceof SyncError) this.#tracker.failed(error, null);
            throw error;
        }
    }

    #dispatch(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}

function namesOf(levels) {
    return typeof levels === "string" ? [levels] : [...levels];
}
