public import Foundation
import IMDF
public import SyncModel

/// The outcome of a synchronization of all venues.
public struct CatalogueReport: Hashable, Sendable {
    /// The catalogue position before; nil if there was none.
    public var from: Int64?
    /// The catalogue position now.
    public var to: Int64
    /// The venues that are new or have another revision, by key.
    public var updated: [VenueKey] = []
    /// The venues that were deleted, or that the key may no longer read, by key.
    public var removed: [VenueKey] = []
    /// The venues with levels that did not match their digest and were fetched again, by key.
    public var repaired: [VenueKey] = []
    /// Successful requests.
    public var requests = 0
    /// Whether the server no longer had the history of the cursor, so that everything was downloaded.
    public var hasStartedOver = false
    /// Whether the file was changed, even if only its cursor was.
    public var hasCommitted = false
}

/// A verified local copy of all venues that a key may read, in one file and at one catalogue position, kept up to date.
///
///     let catalogue = try await VenueCatalogueReplica.open(file, server: server, key: key)
///     let report = try await catalogue.sync()
///     for venue in report.updated { index.rebuild(try await catalogue.store.map(of: venue)) }
///
/// It holds all levels of every venue and is meant for servers and kiosks; an app that shows one venue uses ``VenueReplica``. A change
/// set over all venues is applied in one SQLite transaction together with its cursor, after every level was verified with its digest.
public actor VenueCatalogueReplica {
    /// The file, for reading.
    public nonisolated let store: CatalogueStore
    let exchange: Exchange
    nonisolated let statusCenter: ReplicaStatusCenter
    private let mutex = AsyncMutex()
    private let pageLimit: Int
    /// The timeout of a long poll in seconds.
    private static let longPollTimeout = 25

    /// - Parameters:
    ///   - store: An open file.
    ///   - server: The address of the server, with a key: the call needs one, even for public venues.
    ///   - pageLimit: The maximum number of features and removals on a page. The server's own limit is 50 000, or 8 MiB.
    public init(
        store: CatalogueStore, server: ServerAddress, transport: any SyncTransport = URLSessionTransport(),
        policy: RetryPolicy = RetryPolicy(), pageLimit: Int = 50_000
    ) {
        self.store = store
        self.exchange = Exchange(server: server, transport: transport, policy: policy)
        self.pageLimit = pageLimit
        self.statusCenter = ReplicaStatusCenter(
            lastSync: store.lastSync)
    }

    /// Opens the file of a catalogue, or creates it. Sends no request.
    ///
    /// - Throws: ``ReplicaFileError``, or ``SyncError/malformed(_:)`` if `server` is not a valid base URL.
    public static func open(
        _ file: URL, server: URL, key: String, transport: any SyncTransport = URLSessionTransport(),
        policy: RetryPolicy = RetryPolicy()
    ) async throws -> VenueCatalogueReplica {
        let address = try ServerAddress(server, key: key)
        return VenueCatalogueReplica(
            store: try await .open(file), server: address, transport: transport, policy: policy)
    }

    /// Ends observations and closes the file.
    public func close() throws {
        self.statusCenter.close()
        try self.store.close()
    }

    /// The status now.
    public nonisolated var status: ReplicaStatus { self.statusCenter.status }

    /// The status now and after every change, until the catalogue is closed. A slow reader skips states, but not the last one.
    public nonisolated func statusUpdates() -> AsyncStream<ReplicaStatus> { self.statusCenter.updates() }

    /// Synchronizes all venues.
    ///
    /// - Throws: ``SyncError``, or `CancellationError`; the file is then unchanged.
    @discardableResult
    public func sync() async throws -> CatalogueReport {
        self.statusCenter.connect()
        do {
            return try await self.pull(wait: nil)
        } catch {
            self.statusCenter.fail(error as? SyncError)
            throw error
        }
    }

    /// Keeps all venues up to date until the task is cancelled. Errors that may be temporary are retried; see ``RetryPolicy``.
    ///
    /// - Parameter report: Is called after every synchronization that changed the file.
    /// - Throws: `CancellationError`, or a ``SyncError`` that a retry does not help against.
    public func follow(_ report: @Sendable (CatalogueReport) -> Void = { _ in }) async throws {
        try await FollowLoop(policy: self.exchange.policy, status: self.statusCenter).run { waits in
            let outcome = try await self.pull(wait: waits ? Self.longPollTimeout : nil)
            if outcome.hasCommitted { report(outcome) }
            return !outcome.hasCommitted
        }
    }

    private func pull(wait: Int?) async throws -> CatalogueReport {
        // A long poll does not keep other calls waiting.
        let start = try await self.store.read { try $0.state() }
        let awaited = wait == nil ? nil : try await self.awaitedPage(since: start.cursor, wait: wait)
        return try await self.mutex.withLock {
            let state = try await self.store.read { try $0.state() }
            if awaited != nil, state.commits != start.commits {
                return CatalogueReport(from: state.position, to: state.position ?? 0)
            }
            do {
                let first = if let awaited { awaited } else { try await self.page(since: state.cursor, wait: nil) }
                return try await self.apply(first, to: state, since: state.cursor)
            } catch is Exchange.LostHistory {
                return try await self.startOver(from: state)
            }
        }
    }

    /// The response to a long poll; nil if the server no longer has the history of the cursor.
    private func awaitedPage(since cursor: String?, wait: Int?) async throws -> CataloguePage? {
        do {
            return try await self.page(since: cursor, wait: wait)
        } catch is Exchange.LostHistory {
            return nil
        }
    }

    private func startOver(from state: CataloguePosition) async throws -> CatalogueReport {
        do {
            var report = try await self.apply(self.page(since: nil, wait: nil), to: state, since: nil)
            report.hasStartedOver = true
            return report
        } catch is Exchange.LostHistory {
            throw SyncError.historyLostAgain
        }
    }

    /// Applies a change set whose first page was received. Applies all of it or nothing.
    private func apply(
        _ first: CataloguePage, to state: CataloguePosition, since cursor: String?
    ) async throws -> CatalogueReport {
        let start = cursor == nil ? nil : state.position
        var page = first
        guard page.from == start, page.to >= start ?? 0 else {
            guard start != nil else { throw SyncError.contradiction("changes, although everything was requested") }
            // No digest covers the position. If that of the file is wrong, no change set can continue it.
            throw Exchange.LostHistory(restart: nil)
        }
        let (from, to) = (page.from, page.to)
        var report = CatalogueReport(from: state.position, to: to, requests: 1)
        if page.isComplete, page.venues.isEmpty, page.gone.isEmpty, page.cursor == cursor {
            self.statusCenter.succeed(at: self.exchange.policy.now())
            return report
        }
        var cursors: Set<String?> = [cursor]
        var transaction = try await self.store.begin(from: state)
        do {
            transaction = try await self.store.apply(page, to: transaction)
            while !page.isComplete {
                try Task.checkCancellation()
                guard cursors.insert(page.cursor).inserted else { throw SyncError.contradiction("a repeated page") }
                let last = page.cursor
                page = try await self.exchange.retrying(self.exchange.policy.attempts) {
                    try await self.page(since: last, wait: nil)
                }
                guard (page.from, page.to) == (from, to) else {
                    throw SyncError.contradiction("pages of different change sets")
                }
                report.requests += 1
                transaction = try await self.store.apply(page, to: transaction)
            }
            (transaction, report.removed) = try await self.store.end(transaction, isWhole: cursor == nil)
            transaction = try await self.repair(transaction, &report)
            let now = self.exchange.policy.now()
            try await self.store.commit(transaction, position: to, cursor: page.cursor, at: now)
            self.statusCenter.succeed(at: now)
        } catch {
            await self.store.rollBack()
            throw error
        }
        (report.updated, report.hasCommitted) = (transaction.updated, true)
        return report
    }

    private func page(since cursor: String?, wait: Int?) async throws -> CataloguePage {
        var query = cursor.map { ["since=\(HTTPAddress.escaped($0))"] } ?? []
        query.append("limit=\(self.pageLimit)")
        if let wait { query.append("wait=\(wait)") }
        var count = BodyCount()
        return try CataloguePage(
            await self.exchange.bytes("/sync?\(query.joined(separator: "&"))") {
                self.statusCenter.receive(count.read($0), of: nil)
            })
    }

    /// Fetches the levels whose digests do not match again, once.
    private func repair(
        _ transaction: CatalogueTransaction, _ report: inout CatalogueReport
    ) async throws -> CatalogueTransaction {
        var transaction = transaction
        let mismatches = try await self.store.mismatches(of: transaction)
        guard !mismatches.isEmpty else { return transaction }
        for mismatch in mismatches {
            let name = mismatch.level.map(LevelSelection.Name.level) ?? .venueWide
            let path = "/venues/\(mismatch.venue)/revisions/\(mismatch.revision)/features?level=\(name)"
            try await self.exchange.retrying(self.exchange.policy.attempts) {
                try await self.store.clear(mismatch, in: transaction)
                var stream = FeatureStream()
                try await Exchange.forEachBlock(of: self.exchange.response(path).body) { block in
                    guard let batch = try stream.append(block) else { return }
                    transaction = try await self.store.put(batch, into: mismatch, in: transaction)
                }
                transaction = try await self.store.put(stream.finish(), into: mismatch, in: transaction)
            }
            report.requests += 1
        }
        if let level = try await self.store.mismatches(of: transaction).first {
            throw SyncError.wrongDigest(level: level.level)
        }
        report.repaired = Set(mismatches.map(\.venue)).sorted()
        return transaction
    }
}
