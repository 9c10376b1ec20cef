// The package: verified, incremental replicas of indoor maps from a VenueSync server, for browsers and Node.

export { SyncError } from "./sync/sync-error.js";
export { RetryPolicy } from "./sync/retry-policy.js";
export { OpeningHours } from "./hours/opening-hours.js";
export { OpeningHoursError } from "./hours/scanner.js";
export { VenueReplica } from "./sync/venue-replica.js";
export { IndexedDBReplicaStore } from "./store/indexeddb-replica-store.js";
export { MemoryReplicaStore } from "./store/memory-replica-store.js";
export { CatalogueReplica } from "./sync/catalogue-replica.js";
