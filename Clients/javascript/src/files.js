// The store for Node. It is apart from the rest, because browsers have no `node:fs`.

export { FileReplicaStore } from "./store/file-replica-store.js";
