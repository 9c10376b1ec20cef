// A venue as this window holds it: a replica of the levels that were asked for, kept up to date.
// Events: `changes` (detail: {added, changed, removed, revision}), `state` (detail: "live" | "away" | "still"), `problem` (detail: error).

import { followEvents, isOver } from "./follow.js";
import { backOff, pause } from "./pause.js";
import { pull, waitForNews } from "./pull.js";
import { Replica } from "./replica.js";
import { session } from "../session.js";

export class LiveVenue extends EventTarget {
    replica = new Replica();
    #key;
    #signal;
    /** What a pull that came to its end covered: ids and `ordinal:1`. What is on its way, or failed, is not there yet. */
    #levels = new Set(["venue"]);
    #queue = Promise.resolve();
    /** How the line stands that news come over. */
    #line = "still";
    /** News that were told and could not be fetched yet. */
    #isBehind = false;
    #catchingUp = null;
    /** Breaks off waiting for news of the levels that were held before. */
    #waiting = null;

    constructor(key, signal) {
        super();
        this.#key = key;
        this.#signal = signal;
    }

    get state() {
        return this.#line === "live" && this.#isBehind ? "away" : this.#line;
    }

    /** Whether a level is there, as of the replica's revision. */
    holds(level) {
        return this.replica.revision !== null && this.#levels.has(level);
    }

    /** Holds these levels too, from when they are there. */
    want(levels) {
        return this.#inTurn(async () => {
            if (levels.every((level) => this.holds(level))) return;
            await this.#pull({ levels });
            this.#waiting?.abort();
        });
    }

    /** Brings the replica up to date. */
    sync({ to } = {}) {
        // A number that is reached already was told late, or is of another history: a venue that was deleted and made again counts
        // from 1. Asked plainly, the server tells which.
        return this.#inTurn(() => this.#pull({ to: to > this.replica.revision ? to : undefined }));
    }

    /** Stays up to date until the page is left. */
    async follow() {
        try {
            if (session.isSignedIn) await this.#followEvents();
            else await this.#poll();
        } catch (error) {
            if (this.#signal.aborted) return;
            this.#set({ line: "away" });
            this.#tell("problem", error);
        }
    }

    /** One at a time: a cursor is of what the one before left. */
    #inTurn(act) {
        const turn = this.#queue.then(act);
        this.#queue = turn.catch(() => {});
        return turn;
    }

    async #pull({ levels = [], to }) {
        const wanted = new Set([...this.#levels, ...levels]);
        const changes = await pull(this.#key, this.replica, { levels: [...wanted], to, signal: this.#signal });
        this.#levels = wanted;
        this.#set({ isBehind: false });
        this.#tell("changes", { ...changes, revision: this.replica.revision });
    }

    #followEvents() {
        return followEvents({
            signal: this.#signal,
            onRevision: ({ venue, revision }) => {
                if (venue === this.#key) this.sync({ to: revision }).catch(() => this.#catchUp());
            },
            onReturn: () => this.sync(),
            onState: (line) => this.#set({ line }),
        });
    }

    /** Tries until the replica is up to date again: an event comes once, and the next may be days away. */
    #catchUp() {
        if (this.#signal.aborted) return;
        this.#set({ isBehind: true });
        this.#catchingUp ??= this.#tryAgain().finally(() => { this.#catchingUp = null; });
    }

    async #tryAgain() {
        for (let attempt = 0; this.#isBehind; attempt += 1) {
            try {
                await pause(backOff(attempt), this.#signal);
                if (this.#isBehind) await this.sync();
            } catch (error) {
                if (this.#signal.aborted) return;
                if (isOver(error)) return this.#tell("problem", error);
            }
        }
    }

    /** Without a key: `sync` waits for news itself. */
    async #poll() {
        let to;
        for (let attempt = 0; !this.#signal.aborted; attempt += 1) {
            try {
                if (to !== this.replica.revision) await this.sync({ to });
                this.#set({ line: "live" });
                attempt = 0;
                this.#waiting = new AbortController();
                const signal = AbortSignal.any([this.#signal, this.#waiting.signal]);
                to = await waitForNews(this.#key, this.replica.cursor, [...this.#levels], signal);
            } catch (error) {
                if (this.#signal.aborted) return;
                to = undefined;
                // Other levels are held by now: wait for news of those.
                if (error.name === "AbortError") continue;
                if (isOver(error)) throw error;
                this.#set({ line: "away" });
                await pause(backOff(attempt), this.#signal).catch(() => {});
            }
        }
    }

    #set({ line = this.#line, isBehind = this.#isBehind }) {
        const before = this.state;
        this.#line = line;
        this.#isBehind = isBehind;
        if (this.state !== before) this.#tell("state", this.state);
    }

    #tell(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}
