/** Verified, incremental replicas of indoor maps from a VenueSync server, for browsers and Node. */

// The replica.

/** The id of a level, or null for the venue-wide part. */
export type LevelID = string | null;

/** The names of levels: an id, `ordinal:<n>`, or `venue` for the venue-wide part alone; or `"everything"`. */
export type LevelSelection = "everything" | readonly string[];

/** Properties of the whole venue. */
export interface About {
    readonly language: string | null;
    readonly timeZone: string | null;
    readonly country: string | null;
    /** How fast people walk, in metres a second, and how long lifts take, in seconds; absent if the venue does not set it. */
    readonly wayfinding?: {
        readonly walk_speed?: number; readonly step_free_speed?: number; readonly elevator_seconds?: number;
        readonly elevator_seconds_per_level?: number;
    };
}

/** One feature of an IMDF venue. It is never modified: a changed feature is another object. */
export interface ReplicaFeature {
    readonly id: string;
    /** `unit`, `occupant`, `level` and so on, as in the archive. */
    readonly type: string;
    readonly level: LevelID;
    /** Canonical JSON (RFC 8785), as on the server. */
    readonly body: string;
    /** The whole GeoJSON Feature. Do not modify it. */
    readonly geojson: GeoJSONFeature;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly geometry: GeoJSONGeometry | null;
    readonly category: string | null;
    /** The ordinal of a level feature. */
    readonly ordinal: number | null;
    /** The label in the first available of these languages, otherwise in English, otherwise in any. */
    name(languages?: readonly (string | null)[], member?: "name" | "alt_name" | "short_name"): string | null;
    /** The labels in all languages. */
    labels(member?: "name" | "alt_name" | "short_name"): string[];
}

export interface GeoJSONGeometry {
    readonly type: string;
    readonly coordinates?: unknown;
}

export interface GeoJSONFeature {
    readonly type: "Feature";
    readonly id?: string;
    readonly geometry: GeoJSONGeometry | null;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly [member: string]: unknown;
}

/** A level of the venue, held or not. */
export interface ReplicaLevel {
    readonly level: LevelID;
    readonly ordinal: number | null;
    readonly name: string | null;
    readonly shortName: string | null;
    readonly isHeld: boolean;
    /** The number of held features, and their digest. */
    readonly features: number;
    readonly digest: string | null;
}

export interface ReplicaState {
    /** Null before the first synchronization. */
    readonly revision: number | null;
    readonly digest: string | null;
    readonly cursor: string | null;
    /** Null if it was not chosen yet. */
    readonly selection: "everything" | readonly string[] | null;
    readonly about: About;
    /** When a server last confirmed this state, in milliseconds since 1970. */
    readonly syncedAt: number | null;
}

/** Reads a venue that is in memory. Sends no requests. */
export interface VenueReader {
    readonly venue: string;
    readonly state: ReplicaState;
    /** The venue-wide part and all levels of the venue in ascending order, held or not. */
    levels(): ReplicaLevel[];
    /** The features of a level, or of all held levels if `level` is undefined; sorted by level and id. */
    features(choice?: { level?: LevelID; types?: Iterable<string> }): ReplicaFeature[];
    feature(id: string): ReplicaFeature | undefined;
    /** The digest of a held level. */
    digest(level: LevelID): string | undefined;
}

export interface ReplicaChange {
    readonly kind: "added" | "changed" | "removed";
    readonly id: string;
    readonly type: string;
    /** The current level, or the last one of a removed feature. */
    readonly level: LevelID;
    /** The previous level, or the current one of an added feature. */
    readonly fromLevel: LevelID;
    readonly before: ReplicaFeature | null;
    readonly after: ReplicaFeature | null;
    /** Whether the level changed. */
    readonly isMove: boolean;
}

export interface LevelCount {
    readonly level: LevelID;
    readonly features: number;
}

