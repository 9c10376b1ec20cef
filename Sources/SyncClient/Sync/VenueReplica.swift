public import Foundation
public import SyncModel

/// A venue on this device: a verified copy of the floors that an app chose, kept up to date.
///
///     let replica = try await VenueReplica.open(file, server: server, venue: mall, key: key)
///     try await replica.sync(levels: .levels([.venueWide]))  // what a level picker needs
///     try await replica.add(.ordinal(0))                     // the first floor that is shown
///     let units = try await replica.store.features(on: level, type: .unit)
///
/// Whatever is read was proved by its level's digest before it could be seen. A change set is applied in one SQLite transaction
/// together with its cursor, so that a replica is at one revision or at the next, killed at whatever moment, and never between them.
/// Without a network everything that was downloaded can be read, observed and searched.
///
/// One replica, one file, one venue. Calls may come from anywhere and at once; those that write go one after the other, and so do
/// those of several processes with the same file.
public actor VenueReplica {
    /// The file, for reading.
    public nonisolated let store: ReplicaStore
    public nonisolated let venue: VenueKey
    nonisolated let exchange: Exchange
    nonisolated let observers = Observers()
    let turnstile = Turnstile()
    /// What ``follow(_:)`` waits for, as long as it waits.
    var waiting: [UUID: Task<[UInt8], any Error>] = [:]
    let pageLimit: Int

    /// - Parameters:
    ///   - store: An open file.
    ///   - server: Where the venue is, and the key.
    ///   - transport: How requests get there; ``HTTPTransport`` unless an app has its own.
    ///   - pageLimit: How many features and removals a page has at most. The server ends a page at 50 000, or 8 MiB, anyway.
    public init(
        store: ReplicaStore, venue: VenueKey, server: ServerAddress, transport: any SyncTransport = HTTPTransport(),
        policy: RetryPolicy = RetryPolicy(), pageLimit: Int = 50_000
    ) {
        self.store = store
        self.venue = venue
        self.exchange = Exchange(server: server, transport: transport, policy: policy)
        self.pageLimit = pageLimit
    }

    /// Opens a replica's file, or makes it. Nothing is asked of the server yet.
    ///
    /// - Parameters:
    ///   - file: In a folder of its own choosing; see ``ReplicaStore/open(_:for:)``.
    ///   - server: Such as `https://maps.example.com`.
    ///   - key: A key with the role `read`; nil for a public venue.
    /// - Throws: ``ReplicaFileError``, or ``SyncError/malformed(_:)`` for what is no address.
    public static func open(
        _ file: URL, server: URL, venue: VenueKey, key: String?, transport: any SyncTransport = HTTPTransport(),
        policy: RetryPolicy = RetryPolicy()
    ) async throws -> VenueReplica {
        let address = try ServerAddress(server, key: key)
        return VenueReplica(
            store: try await .open(file, for: venue), venue: venue, server: address, transport: transport,
            policy: policy)
    }

    /// Ends observations and lets go of the file.
    public func close() throws {
        for task in self.waiting.values { task.cancel() }
        self.observers.end()
        try self.store.close()
    }

    /// Brings the replica up to date with the newest revision.
    ///
    /// - Parameter levels: What is wanted from now on; nil: what was wanted before, and everything when nothing was chosen yet. Levels
    ///   that were not wanted come whole, others go. The venue-wide part always comes along.
    /// - Returns: What was done. A replica that was up to date is none the worse for it.
    /// - Throws: ``SyncError``, or `CancellationError`; then the replica is as it was.
    @discardableResult
    public func sync(levels: LevelSelection? = nil) async throws -> SyncReport {
        try await self.turnstile.pass {
            try await self.bringUpToDate { state, _ in levels ?? state.selection ?? .everything }
        }
    }

    /// Wants one more level, and brings the replica up to date.
    ///
    /// - Throws: As ``sync(levels:)``; then the level is not wanted.
    @discardableResult
    public func add(_ level: LevelSelection.Name) async throws -> SyncReport {
        try await self.turnstile.pass {
            try await self.bringUpToDate { state, _ in
                guard let selection = state.selection else { return LevelSelection(names: [level]) }
                return LevelSelection(names: selection.names?.union([level]))
            }
        }
    }

    /// Wants a level no longer, brings the replica up to date, and gives its room back.
    ///
    /// - Throws: As ``sync(levels:)``; then the level is still wanted.
    @discardableResult
    public func drop(_ level: LevelSelection.Name) async throws -> SyncReport {
        try await self.turnstile.pass {
            try await self.bringUpToDate { state, reader in
                (state.selection ?? .everything).without(level, among: try reader.levels())
            }
        }
    }
}

extension LevelSelection {
    public static func levels(_ names: Set<Name>) -> LevelSelection { LevelSelection(names: names) }

    /// All but one name. What names more than it, everything or an ordinal, is taken for the levels that it names now.
    func without(_ name: Name, among held: [ReplicaLevel]) -> LevelSelection {
        let dropped = held.filter { level in
            switch name {
            case .level(let id): level.level == id
            case .ordinal(let ordinal): level.ordinal == ordinal
            case .venueWide: false
            }
        }.compactMap(\.level)
        var names: Set<Name> = []
        for wanted in self.names ?? Set(held.compactMap { $0.level.map(Name.level) }) where wanted != name {
            switch wanted {
            case .level(let id) where dropped.contains(id): break
            case .ordinal(let ordinal)
            where held.contains { $0.ordinal == ordinal && $0.level.map(dropped.contains) == true }:
                for level in held where level.ordinal == ordinal {
                    if let id = level.level, !dropped.contains(id) { names.insert(.level(id)) }
                }
            default: names.insert(wanted)
            }
        }
        return LevelSelection(names: names.isEmpty ? [.venueWide] : names)
    }
}
