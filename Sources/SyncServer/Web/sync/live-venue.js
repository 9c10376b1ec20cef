// A venue as this window holds it: a replica of the wanted levels, kept up to date.
// Events: `changes` (detail: {added, changed, removed, revision}), `state` (detail: "live" | "away" | "still"), `problem` (detail: error).

import { followEvents } from "./follow.js";
import { backOff, pause } from "./pause.js";
import { pull } from "./pull.js";
import { Replica } from "./replica.js";
import { session } from "../session.js";

export class LiveVenue extends EventTarget {
    replica = new Replica();
    state = "still";
    #key;
    #wanted = new Set(["venue"]);
    #signal;
    #queue = Promise.resolve();

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
        for (let attempt = 0; !this.#signal.aborted; attempt += 1) {
            try {
                await this.sync();
                this.#set("live");
                attempt = 0;
                await this.#waitForNews();
            } catch (error) {
                if (this.#signal.aborted) return;
                if (error.status === 401 || error.status === 404 || error.status === 410) throw error;
                this.#set("away");
                await pause(backOff(attempt), this.#signal).catch(() => {});
            }
        }
    }

    /** Returns when there may be news. Nothing is applied, so that a level may be asked for meanwhile. */
    async #waitForNews() {
        const copy = new Replica();
        copy.cursor = this.replica.cursor;
        copy.apply = async () => ({});
        await pull(this.#key, copy, { levels: [...this.#wanted], wait: 25, signal: this.#signal });
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
