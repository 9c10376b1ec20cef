// The replica of the map page: the requested levels of a venue, kept up to date. Events:
//   `changes`  detail: {added, changed, removed, revision}, lists of {id, before, after}
//   `state`    detail: "connecting" | "live" | "disconnected" | "offline" | "refused" (the key is not valid any more) |
//              "untrusted" (the server sends nothing that a trusted key has signed)
//   `problem`  detail: an error

import { followEvents } from "../client/sync/events.js";
import { SyncError } from "../client/sync/sync-error.js";
import { VenueReplica } from "../client/sync/venue-replica.js";
import { backoffDelay, pause, retryPolicy } from "../retry.js";
import { session } from "../session.js";
import { openReplicaStore } from "./replica-stores.js";

export class LiveVenue extends EventTarget {
    #replica;
    #signal;
    #connection = "connecting";
    /** Whether a new revision was announced that could not be fetched yet. */
    #isBehind = false;
    #isUntrusted = false;
    #isTrusting;
    #catchingUp = null;
    #hasBeenLive = false;
    /** When the connection was lost; null while there is one, or if there was none. */
    #lostAt = null;
    #store;

    /**
     * Sends no requests. Reads what the browser has stored of the venue at an earlier visit. `trust` are the public keys that revisions
     * must be signed with; null if they need no signature.
     */
    static async open(venue, signal, trust = null) {
        const server = { server: location.origin, key: () => session.key, policy: retryPolicy };
        const store = await openReplicaStore(venue);
        return new LiveVenue(await VenueReplica.open({ ...server, venue, store, trust }), server, signal, { store, trust });
    }