/** The result of a synchronization. Features of added and dropped levels are counted only there. */
export interface SyncReport {
    readonly venue: string;
    /** The previous revision; null if there was none. */
    readonly from: number | null;
    readonly to: number;
    readonly added: number;
    readonly changed: number;
    readonly removed: number;
    readonly changes: readonly ReplicaChange[];
    readonly levelsAdded: readonly LevelCount[];
    readonly levelsDropped: readonly LevelCount[];
    /** The held levels with other features than before, and the dropped ones. */
    readonly touchedLevels: readonly LevelID[];
    /** The levels that were fetched again because their digest differed. */
    readonly repaired: readonly LevelID[];
    readonly requests: number;
    readonly hasStartedOver: boolean;
    /** Whether the replica was written, even if only the cursor changed. */
    readonly hasCommitted: boolean;
    readonly hasChanges: boolean;
}

/**
 * The connection of a replica. `connecting`: no response yet. `current`: the last response has confirmed or updated the replica.
 * `retrying`: the server responded with an error that may be temporary. `offline`: there was no response, or retrying is pointless.
 */
export interface Connection {
    readonly state: "connecting" | "current" | "retrying" | "offline";
    readonly lastSynced: Date | null;
    readonly error: SyncError | null;
    /** When the request is repeated. */
    readonly retryAt: Date | null;
}

export type FollowEvent<Report = SyncReport> =
    /** The first response, or the first one after failures. */
    | { readonly kind: "connected"; readonly isBack: boolean; readonly report?: undefined; readonly error?: undefined }
    /** This call of `follow` has stored a response. */
    | { readonly kind: "synced"; readonly report: Report; readonly error?: undefined }
    /** A request failed and is repeated after `pause` milliseconds. */
    | { readonly kind: "failed"; readonly error: SyncError; readonly pause: number; readonly report?: undefined };

export interface ConnectionOptions {
    /** The address of the server, such as `https://maps.example.com`. */
    server: string | URL;
    /** A key, or a function that returns one for every request. Public venues need none. */
    key?: string | null | (() => string | null);
    /** Has the interface of the Fetch standard. */
    fetch?: typeof fetch;
    policy?: RetryPolicy;
}

export interface ReplicaOptions extends ConnectionOptions {
    /** By default in memory only. */
    store?: ReplicaStore;
    /** The largest number of features and removals of a page. */
    pageLimit?: number;
}

interface ReplicaEventMap<Report> {
    change: CustomEvent<Report>;
    connection: CustomEvent<Connection>;
}

declare class ReplicaEventTarget<Report> extends EventTarget {
    addEventListener<Name extends keyof ReplicaEventMap<Report>>(
        name: Name, listener: (event: ReplicaEventMap<Report>[Name]) => void, options?: boolean | AddEventListenerOptions): void;
    addEventListener(name: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}

/** A verified local copy of one venue or of some of its levels. */
export class VenueReplica extends ReplicaEventTarget<SyncReport> implements VenueReader {
    private constructor();

    /**
     * Opens the replica of a venue. Sends no requests. Rejects with a `TypeError` for an invalid address, key or venue key, and with a
     * `SyncError` for a store that is not the replica of this venue.
     *
     * `trust` are the public keys of the operator, such as `ed25519:…`. Then a revision is applied only if one of them has signed it, if
     * the statement about it has not expired, and if it is not older than what is held. Rejects with a `TypeError` where Ed25519
     * signatures cannot be verified.
     */
    static open(options: ReplicaOptions & { venue: string; trust?: Iterable<string> | null }): Promise<VenueReplica>;

    readonly venue: string;
    readonly state: ReplicaState;
    readonly connection: Connection;
    /** The damaged levels that were left out when the store was read. The next synchronization replaces them. */
    readonly damagedLevels: LevelID[];
    levels(): ReplicaLevel[];
    features(choice?: { level?: LevelID; types?: Iterable<string> }): ReplicaFeature[];
    feature(id: string): ReplicaFeature | undefined;
    digest(level: LevelID): string | undefined;

