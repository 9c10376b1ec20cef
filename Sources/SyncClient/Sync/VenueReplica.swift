public import Foundation
public import SyncModel

/// A verified local copy of the floors of a venue that an app chose, kept up to date.
///
///     let replica = try await VenueReplica.open(file, server: server, venue: mall, key: key)
///     try await replica.sync(levels: .levels([.venueWide]))  // what a level picker needs
///     try await replica.add(.ordinal(0))                     // the first floor that is shown
///     let units = try await replica.store.features(on: level, type: .unit)
///
/// Every level was verified with its digest before it can be read. A change set is applied in one SQLite transaction together with its
/// cursor, so the replica is at one revision or at the next, even if the process is killed. Everything that was downloaded can be
/// read, observed and searched without a network.
///
/// A replica has one file and one venue. Calls may be concurrent; those that write run one after the other, also across processes
/// that use the same file.
public actor VenueReplica {
    /// The file, for reading.
    public nonisolated let store: ReplicaStore
    public nonisolated let venue: VenueKey
    nonisolated let exchange: Exchange
    nonisolated let observers = Observers()
    let mutex = AsyncMutex()
    /// The long polls of ``follow(_:)`` that wait for their response.
    var longPolls: [UUID: Task<[UInt8], any Error>] = [:]
    let pageLimit: Int

    /// - Parameters:
    ///   - store: An open file.
    ///   - server: The address of the server, with the key.
    ///   - transport: Sends the requests.
    ///   - pageLimit: The maximum number of features and removals on a page. The server's own limit is 50 000, or 8 MiB.
    public init(
        store: ReplicaStore, venue: VenueKey, server: ServerAddress,
        transport: any SyncTransport = URLSessionTransport(),
        policy: RetryPolicy = RetryPolicy(), pageLimit: Int = 50_000
    ) {
        self.store = store
        self.venue = venue
        self.exchange = Exchange(server: server, transport: transport, policy: policy)
        self.pageLimit = pageLimit
    }

    /// Opens a replica's file, or creates it. Sends no request.
    ///
    /// - Parameters:
    ///   - file: See ``ReplicaStore/open(_:for:)``.
    ///   - server: The base URL of the server, such as `https://maps.example.com`.
    ///   - key: A key with the role `read`; nil for a public venue.
    /// - Throws: ``ReplicaFileError``, or ``SyncError/malformed(_:)`` if `server` is not a valid base URL.
    public static func open(
        _ file: URL, server: URL, venue: VenueKey, key: String?, transport: any SyncTransport = URLSessionTransport(),
        policy: RetryPolicy = RetryPolicy()
    ) async throws -> VenueReplica {
        let address = try ServerAddress(server, key: key)
        return VenueReplica(
            store: try await .open(file, for: venue), venue: venue, server: address, transport: transport,
            policy: policy)
    }

    /// Ends observations and closes the file.
    public func close() throws {
        for task in self.longPolls.values { task.cancel() }
        self.observers.close()
        try self.store.close()
    }

    /// Synchronises the replica with the newest revision.
    ///
    /// - Parameter levels: The levels to hold from now on; nil: the same as before, or all of them if none were chosen yet. New levels
    ///   are downloaded and others are dropped. The venue-wide part is always included.
    /// - Throws: ``SyncError``, or `CancellationError`; the replica is then unchanged.
    @discardableResult
    public func sync(levels: LevelSelection? = nil) async throws -> SyncReport {
        try await self.mutex.withLock {
            try await self.synchronise { state, _ in levels ?? state.selection ?? .everything }
        }
    }

    /// Adds a level to the selection and synchronises.
    ///
    /// - Throws: See ``sync(levels:)``; the selection is then unchanged.
    @discardableResult
    public func add(_ level: LevelSelection.Name) async throws -> SyncReport {
        try await self.mutex.withLock {
            try await self.synchronise { state, _ in
                guard let selection = state.selection else { return LevelSelection(names: [level]) }
                return LevelSelection(names: selection.names?.union([level]))
            }
        }
    }

    /// Removes a level from the selection, synchronises, and frees its space.
    ///
    /// - Throws: See ``sync(levels:)``; the selection is then unchanged.
    @discardableResult
    public func drop(_ level: LevelSelection.Name) async throws -> SyncReport {
        try await self.mutex.withLock {
            try await self.synchronise { state, reader in
                (state.selection ?? .everything).without(level, among: try reader.levels())
            }
        }
    }
}

extension LevelSelection {
    /// These levels and the venue-wide part.
    public static func levels(_ names: Set<Name>) -> LevelSelection { LevelSelection(names: names) }

    /// The selection without a level. A name that covers further levels, such as an ordinal or `everything`, is first replaced by
    /// the names of the held levels that it covers.
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