    constructor(replica, server, signal, { store = null, trust = null } = {}) {
        super();
        this.#isTrusting = trust !== null;
        this.#replica = replica;
        this.#signal = signal;
        this.#store = store;
        signal.addEventListener("abort", () => replica.close().catch(() => {}), { once: true });
        this.server = server;
        replica.addEventListener("change", ({ detail }) => this.#applied(detail));
        window.addEventListener("offline", () => this.#dispatchState(), { signal });
        window.addEventListener("online", () => this.#backOnline(), { signal });
    }

    get revision() {
        return this.#replica.state.revision;
    }

    /** Whether a trusted key has signed what is shown. What was stored without trusted keys is verified by its digests only. */
    get isSigned() {
        return this.#isTrusting && Boolean(this.#replica.state.head);
    }

    /** Whether only what a trusted key has signed may be shown. */
    get isTrusting() {
        return this.#isTrusting;
    }

    /** Reads the features. */
    get reader() {
        return this.#replica;
    }

    get about() {
        return this.#replica.state.about;
    }

    /** The `ReplicaFeature` with an id. */
    feature(id) {
        return this.#replica.feature(id);
    }

    /** The features of a level; null for the venue-wide part. */
    featuresOf(level) {
        return this.#replica.features({ level });
    }

    /** The levels of the venue as the replica knows them. */
    get levels() {
        return this.#replica.levels();
    }

    /** The time at which the server confirmed the replica, as far as it is known; null if there is none. */
    get asOf() {
        if (this.#connection === "live") return new Date();
        const { lastSynced } = this.#replica.connection;
        return this.#lostAt && (!lastSynced || lastSynced < this.#lostAt) ? this.#lostAt : lastSynced;
    }

    /** Deletes what the browser has stored of the venue, because the session may not read it any more. */
    async forget() {
        await this.#store?.delete?.();
    }

    get state() {
        if (this.#connection === "refused") return "refused";
        // The browser knows it before a request fails.
        if (navigator.onLine === false) return "offline";
        if (this.#isUntrusted) return "untrusted";
        return this.#connection === "live" && this.#isBehind ? "disconnected" : this.#connection;
    }

    /** What was published in the meantime may not have been announced. */
    #backOnline() {
        if (this.#connection === "live") this.#catchUp();
        this.#dispatchState();
    }

    #dispatchState() {
        this.#dispatch("state", this.state);
    }

    /** Whether a level is loaded, as of the replica's revision. `level` is `ordinal:1` or `venue`. */
    holds(level) {
        return this.revision !== null && (level === "venue" || this.#replica.state.selection.includes(level));
    }

    /** Loads these levels in addition, and keeps them up to date from then on. */
    async load(levels) {
        if (!levels.every((level) => this.holds(level))) await this.#replica.add(levels, { signal: this.#signal });
    }

    /** Keeps the replica up to date until the user leaves the page. */
    async follow() {
        try {
            if (session.isSignedIn) await this.#followEvents();
            else await this.#followLongPolls();
        } catch (error) {
            if (this.#signal.aborted) return;
            this.#set({ connection: isRefusal(error) ? "refused" : this.#withoutConnection });
            if (isFinal(error)) this.forget().catch(() => {});
            this.#dispatch("problem", error);
        }
    }

    /** Events announce every revision of the venue, also those that change none of the loaded levels. */
    #followEvents() {
        return followEvents({
            ...this.server, signal: this.#signal,
            onRevision: ({ venue }) => {
                if (venue === this.#replica.venue) this.#sync().catch(() => this.#catchUp());
            },
            onConnect: async () => {
                await this.#sync();
                this.#set({ connection: "live" });
            },
            onDisconnect: () => this.#set({ connection: this.#withoutConnection }),
        });
    }

    /** Without a key there are no events. */
    async #followLongPolls() {
        const names = { connecting: "connecting", current: "live" };
        const show = ({ state, error }) => this.#set({
            connection: names[state] ?? this.#withoutConnection, isUntrusted: isUntrusted(error),
        });
        this.#replica.addEventListener("connection", ({ detail }) => show(detail));
        show(this.#replica.connection);
        // What was stored at an earlier visit is confirmed at once: a long poll waits for the next change. The polls repeat a failure.
        if (this.#replica.connection.state === "connecting") await this.#sync().catch(() => {});
        return this.#replica.follow(() => {}, { signal: this.#signal });
    }

    async #sync() {
        try {
            await this.#replica.sync({ signal: this.#signal });
        } catch (error) {
            this.#set({ isUntrusted: isUntrusted(error) });
            throw error;
        }
        this.#set({ isBehind: false, isUntrusted: false });
    }

    /** Retries until the replica is up to date: an event is sent once, and the next one may come days later. */
    #catchUp() {
        if (this.#signal.aborted) return;
        this.#set({ isBehind: true });
        this.#catchingUp ??= this.#retrySync().finally(() => { this.#catchingUp = null; });
    }

    async #retrySync() {
        for (let attempt = 0; this.#isBehind; attempt += 1) {
            try {
                await pause(backoffDelay(attempt), this.#signal);
                if (this.#isBehind) await this.#sync();
            } catch (error) {
                if (this.#signal.aborted) return;
                if (!isFinal(error)) continue;
                this.forget().catch(() => {});
                if (isRefusal(error)) this.#set({ connection: "refused" });
                this.#dispatch("problem", error);
                return;
            }
        }
    }

    /** Reports what a synchronization has changed, with the features of added and dropped levels. */
    #applied(report) {
        const changes = { added: [], changed: [], removed: [] };
        for (const { kind, id, before, after } of report.changes) changes[kind].push({ id, before, after });
        this.#dispatch("changes", { ...changes, revision: report.to });
    }

    /** The page was opened offline, or the connection was lost and will be back soon. */
    get #withoutConnection() {
        return this.#hasBeenLive ? "disconnected" : "offline";
    }

    #set({ connection = this.#connection, isBehind = this.#isBehind, isUntrusted = this.#isUntrusted }) {
        const before = this.state;
        if (connection === "live") this.#hasBeenLive = true;
        if (this.#connection === "live" && connection !== "live") this.#lostAt = new Date();
        this.#connection = connection;
        this.#isBehind = isBehind;
        this.#isUntrusted = isUntrusted;
        if (this.state !== before) this.#dispatch("state", this.state);
    }

    #dispatch(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}

const isUntrusted = (error) => error instanceof SyncError && error.kind === "untrusted";
const isFinal = (error) => error instanceof SyncError && ["unauthorized", "unknownVenue", "venueGone"].includes(error.kind);
const isRefusal = (error) => error instanceof SyncError && error.kind === "unauthorized";