    /**
     * The fastest way between two places of the held levels, or the reason why there is none, without a request: what
     * `GET /venues/{venue}/route` responds with, byte for byte if all levels are held. Opening hours are evaluated `at` a moment, by default
     * now; `closed` are the ids of what is shut besides. Without `languages`, that of the archive is used.
     */
    route(query: {
        from: RoutePlace; to: RoutePlace; profile?: RouteProfile; at?: Date; closed?: Iterable<string>; languages?: readonly string[];
    }): Promise<VenueRoute>;
    /** Those of several features that can be reached first, in this order. */
    nearest(query: {
        from: RoutePlace; features: Iterable<string>; profile?: RouteProfile; at?: Date; closed?: Iterable<string>; limit?: number;
    }): Promise<{ readonly feature: string; readonly seconds: number }[]>;
    /**
     * What can be reached from the exits, what is cut off, and which features to mend, without a request: what
     * `GET /venues/{venue}/reachability` responds with, if all levels are held; `canonicalJSON` has the same bytes. `egress` adds the nearest exits of every unit, which
     * takes longer. Opening hours do not count. As long as a level is not held, `status` is `unknown`, `reached` is null, and there is no `egress`. Rejects once `signal` is aborted.
     */
    reachability(options?: { egress?: boolean; signal?: AbortSignal }): Promise<VenueReachability>;
    /** Frees the memory that routes and reports need. */
    discardRoutes(): void;

    /** Brings the replica up to date. `levels` is the new selection; without it, the stored one. Rejects with a `SyncError`. */
    sync(options?: { levels?: LevelSelection; signal?: AbortSignal }): Promise<SyncReport>;
    /** Adds levels to the selection and brings the replica up to date. */
    add(levels: string | Iterable<string>, options?: { signal?: AbortSignal }): Promise<SyncReport>;
    /** Removes levels from the selection and brings the replica up to date. */
    drop(levels: string | Iterable<string>, options?: { signal?: AbortSignal }): Promise<SyncReport>;
    /**
     * Keeps the replica up to date until `signal` is aborted; then resolves. The first synchronization that succeeds adds the levels of
     * `adding` to the selection, so that a floor can be chosen without a network. `report` is told what this call has stored; the event
     * `change` also tells what other calls, tabs and programs have stored. Goes on after every failure, also after a refused key, which may
     * be granted again; rejects with a `SyncError` of the kind `file` if the store cannot be used.
     */
    follow(report?: (event: FollowEvent) => void, options?: { adding?: string | Iterable<string>; signal?: AbortSignal }): Promise<void>;
    /** Waits for a running synchronization, and closes the store. */
    close(): Promise<void>;
}

/** The result of a synchronization of all venues. */
export interface CatalogueReport {
    /** The previous catalogue position; null if there was none. */
    readonly from: number | null;
    readonly to: number;
    /** The venues that are new or have changed. */
    readonly venues: readonly SyncReport[];
    /** The venues that were deleted, or that the key may not read any more. */
    readonly gone: readonly string[];
    readonly hasStartedOver: boolean;
    readonly hasCommitted: boolean;
}

/** All levels of every venue that the key may read. */
export class CatalogueReplica extends ReplicaEventTarget<CatalogueReport> {
    private constructor();

    static open(options: ReplicaOptions): Promise<CatalogueReplica>;

