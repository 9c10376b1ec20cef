// Where the map page keeps its replicas, so that floors that were opened can be read without a network: in IndexedDB, each venue in a
// database of its own. What was loaded with a key is kept apart, and deleted when no tab is signed in with this key any more. The key
// itself is never stored: the names of the databases contain a part of its hash.

import { IndexedDBReplicaStore } from "../client/store/indexeddb-replica-store.js";
import { MemoryReplicaStore } from "../client/store/memory-replica-store.js";
import { StateChanged } from "../client/sync/sync-error.js";
import { session } from "../session.js";

const publicPrefix = "venuesync/map/public/";
const privatePrefix = "venuesync/map/private/";
/** Digits of the hash of a key. */
const hashLength = 16;

/** Browsers offer databases that can be listed, locks and hashes only to pages that were loaded securely. */
const isSupported = () => Boolean(globalThis.isSecureContext && globalThis.indexedDB?.databases && navigator.locks && crypto.subtle);

/** The lock that this tab holds while it is signed in: `{hash, release}`. */
let held = null;
/** The hash of the key that the last call of `claim` was for. */
let wanted = null;

/** The store for a venue, as readable with the key of the session. In memory if the browser cannot keep it. */
export async function openReplicaStore(venue) {
    if (!isSupported()) return new MemoryReplicaStore();
    await claim();
    return new BrowserStore(held ? `${privatePrefix}${held.hash}/${venue}` : `${publicPrefix}${venue}`);
}

/** Deletes the replicas of keys that no tab uses: after signing out, and after tabs were closed without it. */
export async function deleteUnusedReplicas() {
    if (!isSupported()) return;
    await claim();
    const names = (await indexedDB.databases()).map(({ name }) => name).filter((name) => name.startsWith(privatePrefix));
    for (const hash of new Set(names.map(hashOfName))) {
        if (hash === held?.hash) continue;
        await navigator.locks.request(lockName(hash), { ifAvailable: true }, async (lock) => {
            if (lock) await Promise.all(names.filter((name) => hashOfName(name) === hash).map(deleteDatabase));
        });
    }
}

const lockName = (hash) => `venuesync.key.${hash}`;
const hashOfName = (name) => name.slice(privatePrefix.length).split("/")[0];

/** Holds the lock of the key of the session, and of no other one. */
async function claim() {
    const hash = session.key === null ? null : await hashOf(session.key);
    wanted = hash;
    if (hash === (held?.hash ?? null)) return;
    held?.release();
    held = null;
    if (hash === null) return;
    await new Promise((resolve, reject) => {
        navigator.locks.request(lockName(hash), { mode: "shared" }, () => new Promise((release) => {
            // Another call may have been faster, or there is another key by now.
            if (wanted !== hash || held?.hash === hash) release();
            else held = { hash, release };
            resolve();
        })).catch(reject);
    });
}

async function hashOf(key) {
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, hashLength);
}

function deleteDatabase(name) {
    return new Promise((resolve) => {
        const request = indexedDB.deleteDatabase(name);
        // A tab that has it open closes it when it is notified, so that a blocked deletion is carried out as well.
        request.onsuccess = request.onerror = request.onblocked = () => resolve();
    });
}

/** A store in IndexedDB that fails silently: a map that cannot be stored is shown nevertheless. */
class BrowserStore {
    #name;
    #store;
    /** Whether nothing is read or written any more. */
    #isGivenUp = false;

    constructor(name) {
        this.#name = name;
        // The map waits for the commit. What a power failure destroys is loaded again.
        this.#store = new IndexedDBReplicaStore(name, { durability: "relaxed" });
    }

    /** Whether what is committed is there at the next visit. */
    get isLasting() {
        return !this.#isGivenUp;
    }

    async read(known) {
        if (this.#isGivenUp) return null;
        try {
            return await this.#store.read(known);
        } catch {
            // Damaged, or written by another version of the console.
            await this.delete();
            return null;
        }
    }

    async commit(state, texts) {
        if (this.#isGivenUp) return;
        try {
            await this.#store.commit(state, texts);
        } catch (error) {
            if (error instanceof StateChanged) throw error;
            await this.delete();
        }
    }

    async close() {
        await this.#store.close();
    }

    /** Deletes what is stored, and stores nothing any more. */
    async delete() {
        this.#isGivenUp = true;
        await this.#store.close();
        await deleteDatabase(this.#name);
    }
}
