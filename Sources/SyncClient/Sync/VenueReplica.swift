public import Foundation
public import SyncModel
import Synchronization

/// A verified local copy of the floors of a venue that an app chose, kept up to date.
///
///     let replica = try await VenueReplica.open(file, server: server, venue: mall, key: key)
///     let floors = try await replica.store.floors()          // what the file has: nothing on the first start
///     try await replica.summary()                            // what a level picker needs, from the server
///     try await replica.add(.ordinal(0))                     // downloads a floor; the others are kept
///     let units = try await replica.store.features(on: level, type: .unit)
///
/// Draw from the file first, then catch up with the server: after the first start everything that is selected is there without it.
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
    nonisolated let statusCenter: ReplicaStatusCenter
    /// The number of features of the download that is under way, if it is known.
    var expectedFeatures: Int?
    var deltaUse = DeltaUse.automatic
    /// The time of the last synchronization without changes that was written to the file.
    var storedSync: Date?
    /// The last download, if the disk had no space for it.
    var fullDisk: FullDisk?
    /// The keys that have to sign every revision; nil to apply unsigned revisions.
    nonisolated let trustedKeys: [PublicKey]?
    /// The last signed head that was verified.
    var newestHead: SignedHead?

    /// - Parameters:
    ///   - store: An open file.
    ///   - server: The address of the server, with the key.
    ///   - transport: Sends the requests.
    ///   - keys: See ``open(_:server:venue:key:trusting:transport:policy:)``.
    ///   - pageLimit: The maximum number of features and removals on a page. The server's own limit is 50 000, or 8 MiB.
    public init(
        store: ReplicaStore, venue: VenueKey, server: ServerAddress, trusting keys: [PublicKey]? = nil,
        transport: any SyncTransport = URLSessionTransport(),
        policy: RetryPolicy = RetryPolicy(), pageLimit: Int = 50_000
    ) {
        self.store = store
        self.venue = venue
        self.exchange = Exchange(server: server, transport: transport, policy: policy)
        self.pageLimit = pageLimit
        self.trustedKeys = keys
        let state = store.currentState
        self.statusCenter = ReplicaStatusCenter(lastSync: state?.syncedAt, isDamaged: state?.isDamaged ?? false)
        store.opened.withLock { opened in
            opened.onRepair = { [weak self] state in Task { await self?.noteRepair(state) } }
        }
    }

    /// Takes note of a file that was damaged and opened again, so that it is not called current, and fetches what is missing.
    private func noteRepair(_ state: ReplicaState) {
        self.statusCenter.note(isDamaged: state.isDamaged)
        self.observers.catchUp(with: state.commits)
        for task in self.longPolls.values { task.cancel() }
    }

    /// Opens a replica's file, or creates it. Sends no request.
    ///
    /// - Parameters:
    ///   - file: See ``ReplicaStore/open(_:for:)``.
    ///   - server: The base URL of the server, such as `https://maps.example.com`.
    ///   - key: A key with the role `read`; nil for a public venue.
    ///   - trustedKeys: The public keys of the operator, built into the app. Then a revision is applied only if one of them has signed
    ///     it, if the statement about it has not expired, and if it is not older than what the replica holds: the app does not have to
    ///     trust the server, a cache, or the network. While keys are changed, both the old and the new one are trusted. Nil: revisions
    ///     need no signature.
    /// - Throws: ``ReplicaFileError``, or ``SyncError/configuration(_:)`` if `server` is not a valid base URL or the key
    ///   cannot be sent.
    public static func open(
        _ file: URL, server: URL, venue: VenueKey, key: String?, trusting trustedKeys: [PublicKey]? = nil,
        transport: any SyncTransport = URLSessionTransport(), policy: RetryPolicy = RetryPolicy()
    ) async throws -> VenueReplica {
        let address = try ServerAddress(server, key: key)
        return VenueReplica(
            store: try await .open(file, for: venue), venue: venue, server: address, trusting: trustedKeys,
            transport: transport, policy: policy)
    }

    /// Ends observations and closes the file.
    public func close() throws {
        self.statusCenter.close()
        for task in self.longPolls.values { task.cancel() }
        self.observers.close()
        try self.store.close()
    }
}