    /** The keys of the held venues, sorted. */
    readonly venues: string[];
    /** The catalogue position; null before the first synchronization. */
    readonly position: number | null;
    readonly connection: Connection;
    venue(key: string): VenueReader | undefined;
    sync(options?: { signal?: AbortSignal }): Promise<CatalogueReport>;
    follow(report?: (event: FollowEvent<CatalogueReport>) => void, options?: { signal?: AbortSignal }): Promise<void>;
    close(): Promise<void>;
}

/** Labels by language, or one text. */
export type Labels = Readonly<Record<string, string>> | string;

/** A venue in the list of `listVenues`. */
export interface VenueSummary {
    readonly venue: string;
    readonly name: Labels | null;
    readonly isPublic: boolean;
    readonly head: number;
    readonly digest: string;
    readonly about: About;
    readonly levels: readonly {
        readonly level: LevelID;
        readonly ordinal: number | null;
        readonly name: Labels | null;
        readonly shortName: Labels | null;
        readonly features: number;
        readonly bytes: number;
        readonly digest: string;
    }[];
}

/** The venues that the key may read, and the public ones, sorted by key. Rejects with a `SyncError`. */
export function listVenues(options: ConnectionOptions & { signal?: AbortSignal }): Promise<VenueSummary[]>;

/** A new revision of a venue, as in `GET /events`. */
export interface RevisionEvent {
    readonly venue: string;
    readonly revision: number;
    /** The catalogue position. */
    readonly position: number;
    readonly kind: string;
    readonly levels: readonly unknown[];
}

/**
 * Follows the events of new revisions of all venues that the key may read, until `signal` is aborted. `onConnect` is awaited after every
 * connect, because events may have been missed. Goes on after every failure, also after a refused key.
 */
export function followEvents(options: ConnectionOptions & {
    signal?: AbortSignal;
    onRevision: (event: RevisionEvent) => void;
    onConnect?: () => void | Promise<void>;
    onDisconnect?: (error: SyncError) => void;
}): Promise<void>;

// Errors and retries.

export type SyncErrorKind =
    | "unreachable" | "unavailable" | "unauthorized" | "unknownVenue" | "venueGone" | "refused" | "malformed" | "contradiction"
    | "wrongDigest" | "untrusted" | "diskFull" | "busy" | "file";

/** Why a synchronization failed. The replica is unchanged. */
export class SyncError extends Error {
    constructor(kind: SyncErrorKind, message: string, details?: {
        status?: number | null; retryAfter?: number | null; level?: LevelID; cause?: unknown;
    });
    readonly kind: SyncErrorKind;
    readonly status: number | null;
    /** `Retry-After` in milliseconds. */
    readonly retryAfter: number | null;
    /** The level of `wrongDigest`. */
    readonly level: LevelID;
    /** Whether the same request may succeed later. */
    readonly isRetryable: boolean;
}

/** Exponential backoff with jitter, or the `Retry-After` of the server. All times are in milliseconds. */
export class RetryPolicy {
    constructor(values?: Partial<Pick<
        RetryPolicy, "attempts" | "minimumPause" | "maximumPause" | "maximumRetryAfter" | "sleep" | "randomFraction" | "now">>);
    attempts: number;
    minimumPause: number;
    maximumPause: number;
    maximumRetryAfter: number;
    sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
    randomFraction: () => number;
    now: () => number;
    pause(failures: number, retryAfter?: number | null): number;
    retryAfter(header: string | null): number | null;
}

// Stores.

/** The state that a store keeps; a JSON value. */
export interface StoredState {
    readonly format: number;
    readonly commits: number;
    readonly venues: Readonly<Record<string, unknown>>;
    readonly catalogue: unknown;
}

/** Keeps one state and the texts of the levels that it refers to, by digest. */
export interface ReplicaStore {
    /** The state and the texts, without those in `known`; null if the store is empty. Both are from one commit. */
    read(known?: ReadonlySet<string>): Promise<{ state: StoredState; levels: Map<string, Uint8Array> } | null>;
    /** Replaces the state and adds texts, all of it or nothing. Rejects if `commits` is not the stored number plus one. */
    commit(state: StoredState, levels: ReadonlyMap<string, Uint8Array>): Promise<void>;
    close(): Promise<void>;
}

/** A store in memory. */
export class MemoryReplicaStore implements ReplicaStore {
    read(known?: ReadonlySet<string>): Promise<{ state: StoredState; levels: Map<string, Uint8Array> } | null>;
    commit(state: StoredState, levels: ReadonlyMap<string, Uint8Array>): Promise<void>;
    close(): Promise<void>;
}

/** A store in an IndexedDB database of the browser, which tabs may share. */
export class IndexedDBReplicaStore implements ReplicaStore {
    /** `durability` is that of commits, by default `strict`: after a power failure, `relaxed` ones may be lost, and are synchronized again. */
    constructor(name: string, options?: { indexedDB?: IDBFactory; durability?: IDBTransactionDurability });
    read(known?: ReadonlySet<string>): Promise<{ state: StoredState; levels: Map<string, Uint8Array> } | null>;
    commit(state: StoredState, levels: ReadonlyMap<string, Uint8Array>): Promise<void>;
    close(): Promise<void>;
    /** Deletes the database. Fails while another tab has it open. */
    delete(): Promise<void>;
}

// The map.

/** `[longitude, latitude]` in degrees. */
export type Position = [number, number];
/** `[west, south, east, north]` in degrees. */
export type BoundingBox = [number, number, number, number];

export interface LabelPoint {
    readonly position: Position;
    readonly rule: "display_point" | "point" | "anchor" | "surface" | "line";
}

export interface SearchResult {
    readonly id: string;
    readonly type: string;
    readonly level: LevelID;
    readonly ordinal: number | null;
    readonly point: LabelPoint | null;
    /** The best matching text. */
    readonly text: string;
    /** Best first. `related` and `misspelled` are only results of a search that is related. */
    readonly match: "exact" | "prefix" | "wordPrefix" | "substring" | "related" | "misspelled";
}

export interface Neighbour {
    readonly id: string;
    readonly type: string;
    /** If the feature touches several levels, the one that is the fewest floors away. */
    readonly level: LevelID;
    readonly ordinal: number | null;
    readonly point: LabelPoint;
    /** In metres. */
    readonly distance: number;
    /** The number of floors up, negative for down. */
    readonly floors: number | null;
}

export interface Floor {
    readonly ordinal: number | null;
    readonly levels: readonly {
        readonly level: string; readonly ordinal: number | null; readonly name: string | null; readonly shortName: string | null;
    }[];
}

export interface FeatureCollection {
    readonly type: "FeatureCollection";
    readonly features: GeoJSONFeature[];
}

/**
 * The name of an IMDF category in a language, or that of the category without its last part; null for unknown categories, except for English
 * compounds such as `carpetstore`.
 */
export function categoryName(category: string | null, language?: "en" | "ja"): string | null;

/** A map of a venue, or of some of its levels, for drawing and queries. It does not change: make a new one when the replica has. */
export class VenueMap {
    constructor(features: Iterable<ReplicaFeature>, about?: { language?: string | null; timeZone?: string | null });
    /** A map of all held levels of a replica, or of these with the venue-wide part. */
    static of(replica: VenueReader, levels?: Iterable<LevelID>): VenueMap;

