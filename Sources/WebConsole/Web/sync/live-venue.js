// A replica of the requested levels of a venue that is kept up to date. Events:
//   `changes`  detail: {added, changed, removed, revision}
//   `state`    detail: "connecting" | "live" | "disconnected"
//   `problem`  detail: an error

import { followEvents, isPermanent } from "./follow.js";
import { backoffDelay, pause } from "../retry.js";
import { pull, waitForChange } from "./pull.js";
import { Replica } from "./replica.js";
import { session } from "../session.js";

export class LiveVenue extends EventTarget {
    replica = new Replica();
    #venueKey;
    #signal;
    /** The levels that a completed pull covered, as values of the `level` parameter: ids, `ordinal:1`, `venue`. */
    #levels = new Set(["venue"]);
    #queue = Promise.resolve();
    #connection = "connecting";
    /** Whether a new revision was announced that could not be fetched yet. */
    #isBehind = false;
    #catchingUp = null;
    /** Aborts a long poll that waits for changes of fewer levels than are held now. */
    #longPoll = null;

    constructor(venueKey, signal) {
        super();
        this.#venueKey = venueKey;
        this.#signal = signal;
    }

    get state() {
        return this.#connection === "live" && this.#isBehind ? "disconnected" : this.#connection;
    }

    /** Whether a level is loaded, as of the replica's revision. */
    holds(level) {
        return this.replica.revision !== null && this.#levels.has(level);
    }

    /** Loads these levels in addition, and keeps them up to date from then on. */
    load(levels) {
        return this.#enqueue(async () => {
            if (levels.every((level) => this.holds(level))) return;
            await this.#pull({ levels });
            this.#longPoll?.abort();
        });
    }

    /** Brings the replica up to date. */
    sync({ to } = {}) {
        // A number that is not newer arrived late, or belongs to another epoch: a venue that was deleted and created again starts at
        // 1. A request without `to` gives the right result in both cases.
        return this.#enqueue(() => this.#pull({ to: to > this.replica.revision ? to : undefined }));
    }

    /** Keeps the replica up to date until the user leaves the page. */
    async follow() {
        try {
            if (session.isSignedIn) await this.#followEvents();
            else await this.#followLongPolls();
        } catch (error) {
            if (this.#signal.aborted) return;
            this.#set({ connection: "disconnected" });
            this.#dispatch("problem", error);
        }
    }

    /** Runs pulls one after the other, because each starts from the cursor that the previous one stored. */
    #enqueue(task) {
        const result = this.#queue.then(task);
        this.#queue = result.catch(() => {});
        return result;
    }

    async #pull({ levels = [], to }) {
        const allLevels = new Set([...this.#levels, ...levels]);
        const changes = await pull(this.#venueKey, this.replica, { levels: [...allLevels], to, signal: this.#signal });
        this.#levels = allLevels;
        this.#set({ isBehind: false });
        this.#dispatch("changes", { ...changes, revision: this.replica.revision });
    }

    #followEvents() {
        return followEvents({
            signal: this.#signal,
            onRevision: ({ venue, revision }) => {
                if (venue === this.#venueKey) this.sync({ to: revision }).catch(() => this.#catchUp());
            },
            onConnect: () => this.sync(),
            onState: (connection) => this.#set({ connection }),
        });
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
                if (this.#isBehind) await this.sync();
            } catch (error) {
                if (this.#signal.aborted) return;
                if (isPermanent(error)) return this.#dispatch("problem", error);
            }
        }
    }

    /** Without a key: long polls of `sync` instead of events. */
    async #followLongPolls() {
        let to;
        for (let attempt = 0; !this.#signal.aborted; attempt += 1) {
            try {
                if (to !== this.replica.revision) await this.sync({ to });
                this.#set({ connection: "live" });
                attempt = 0;
                this.#longPoll = new AbortController();
                const signal = AbortSignal.any([this.#signal, this.#longPoll.signal]);
                to = await waitForChange(this.#venueKey, this.replica.cursor, [...this.#levels], signal);
            } catch (error) {
                if (this.#signal.aborted) return;
                to = undefined;
                // `load` has added levels: wait for changes of those too.
                if (error.name === "AbortError") continue;
                if (isPermanent(error)) throw error;
                this.#set({ connection: "disconnected" });
                await pause(backoffDelay(attempt), this.#signal).catch(() => {});
            }
        }
    }

    #set({ connection = this.#connection, isBehind = this.#isBehind }) {
        const before = this.state;
        this.#connection = connection;
        this.#isBehind = isBehind;
        if (this.state !== before) this.#dispatch("state", this.state);
    }

    #dispatch(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}
