// The replica of the map page: the requested levels of a venue, kept up to date. Events:
//   `changes`  detail: {added, changed, removed, revision}, lists of {id, before, after}
//   `state`    detail: "connecting" | "live" | "disconnected" | "offline" | "refused" (the key is not valid any more) |
//              "untrusted" (the server sends nothing that a trusted key has signed)
//   `problem`  detail: an error

import { requestJSON } from "../api.js";
import { followEvents } from "../client/sync/events.js";
import { SyncError } from "../client/sync/sync-error.js";
import { VenueReplica } from "../client/sync/venue-replica.js";
import { backoffDelay, pause, retryPolicy } from "../retry.js";
import { session } from "../session.js";
import { openReplicaStore } from "./replica-stores.js";

export class LiveVenue extends EventTarget {
    #replica;
    #signal;
    /** Aborted when the key is refused, or when the user leaves the page. */
    #following = new AbortController();
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
        signal.addEventListener("abort", () => {
            this.#following.abort();
            replica.close().catch(() => {});
        }, { once: true });
        this.server = server;
        replica.addEventListener("change", ({ detail }) => this.#applied(detail));
        window.addEventListener("offline", () => this.#dispatchState(), { signal });
        window.addEventListener("online", () => this.#backOnline(), { signal });
        session.addEventListener("refused", () => this.#keyRefused(), { signal: this.#following.signal });
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

    /** Whether the browser keeps what is loaded, so that it can be read without a network. */
    get isStored() {
        return this.#store?.isLasting ?? false;
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
        if (levels.every((level) => this.holds(level))) return;
        try {
            await this.#replica.add(levels, { signal: this.#signal });
        } catch (error) {
            if (isRefusal(error) && this.#hasBeenLive) this.#refuse();
            throw error;
        }
    }

    /** Keeps the replica up to date until the user leaves the page. */
    async follow() {
        try {
            await this.#followUntilRefused((refused, signal) => (
                session.isSignedIn ? this.#followEvents(refused, signal) : this.#followLongPolls(refused, signal)));
        } catch (error) {
            if (this.#following.signal.aborted) return;
            if (!isRefusal(error)) this.#set({ connection: this.#withoutConnection });
            this.#fail(error);
        }
    }

    /** The client goes on after every refusal. The page ends with it: it shows the sign-in, or that the venue is gone. */
    async #followUntilRefused(follow) {
        const ending = new AbortController();
        this.#following.signal.addEventListener("abort", () => ending.abort(), { once: true });
        let refusal = null;
        await follow((error) => {
            if (!isFinal(error)) return;
            refusal ??= error;
            ending.abort();
        }, ending.signal);
        if (refusal) throw refusal;
    }

    /** Reports an error that a retry does not help against. */
    #fail(error) {
        if (isRefusal(error)) this.#refuse();
        else if (isFinal(error)) this.forget().catch(() => {});
        this.#dispatch("problem", error);
    }

    /** Ends following, because the server refuses the key. */
    #refuse() {
        this.#set({ connection: "refused" });
        this.#following.abort();
        this.forget().catch(() => {});
    }

    /** Another request of the page was refused. A page that is opened with a wrong key shows that itself. */
    #keyRefused() {
        if (this.#hasBeenLive) this.#fail(new SyncError("unauthorized", "the key was revoked", { status: 401 }));
    }

    /** Events announce every revision of the venue, also those that change none of the loaded levels. */
    #followEvents(refused, signal) {
        return followEvents({
            ...this.server, signal,
            onRevision: ({ venue }) => {
                if (venue === this.#replica.venue) this.#sync().catch((error) => this.#syncFailed(error));
            },
            onConnect: async () => {
                await this.#sync();
                this.#set({ connection: "live" });
            },
            onDisconnect: (error) => {
                refused(error);
                if (signal.aborted) return;
                const wasLive = this.#connection === "live";
                this.#set({ connection: this.#withoutConnection });
                // The server ends the stream of a revoked key. The next connection, after a pause, would be the first to say why.
                if (wasLive) this.#checkKey();
            },
        });
    }

    /** Sends a request that needs the key. If it is refused, the session reports it. Not by the replica, whose requests wait for each other. */
    #checkKey() {
        requestJSON("/venues?limit=1", { signal: this.#following.signal, retries: 0 }).catch(() => {});
    }

    #syncFailed(error) {
        if (this.#following.signal.aborted) return;
        if (isRefusal(error)) this.#fail(error);
        else this.#catchUp();
    }

    /** Without a key there are no events. */
    async #followLongPolls(refused, signal) {
        const names = { connecting: "connecting", current: "live" };
        const show = ({ state, error }) => this.#set({
            connection: names[state] ?? this.#withoutConnection, isUntrusted: isUntrusted(error),
        });
        this.#replica.addEventListener("connection", ({ detail }) => show(detail));
        show(this.#replica.connection);
        return this.#replica.follow(({ error }) => refused(error), { signal });
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
        if (this.#following.signal.aborted) return;
        this.#set({ isBehind: true });
        this.#catchingUp ??= this.#retrySync().finally(() => { this.#catchingUp = null; });
    }

    async #retrySync() {
        for (let attempt = 0; this.#isBehind; attempt += 1) {
            try {
                await pause(backoffDelay(attempt), this.#following.signal);
                if (this.#isBehind) await this.#sync();
            } catch (error) {
                if (this.#following.signal.aborted) return;
                if (isFinal(error)) return this.#fail(error);
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
        // Responses to earlier requests may still arrive.
        if (this.#connection === "refused") return;
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