    readonly language: string | null;
    readonly timeZone: string | null;
    /** Highest first. */
    readonly floors: readonly Floor[];
    feature(id: string): ReplicaFeature | undefined;
    /** The features of a type that are on a level or touch it. */
    features(type: string, level: LevelID): ReplicaFeature[];
    /** What a map of a level shows: the level itself, and the features of all types that are on it or touch it. */
    featuresOn(level: string): ReplicaFeature[];
    types(level: LevelID): string[];
    name(id: string, languages?: readonly string[]): string | null;
    shortName(level: string, languages?: readonly string[]): string | null;
    box(level: string): BoundingBox | null;
    labelPoint(id: string): LabelPoint | null;
    collection(type: string, level: LevelID, options?: { idProperty?: string | null; needsGeometry?: boolean }): FeatureCollection;
    /** The features at a position, topmost first; amenities within `reach` metres come first. */
    featuresAt(position: Position, level: string, options?: { reach?: number }): ReplicaFeature[];
    /** The occupants of a unit. */
    occupants(unit: string): ReplicaFeature[];
    /**
     * Searches names in all languages and categories, ignoring width, case, accents, punctuation, and the difference between hiragana and
     * katakana. An empty text finds every feature that has a name or a category.
     */
    search(text: string, options?: {
        types?: Iterable<string>; level?: string; instant?: Date;
        /** The maximum number of results; 50 by default. */
        limit?: number;
        /**
         * Whether to find, after all others, features that match without spaces, by the names of their category in all languages, or by
         * synonyms in English and Japanese; and if nothing is found then, those that match with one spelling mistake. Default: false.
         */
        isRelated?: boolean;
    }): SearchResult[];
    /** `types` are by default amenities, units and occupants. A unit with an amenity or occupant of the category is left out. */
    nearest(count: number, category: string, position: Position, level: string, options?: { types?: readonly string[] }): Neighbour[];
    /** Read leniently if they are not in the strict syntax. Null if there are none or they cannot be read with certainty. */
    hours(id: string): OpeningHours | null;
    openness(id: string, instant: Date, holidays?: Holidays): {
        readonly state: OpeningState; readonly comment: string | null; readonly nextChange: Date | null;
        /** Whether the hours are not in the strict syntax, but were understood nevertheless. */
        readonly isLenient: boolean;
    };
    /** Whether an instant is within a feature's `validity`. */
    isPresent(id: string, instant: Date): boolean;
}

/** Where a route begins or ends: a feature, or a position in degrees on the levels of an ordinal. */
export type RoutePlace = { readonly feature: string } | { readonly longitude: number; readonly latitude: number; readonly ordinal: number };

/** `step-free` excludes stairs, steps, escalators and openings narrower than 0.8 m. */
export type RouteProfile = "walk" | "step-free";

export interface RouteLeg {
    readonly mode: "walk" | "elevator" | "stairs" | "escalator" | "ramp";
    readonly level_id: string;
    /** The level to which a leg leads that changes levels. */
    readonly to_level_id?: string;
    readonly geometry: { readonly type: "LineString"; readonly coordinates: readonly (readonly [number, number])[] };
    /** In metres. */
    readonly distance: number;
    /** In seconds. */
    readonly duration: number;
    readonly instruction: string;
    /** Whether the map states the leg, or it was derived from units that lie above each other. */
    readonly confidence: "stated" | "derived";
}

export interface RouteSummary {
    readonly distance: number;
    readonly duration: number;
    readonly legs: readonly RouteLeg[];
}

export interface RouteAnswer extends RouteSummary {
    /** `infeasible`: what is closed forbids it. `none`: the profile has no way. `unknown`: data is missing. */
    readonly status: "route" | "infeasible" | "none" | "unknown";
    readonly reasons: readonly { readonly code: string; readonly feature?: string; readonly until?: string }[];
    /** Without a step-free route, the one for walking, if there is one now. */
    readonly alternative?: RouteSummary & { readonly profile: RouteProfile };
}

/** A route in a revision of a venue at a time. */
export interface VenueRoute extends RouteAnswer {
    readonly venue: string;
    /** Null before the first synchronization. */
    readonly revision: number | null;
    /** The time at which opening hours were evaluated. */
    readonly as_of: string;
    readonly profile: RouteProfile;
    /** `unknown`: some could not be evaluated; what they are about is taken to be open. `none`: the map states none. */
    readonly hours: "none" | "applied" | "unknown";
}

/** Computes routes from the features of a replica. The same features and queries give the same answers in all clients. */
export class WayfindingMap {
    constructor(
        features: Iterable<Pick<ReplicaFeature, "id" | "type" | "properties" | "geometry">>,
        options?: { language?: string | null; former?: WayfindingMap | null });
    /** The same map, made floor by floor: `pause` is awaited after each, so that a page can do something else. */
    static build(
        features: Iterable<Pick<ReplicaFeature, "id" | "type" | "properties" | "geometry">>,
        options: { language?: string | null; former?: WayfindingMap | null; pause: () => Promise<unknown> }): Promise<WayfindingMap>;
    /** A map of all held levels of a replica. */
    static of(replica: VenueReader): WayfindingMap;
    /** The shortest way by time. `closed` maps the ids of what is shut to the time at which that ends, or to null. */
    route(query: {
        from: RoutePlace; to: RoutePlace; profile?: RouteProfile; closed?: Iterable<readonly [string, string | null]>;
        languages?: readonly string[];
    }): RouteAnswer;
    /** Those features that can be reached first, in this order. */
    nearest(query: {
        from: RoutePlace; features: Iterable<string>; profile?: RouteProfile; closed?: Iterable<readonly [string, string | null]>;
        limit?: number;
    }): { readonly feature: string; readonly seconds: number }[];
    /** How long ways take; `of(replica)` takes them from the settings of the venue. Setting them computes nothing again. */
    travelTimes: {
        readonly walkSpeed: number; readonly stepFreeSpeed: number; readonly elevatorSeconds: number;
        readonly elevatorSecondsPerLevel: number;
    };
    /** The opening hours of everything that can be passed, for `closed`. */
    /** Whether a feature can be in `closed`: what is no part of a way is ignored there. */
    canClose(feature: string): boolean;
    readonly timetables: { readonly feature: string; readonly hours: string }[];
    /** Whether a floor, or what joins floors, needs more work than is done. A way that is not found may exist then. */
    readonly isTooComplex: boolean;
}

/** How many there are, and how many of them can be reached under each profile; `reached` is null if that is not known. */
export type ReachedShares = Readonly<Record<RouteProfile, { readonly reached: number | null; readonly total: number }>>;

/** A feature of a report, with its name in all languages; of a unit without a name, that of its occupant. */
export interface ReportedFeature {
    readonly feature: string;
    readonly level_id: LevelID;
    readonly name: Readonly<Record<string, string>> | null;
}

/** What can be reached from the exits: openings with one side only, of the category `pedestrian.principal` or `emergencyexit`. */
export interface ReachabilityReport {
    /** `unknown` if the map states no exit, or is too large to search. Without an exit, `cut_off` has what is not joined with the largest part. */
    readonly status: "known" | "unknown";
    readonly reasons: readonly { readonly code: "no-exit-stated" | "too-far" }[];
    readonly language: string | null;
    readonly exits: readonly { readonly category: string; readonly feature: string; readonly level_id: string }[];
    /** Those that can be entered, without a restriction and not `nonpublic`. */
    readonly units: ReachedShares;
    readonly occupants: ReachedShares;
    /** By ordinal. */
    readonly levels: readonly {
        readonly level_id: string; readonly name: Readonly<Record<string, string>> | null; readonly ordinal: number;
        readonly units: ReachedShares; readonly occupants: ReachedShares;
    }[];
    /** Units, and occupants without one, that cannot be reached; at most 2,000. The profile is `walk` for what nobody reaches. */
    readonly cut_off: readonly (ReportedFeature & {
        readonly feature_type: string; readonly profile: RouteProfile;
        /** `none` if the map shows that there is no way, `unknown` if data is missing. */
        readonly status: "none" | "unknown";
        /** At most 100. */
        readonly occupants: readonly string[];
        readonly reasons: readonly { readonly code: string; readonly feature: string }[];
    })[];
    /** The features of the reasons, those first that most name; at most 500. */
    readonly mend: readonly (ReportedFeature & {
        readonly feature_type: string; readonly code: string; readonly units: number; readonly occupants: number;
    })[];
    /** Whether there is more than is listed. */
    readonly more: boolean;
    readonly egress?: {
        /** The heading of every presentation: “Not an evacuation plan”. */
        readonly notice: string;
        /** Every unit, by id, with its two nearest exits by ways without lifts, and their distances in metres. */
        readonly units: readonly (ReportedFeature & {
            /** With `no-exit-stated`, `too-far` and `unusable`, nothing is known about its exits. */
            readonly status: "exit" | "cut-off" | "no-exit-stated" | "too-far" | "unusable";
            readonly exits: readonly { readonly distance: number; readonly feature: string }[];
            /** Whether there is a second exit; null if that is not known. */
            readonly second: boolean | null;
        })[];
    };
}

/** What can be reached in a revision of a venue. */
export interface VenueReachability extends ReachabilityReport {
    readonly venue: string;
    /** Null before the first synchronization. */
    readonly revision: number | null;
}

/**
 * What can be reached in a map, for features that come from elsewhere than a replica. `pause` is awaited whenever the work has taken a while,
 * by default so that a page can do something else.
 */
export function reachabilityReport(
    map: WayfindingMap, options?: { egress?: boolean; pause?: () => Promise<unknown>; signal?: AbortSignal }): Promise<ReachabilityReport>;

/**
 * Canonical JSON (RFC 8785), as the server writes answers and reports. `JSON.stringify` differs in the order of names with language tags that
 * look like integers.
 */
export function canonicalJSON(value: unknown): string;

/** What people look for on a map and in a list. */
export interface Place {
    /** An occupant, an amenity, a kiosk without an occupant, or a named unit without an occupant. */
    readonly kind: "shop" | "amenity" | "kiosk" | "room";
    readonly feature: ReplicaFeature;
    readonly level: LevelID;
    readonly point: Position;
    /** The id of the unit or kiosk that is drawn as a part of it, which may be `feature` itself. */
    readonly unit: string | null;
}

/** The places of some levels. `canBeOccupied` says whether a unit of a category can belong to an occupant; by default all can. */
export function placesOf(
    venue: Pick<VenueReader, "features" | "feature">, levels: readonly LevelID[],
    options?: { instant?: Date; canBeOccupied?: (category: string | null) => boolean }): Place[];

/** The text of a label in the first of these languages that it has; otherwise its first text. */
export function labelText(label: unknown, languages?: readonly (string | null)[]): string | undefined;
/** The texts of a label in all languages. */
export function labelTexts(label: unknown): string[];

/** A difference of MapLibre GL JS, for `GeoJSONSource.updateData`. */
export interface GeoJSONSourceDiff {
    remove: string[];
    add: GeoJSONFeature[];
    update: {
        id: string; removeAllProperties: true; newGeometry?: GeoJSONGeometry; addOrUpdateProperties: { key: string; value: unknown }[];
    }[];
}

export interface SourceUpdate {
    /** The id of the source. */
    readonly id: string;
    /** The data of a new source. */
    readonly data?: FeatureCollection;
    readonly diff?: GeoJSONSourceDiff;
}

/** A GeoJSON source for MapLibre GL JS, with the properties `id`, for `promoteId`, and `feature_type`, for the filters of layers. */
export class GeoJSONSource {
    constructor(
        id: string, options?: { propertiesOf?: (feature: ReplicaFeature) => Record<string, unknown>; types?: Iterable<string> | null });
    readonly id: string;
    /** The feature of an id as the source has it. */
    feature(id: string): FeatureCollection["features"][number] | null;
    /** The update after which the source has exactly these features; null if nothing has changed. */
    update(features: Iterable<ReplicaFeature>): SourceUpdate | null;
}

/** The part of a map of MapLibre GL JS that is used here. */
export interface SourceMap {
    addSource(id: string, source: any): unknown;
    getSource(id: string): any;
}

/** Applies an update to a map; null changes nothing. `onNew` is called with the id of a new source, to add its layers. */
export function applyUpdate(map: SourceMap, update: SourceUpdate | null, onNew?: (id: string) => void): void;

// Opening hours.

export type OpeningState = "open" | "closed" | "unknown";

/** Dates such as `2031-01-01`. */
export interface Holidays {
    readonly publicHolidays?: ReadonlySet<string>;
    readonly schoolHolidays?: ReadonlySet<string>;
}

/** A part of a day, in minutes after midnight. An end above 1,440 lies on the next day. */
export interface OpeningSpan {
    readonly start: number;
    readonly end: number;
    readonly state: "open" | "unknown";
    readonly comment: string | null;
}

/** Opening hours in the syntax of OpenStreetMap. Without a known time zone, the state is unknown. */
export class OpeningHours {
    /** Throws an `OpeningHoursError` for a text that cannot be parsed. */
    constructor(text: string);
    /** Null for a text that cannot be parsed. */
    static parse(text: unknown): OpeningHours | null;
    /**
     * Reads a text in the strict syntax, or else as people write opening hours in English or Japanese, such as `Mon-Fri 9am to 5pm` and
     * `月〜金 10:00〜20:00`. Null for a text that cannot be read with certainty.
     */
    static parseLeniently(text: unknown): OpeningHours | null;

