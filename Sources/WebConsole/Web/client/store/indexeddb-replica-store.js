// A store in an IndexedDB database of the browser. Each commit is one transaction; tabs may share a database.

import { StateChanged, SyncError } from "../sync/sync-error.js";
import { checkFormat, checkPredecessor, digestsOf } from "./replica-store.js";

export class IndexedDBReplicaStore {
    #name;
    #factory;
    #durability;
    #database = null;

    /**
     * `name` is the name of the database, such as `venuesync/mall`. The database is created by the first access. `durability` is that of
     * commits: `strict` ones wait for the disk. After a power failure, `relaxed` ones may be lost, and are synchronized again.
     */
    constructor(name, { indexedDB = globalThis.indexedDB, durability = "strict" } = {}) {
        if (!indexedDB) throw new TypeError("there is no IndexedDB here");
        this.#name = name;
        this.#factory = indexedDB;
        this.#durability = durability;
    }

    async read(known = new Set()) {
        return this.#transaction("readonly", async (states, levels) => {
            const state = await result(states.get("state"));
            if (state === undefined) return null;
            const wanted = [...digestsOf(checkFormat(state))].filter((digest) => !known.has(digest));
            const texts = await Promise.all(wanted.map((digest) => result(levels.get(digest))));
            return { state, levels: new Map(wanted.map((digest, index) => [digest, texts[index]]).filter(([, text]) => text)) };
        });
    }

    async commit(state, added) {
        const used = digestsOf(state);
        return this.#transaction("readwrite", async (states, levels) => {
            checkPredecessor(await result(states.get("state")), state);
            const stored = await result(levels.getAllKeys());
            for (const digest of stored) if (!used.has(digest)) levels.delete(digest);
            for (const [digest, text] of added) levels.put(text, digest);
            states.put(state, "state");
        });
    }

    async close() {
        const database = await this.#database?.catch(() => null);
        this.#database = null;
        database?.close();
    }

    /** Deletes the database. Fails while another tab has it open. */
    async delete() {
        await this.close();
        await result(this.#factory.deleteDatabase(this.#name));
    }

    /** Runs `work` in a transaction, which is aborted when `work` fails, and resolves when the transaction is complete. */
    async #transaction(mode, work) {
        try {
            const database = await this.#open();
            const transaction = database.transaction(["state", "levels"], mode, { durability: this.#durability });
            const completion = completionOf(transaction);
            // Failures are reported below, in the order in which they happen.
            completion.catch(() => {});
            let value;
            try {
                value = await work(transaction.objectStore("state"), transaction.objectStore("levels"));
            } catch (error) {
                if (transaction.error === null) abort(transaction);
                throw transaction.error ?? error;
            }
            await completion;
            return value;
        } catch (error) {
            throw explained(error);
        }
    }

    #open() {
        this.#database ??= this.#opened().catch((error) => {
            this.#database = null;
            throw error;
        });
        return this.#database;
    }

    async #opened() {
        const request = this.#factory.open(this.#name, 1);
        request.onupgradeneeded = () => {
            request.result.createObjectStore("state");
            request.result.createObjectStore("levels");
        };
        const database = await result(request);
        // Another tab deletes or upgrades the database, or the browser closes it: the next access opens it again.
        const release = () => {
            database.close();
            this.#database = null;
        };
        database.onversionchange = release;
        database.onclose = release;
        return database;
    }
}

function result(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
        request.onblocked = () => reject(new Error("the database is open in another tab"));
    });
}

function completionOf(transaction) {
    return new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new Error("the transaction was aborted"));
    });
}

function abort(transaction) {
    try {
        transaction.abort();
    } catch {
        // It has ended already.
    }
}

function explained(error) {
    if (error instanceof SyncError || error instanceof StateChanged) return error;
    if (error?.name === "QuotaExceededError") return new SyncError("diskFull", "the storage of the browser is full", { cause: error });
    return new SyncError("file", String(error?.message ?? error), { cause: error });
}
