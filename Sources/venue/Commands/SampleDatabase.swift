import Foundation
import IMDFArchive
import Ingestion
import Logging
import Postgres
import RevisionStore
import SampleVenue
import SyncModel

/// Fills a database with synthetic venues.
///
/// Every revision is an upload that is queued and processed as by a server and a worker, only without HTTP and without waiting for the
/// disk at every commit. So all rows are those of real uploads, and nothing has to be kept in step with the schema.
struct SampleDatabase: Sendable {
    struct Content: Sendable {
        var venues: Int
        /// Of each venue.
        var revisions: Int
        var levels: Int
        /// On each level.
        var units: Int
        /// Each venue has a seed of its own, which follows from this one.
        var seed: UInt64
        /// Applied before every revision but the first.
        var edits: [Edit]
        /// The first part of the venue keys.
        var prefix: String
    }

    struct Receipt: Encodable {
        let venues: Int
        let revisions: Int
        /// Of all newest revisions.
        let features: Int
        let seconds: Int
    }

    /// How many venues are generated and published at the same time.
    private static let concurrency = max(2, ProcessInfo.processInfo.activeProcessorCount)

    let content: Content
    let store: RevisionStore
    private let worker: IngestionWorker

    init(_ content: Content, store: RevisionStore, limits: ArchiveLimits, logger: Logger) {
        self.content = content
        self.store = store
        self.worker = IngestionWorker(store: store, settings: .init(limits: limits), logger: logger)
    }

    /// The key of a venue, counted from 1. Keys have the order of the numbers up to 9,999,999. Nil for an invalid prefix.
    static func key(of number: Int, prefix: String) -> VenueKey? {
        let digits = "\(number)"
        return VenueKey("\(prefix)-\(String(repeating: "0", count: max(0, 7 - digits.count)))\(digits)")
    }

    /// Fills the database of a configuration, which has to be migrated.
    static func fill(_ content: Content, configuration: VenueConfiguration) async throws -> Receipt {
        var database = try configuration.database().forStore(lockTimeout: .seconds(10))
        // A generated venue that is lost in a crash is generated again.
        database.settings["synchronous_commit"] = "off"
        let pool = ConnectionPool(database, size: 2 * Self.concurrency + 2)
        do {
            try await Migrator.expectMigrated(pool)
            let filling = try SampleDatabase(
                content, store: RevisionStore(pool: pool, archives: configuration.archives()),
                limits: configuration.archiveLimits,
                logger: configuration.logger())
            let receipt = try await filling.fill()
            await pool.close()
            return receipt
        } catch {
            await pool.close()
            throw error
        }
    }

    func fill() async throws -> Receipt {
        let start = ContinuousClock.now
        let features = try await withThrowingTaskGroup(of: Int.self) { tasks in
            var (next, features) = (1, 0)
            while next <= min(Self.concurrency, self.content.venues) {
                tasks.addTask { [next] in try await self.publish(next) }
                next += 1
            }
            while let count = try await tasks.next() {
                features += count
                guard next <= self.content.venues else { continue }
                tasks.addTask { [next] in try await self.publish(next) }
                next += 1
            }
            return features
        }
        try await self.store.analyze()
        return Receipt(
            venues: self.content.venues, revisions: self.content.venues * self.content.revisions, features: features,
            seconds: Int(start.duration(to: .now) / .seconds(1)))
    }

    /// Publishes all revisions of one venue.
    ///
    /// - Returns: The number of features of the last one.
    private func publish(_ number: Int) async throws -> Int {
        guard let key = Self.key(of: number, prefix: self.content.prefix) else {
            throw Failure(.usage, "“\(self.content.prefix)” is not the beginning of a venue key")
        }
        let seed = self.content.seed &+ UInt64(number)
        var venue = SampleVenue(.init(levels: self.content.levels, unitsPerLevel: self.content.units, seed: seed))
        for revision in 1...self.content.revisions {
            if revision > 1 { _ = venue.apply(self.content.edits, seed: seed &+ UInt64(revision)) }
            try await self.upload(venue.archive(), to: key)
        }
        return venue.features.count
    }

    private static let author = Authorization(key: nil, author: "generate", role: .admin, venue: nil)

    /// Queues an archive, and processes the queue until it is published.
    private func upload(_ archive: [UInt8], to venue: VenueKey) async throws {
        var reception = try await self.store.beginArchive(by: Self.author)
        for start in stride(from: 0, to: archive.count, by: RevisionStore.chunkSize) {
            let chunk = archive[start..<min(start + RevisionStore.chunkSize, archive.count)]
            try await self.store.append(Array(chunk), to: &reception)
        }
        let upload = try await self.store.enqueue(
            UploadRequest(
                venue: venue, archive: self.store.finish(reception), options: UploadOptions(), message: nil,
                createsVenue: true, known: nil),
            by: Self.author
        ).id
        while true {
            let current = try await self.store.upload(upload)
            switch current.state {
            case .published, .unchanged: return
            case .received, .processing:
                // Another task may have claimed it.
                if try await !self.worker.workOnce() { try await Task.sleep(for: .milliseconds(2)) }
            case .staged, .rejected, .failed, .discarded:
                throw Failure(
                    .rejected, "an upload to \(venue) ended as \(current.state.rawValue)\(Self.reason(current))")
            }
        }
    }

    private static func reason(_ upload: Upload) -> String { upload.failure.map { ": \($0)" } ?? "" }
}