    /** The text as it was written. */
    readonly text: string;
    /** The same hours in the strict syntax; equal to `text` unless `isLenient`. */
    readonly strictText: string;
    /** Whether the text is not in the strict syntax and was understood by `parseLeniently`. */
    readonly isLenient: boolean;
    /** Whether the state depends on holidays. */
    readonly namesHolidays: boolean;
    /** From Monday on, and the texts of the rules for holidays, for parts of the year and so on. */
    readonly week: { readonly days: readonly OpeningSpan[][]; readonly exceptions: readonly string[] };
    state(instant: Date, timeZone: string | null | undefined, holidays?: Holidays): OpeningState;
    status(instant: Date, timeZone: string | null | undefined, holidays?: Holidays): {
        readonly state: OpeningState; readonly comment: string | null;
    };
    /** Whether a rule for certain dates, such as `Dec 24-Dec 26 off`, is why it is closed at an instant. */
    isClosedForDates(instant: Date, timeZone: string | null | undefined, holidays?: Holidays): boolean;
    /** Null if there is none within a number of days, by default 366. */
    nextChange(instant: Date, timeZone: string | null | undefined, options?: { holidays?: Holidays; within?: number }): Date | null;
    /** The seven days from the local day of an instant on. Numbers are days since 1970, weekdays begin with 0 for Monday. */
    days(instant: Date, timeZone: string | null | undefined, holidays?: Holidays): {
        readonly number: number; readonly weekday: number; readonly spans: readonly OpeningSpan[];
    }[];
}

export class OpeningHoursError extends Error {
    constructor(offset: number);
    /** The index of the first character that does not follow the syntax. */
    readonly offset: number;
}
