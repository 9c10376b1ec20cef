// The storage of a browser in memory: what modules use of IndexedDB and of Web Locks. What those guarantee is tested in a browser.

import { window } from "./page.js";

/** A task of its own, so that promises continue before the next event. */
const task = (act) => setImmediate(act);

class Request {
    result;
    error = null;

    succeed(result) {
        this.result = result;
        task(() => this.onsuccess?.({ target: this }));
    }
}

class Transaction {
    error = null;
    #database;
    #pending = 0;
    #writes = [];
    #hasEnded = false;

    constructor(database) {
        this.#database = database;
        task(() => this.#completeIfIdle());
    }

    objectStore(name) {
        const entries = this.#database.stores.get(name);
        const request = (act) => this.#request(act);
        return {
            get: (key) => request(() => structuredClone(entries.get(key))), getAllKeys: () => request(() => [...entries.keys()].sort()),
            put: (value, key) => request(() => this.#writes.push(() => entries.set(key, structuredClone(value)))),
            delete: (key) => request(() => this.#writes.push(() => entries.delete(key))),
        };
    }

    #request(act) {
        const request = new Request();
        this.#pending += 1;
        task(() => {
            request.succeed(act());
            // After `onsuccess` and what it has begun.
            task(() => task(() => {
                this.#pending -= 1;
                this.#completeIfIdle();
            }));
        });
        return request;
    }

    #completeIfIdle() {
        if (this.#pending > 0 || this.#hasEnded) return;
        this.#hasEnded = true;
        for (const write of this.#writes) write();
        this.oncomplete?.();
    }

    abort() {
        this.#hasEnded = true;
        task(() => this.onabort?.());
    }
}

/** The entries of the object stores by the name of the database: a map from the name of the store to a map from keys to values. */
export const databases = new Map();
const connections = new Set();

globalThis.indexedDB = {
    open(name) {
        const request = new Request();
        task(() => {
            const isNew = !databases.has(name);
            if (isNew) databases.set(name, new Map());
            const stores = databases.get(name);
            const connection = {
                name, stores, createObjectStore: (store) => stores.set(store, new Map()), transaction: () => new Transaction(connection),
                close: () => connections.delete(connection),
            };
            connections.add(connection);
            request.result = connection;
            if (isNew) request.onupgradeneeded?.();
            request.succeed(connection);
        });
        return request;
    },
    deleteDatabase(name) {
        const request = new Request();
        for (const connection of [...connections]) if (connection.name === name) connection.onversionchange?.();
        task(() => {
            databases.delete(name);
            request.succeed();
        });
        return request;
    },
    databases: async () => [...databases.keys()].map((name) => ({ name })),
};

/** The holders of locks by name: `{mode, release}`. */
const held = new Map();

window.navigator.locks = {
    async request(name, ...rest) {
        const act = rest.pop();
        const { mode = "exclusive", ifAvailable = false } = rest[0] ?? {};
        const holders = held.get(name) ?? [];
        const isAvailable = holders.length === 0 || (mode === "shared" && holders.every((holder) => holder.mode === "shared"));
        if (!isAvailable) {
            if (!ifAvailable) throw new Error(`the lock ${name} is never released`);
            return act(null);
        }
        const holder = { mode };
        held.set(name, [...holders, holder]);
        try {
            return await act({ name, mode });
        } finally {
            held.set(name, held.get(name).filter((each) => each !== holder));
        }
    },
};
Object.defineProperty(globalThis, "isSecureContext", { configurable: true, value: true });

/** The names of the databases of maps. */
export const storedMaps = () => [...databases.keys()];
