import type { ReplicaStore, StoredState } from "./index.js";

/** A store in a folder, for Node. After a crash the folder has the old or the new state. Several processes may use it. */
export class FileReplicaStore implements ReplicaStore {
    /** The folder is created by the first commit. */
    constructor(folder: string);
    read(known?: ReadonlySet<string>): Promise<{ state: StoredState; levels: Map<string, Uint8Array> } | null>;
    commit(state: StoredState, levels: ReadonlyMap<string, Uint8Array>): Promise<void>;
    close(): Promise<void>;
}
