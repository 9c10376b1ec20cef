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

export class LiveVenue extends EventTarget {
    #replica;
    #signal;
    #connection = "connecting";
    /** Whether a new revision was announced that could not be fetched yet. */
    #isBehind = false;
    #isUntrusted = false;
    #catchingUp = null;

    /**
     * Sends no requests. The replica is kept in memory only: private maps do not stay in the browser. `trust` are the public keys that
     * revisions must be signed with; null if they need no signature.
     */
    static async open(venue, signal, trust = null) {
        const server = { server: location.origin, key: () => session.key, policy: retryPolicy };
        const live = new LiveVenue(await VenueReplica.open({ ...server, venue, trust }), server, signal);
        live.isSigned = trust !== null;
        return live;
    }

    constructor(replica, server, signal) {
        super();
        /** Whether revisions are shown only if a trusted key has signed them. */
        this.isSigned = false;
        this.#replica = replica;
        this.#signal = signal;
        this.server = server;
        replica.addEventListener("change", ({ detail }) => this.#applied(detail));
        window.addEventListener("offline", () => this.#dispatchState(), { signal });
        window.addEventListener("online", () => this.#backOnline(), { signal });
    }

    get revision() {
        return this.#replica.state.revision;
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
            this.#set({ connection: isRefusal(error) ? "refused" : "disconnected" });
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
            onDisconnect: () => this.#set({ connection: "disconnected" }),
        });
    }

    /** Without a key there are no events. */
    #followLongPolls() {
        const show = ({ state, error }) => this.#set({
            connection: { connecting: "connecting", current: "live" }[state] ?? "disconnected", isUntrusted: isUntrusted(error),
        });
        this.#replica.addEventListener("connection", ({ detail }) => show(detail));
        show(this.#replica.connection);
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
                const isPermanent = error instanceof SyncError && ["unauthorized", "unknownVenue", "venueGone"].includes(error.kind);
                if (!isPermanent) continue;
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

    #set({ connection = this.#connection, isBehind = this.#isBehind, isUntrusted = this.#isUntrusted }) {
        const before = this.state;
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
const isRefusal = (error) => error instanceof SyncError && error.kind === "unauthorized";
