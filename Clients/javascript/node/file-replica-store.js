// A store in a folder, for Node. It needs no library.
//
// The text of each level is a file whose name is its digest. The state is a file with the number of its commit in its name; the greatest
// number is the current state. All files are written under temporary names and synced to disk first. Then the state gets its name by a
// hard link, which fails if the name exists. So after a crash the folder has the old or the new state, and of two processes that commit
// at the same time one fails and repeats its synchronization. Nothing is locked.

import { randomUUID } from "node:crypto";
import * as promises from "node:fs/promises";
import { join } from "node:path";

import { StateChanged, SyncError } from "../src/sync/sync-error.js";
import { checkFormat, digestsOf } from "../src/store/replica-store.js";

const statePattern = /^state-(\d{12})\.json$/;
/** Unused files are kept for this time in milliseconds, because another process may be about to refer to them. */
const graceTime = 600_000;

export class FileReplicaStore {
    #folder;
    #files;

    /** The folder is created by the first commit. `files` has the functions of `node:fs/promises` and is replaced by tests. */
    constructor(folder, { files = promises } = {}) {
        this.#folder = folder;
        this.#files = files;
    }

    async read(known = new Set()) {
        return explaining(async () => {
            // Another process may commit, and delete files of the previous state, in the meantime.
            for (let attempt = 0; ; attempt += 1) {
                const number = await this.#newest();
                if (number === 0) return null;
                const read = await this.#readState(number, known);
                if (read.isComplete || attempt >= 10 || (await this.#newest()) === number) {
                    if (!read.state) throw new SyncError("file", `${stateName(number)} cannot be read`);
                    return { state: read.state, levels: read.levels };
                }
            }
        });
    }

    async commit(state, levels) {
        return explaining(async () => {
            await this.#files.mkdir(this.#folder, { recursive: true });
            if ((await this.#newest()) !== state.commits - 1) throw new StateChanged();
            for (const [digest, text] of levels) await this.#write(levelName(digest), text, (from, to) => this.#files.rename(from, to));
            // The level files have to be on disk before the state refers to them.
            await this.#syncFolder();
            await this.#write(stateName(state.commits), JSON.stringify(state), (from, to) => this.#link(from, to));
            await this.#syncFolder();
            if ((await this.#newest()) !== state.commits) {
                // The name was free because a later commit has deleted this state already.
                await this.#files.rm(join(this.#folder, stateName(state.commits)), { force: true });
                throw new StateChanged();
            }
            // Failures are ignored; the next commit tries again.
            await this.#deleteUnused(state).catch(() => {});
        });
    }

    async close() {}

    async #readState(number, known) {
        const text = await this.#contents(stateName(number));
        if (text === null) return { isComplete: false, state: null };
        const state = checkFormat(parsed(text));
        const levels = new Map();
        let isComplete = true;
        for (const digest of digestsOf(state)) {
            if (known.has(digest)) continue;
            const level = await this.#contents(levelName(digest));
            if (level === null) isComplete = false;
            else levels.set(digest, level);
        }
        return { isComplete, state, levels };
    }

    /** The number of the newest state; 0 if there is none. */
    async #newest() {
        const numbers = (await this.#names()).map((name) => Number(statePattern.exec(name)?.[1] ?? 0));
        return numbers.reduce((greatest, number) => Math.max(greatest, number), 0);
    }

    async #names() {
        return (await absent(this.#files.readdir(this.#folder))) ?? [];
    }

    async #contents(name) {
        return absent(this.#files.readFile(join(this.#folder, name)));
    }

    /** Writes a file under a temporary name, syncs it to disk, and gives it its name. */
    async #write(name, contents, publish) {
        const temporary = join(this.#folder, `${name}.${randomUUID()}.new`);
        const file = await this.#files.open(temporary, "wx");
        try {
            try {
                await file.writeFile(contents);
                await file.sync();
            } finally {
                await file.close();
            }
            await publish(temporary, join(this.#folder, name));
        } catch (error) {
            await this.#files.rm(temporary, { force: true }).catch(() => {});
            throw error;
        }
    }

    async #link(from, to) {
        try {
            await this.#files.link(from, to);
        } catch (error) {
            throw error.code === "EEXIST" ? new StateChanged() : error;
        }
        await this.#files.rm(from, { force: true });
    }

    async #syncFolder() {
        let folder;
        try {
            folder = await this.#files.open(this.#folder, "r");
            await folder.sync();
        } catch (error) {
            // Windows cannot open folders; there the file system syncs names by itself.
            if (!["EISDIR", "EPERM", "EACCES"].includes(error.code)) throw error;
        } finally {
            await folder?.close();
        }
    }

    async #deleteUnused(state) {
        const used = new Set([...digestsOf(state)].map(levelName));
        for (const name of await this.#names()) {
            const path = join(this.#folder, name);
            const number = Number(statePattern.exec(name)?.[1] ?? Infinity);
            const isUnused = (name.endsWith(".level") && !used.has(name)) || name.endsWith(".new");
            const isOld = isUnused && Date.now() - (await this.#files.stat(path)).mtimeMs > graceTime;
            if (number < state.commits || isOld) await this.#files.rm(path, { force: true });
        }
    }
}

function stateName(number) {
    return `state-${String(number).padStart(12, "0")}.json`;
}

function levelName(digest) {
    return `${digest.slice(digest.indexOf(":") + 1)}.level`;
}

/** The value of a promise, or null if the file or folder does not exist. */
async function absent(promise) {
    try {
        return await promise;
    } catch (error) {
        if (error.code === "ENOENT") return null;
        throw error;
    }
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

async function explaining(work) {
    try {
        return await work();
    } catch (error) {
        if (error instanceof SyncError || error instanceof StateChanged) throw error;
        const isFull = ["ENOSPC", "EDQUOT"].includes(error.code);
        throw new SyncError(isFull ? "diskFull" : "file", isFull ? "the disk is full" : error.message, { cause: error });
    }
}
