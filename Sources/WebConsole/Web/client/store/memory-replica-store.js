// A store in memory, for tests and for programs that may start without data.

import { checkPredecessor, digestsOf } from "./replica-store.js";

export class MemoryReplicaStore {
    #state = null;
    #levels = new Map();

    async read(known = new Set()) {
        if (this.#state === null) return null;
        return {
            state: structuredClone(this.#state),
            levels: new Map([...this.#levels].filter(([digest]) => !known.has(digest))),
        };
    }

    async commit(state, levels) {
        checkPredecessor(this.#state, state);
        const used = digestsOf(state);
        const all = new Map([...this.#levels, ...levels]);
        this.#levels = new Map([...all].filter(([digest]) => used.has(digest)));
        this.#state = structuredClone(state);
    }

    async close() {}
}
