// Verified, incremental replicas of indoor maps from a VenueSync server, for browsers and Node: the package `@venuesync/client`, whose
// other files are in `Clients/javascript`. The console imports these modules, and SwiftPM takes resources only from the folder of their
// target; so they are here.

export { categoryName } from "./categories/category-name.js";
export { OpeningHours } from "./hours/opening-hours.js";
export { OpeningHoursError } from "./hours/scanner.js";
export { GeoJSONSource, applyUpdate } from "./map/geojson-source.js";
export { labelText, labelTexts } from "./map/labels.js";
export { placesOf } from "./map/places.js";
export { VenueMap } from "./map/venue-map.js";
export { IndexedDBReplicaStore } from "./store/indexeddb-replica-store.js";
export { MemoryReplicaStore } from "./store/memory-replica-store.js";
export { CatalogueReplica } from "./sync/catalogue-replica.js";
export { followEvents } from "./sync/events.js";
export { RetryPolicy } from "./sync/retry-policy.js";
export { SyncError } from "./sync/sync-error.js";
export { VenueReplica } from "./sync/venue-replica.js";
export { listVenues } from "./sync/venues.js";
export { reachabilityReport } from "./wayfinding/reachability-report.js";
export { canonicalJSON } from "./wayfinding/report-members.js";
export { WayfindingMap } from "./wayfinding/wayfinding-map.js";
