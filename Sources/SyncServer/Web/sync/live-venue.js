// A venue as this window holds it: a replica of the wanted levels, kept up to date.
// Events: `changes` (detail: {added, changed, removed, revision}), `state` (detail: "live" | "away" | "still"), `problem` (detail: error).

import { followEvents } from "./follow.js";
import { backOff, pause } from "./pause.js";
import { pull, waitForNews } from "./pull.js";
import { Replica } from "./replica.js";
import { session } from "../session.js";

export class LiveVenue extends EventTarget {
    replica = new Replica();
    state = "still";
    #key;
    #wanted = new Set(["venue"]);
    #signal;
    #queue = Promise.resolve();
    /** Breaks off waiting for news of the levels that were wanted before. */
    #waiting = null;

    constructor(key, signal) {
        super();
        this.#key = key;
        this.#signal = signal;
    }

    /** Levels that are held or on their way: ids and `ordinal:1`. */
    isWanted(level) {
        return this.#wanted.has(level);
    }

    /** Holds these levels too, from now on. Resolves once they are there. */
    want(levels, options = {}) {
        for (const level of levels) this.#wanted.add(level);
        this.#waiting?.abort();
        return this.sync(options);
    }

    /** Brings the replica up to date. One at a time: a cursor is of what the one before left. */
    sync({ to, onProgress } = {}) {
        const turn = this.#queue.then(async () => {
            // Whoever told of a revision may be told that it is here already.
            if (to && this.replica.revision >= to) return;
            const changes = await pull(this.#key, this.replica, {
                levels: [...this.#wanted], to, signal: this.#signal, onProgress,
            });
            this.#tell("changes", { ...changes, revision: this.replica.revision });
        });
        this.#queue = turn.catch(() => {});
        return turn;
    }

    /** Stays up to date until the page is left. */
    async follow() {
        try {
            if (session.isSignedIn) await this.#followEvents();
            else await this.#poll();
        } catch (error) {
            if (!this.#signal.aborted) this.#tell("problem", error);
        }
    }

    #followEvents() {
        return followEvents({
            signal: this.#signal,
            onRevision: ({ venue, revision }) => {
                if (venue === this.#key) this.sync({ to: revision }).catch((error) => this.#tell("problem", error));
            },
            onReturn: () => this.sync(),
            onState: (state) => this.#set(state),
        });
    }

    /** Without a key: `sync` waits for news itself. */
    async #poll() {
        let to;
        for (let attempt = 0; !this.#signal.aborted; attempt += 1) {
            try {
                await this.sync({ to });
                this.#set("live");
                attempt = 0;
                this.#waiting = new AbortController();
                const signal = AbortSignal.any([this.#signal, this.#waiting.signal]);
                to = await waitForNews(this.#key, this.replica.cursor, [...this.#wanted], signal);
            } catch (error) {
                if (this.#signal.aborted) return;
                to = undefined;
                // Other levels are wanted by now: wait for news of those.
                if (error.name === "AbortError") continue;
                if (error.status === 401 || error.status === 404 || error.status === 410) throw error;
                this.#set("away");
                await pause(backOff(attempt), this.#signal).catch(() => {});
            }
        }
    }

    #set(state) {
        if (state === this.state) return;
        this.state = state;
        this.#tell("state", state);
    }

    #tell(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}
