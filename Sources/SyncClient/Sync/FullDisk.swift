import Foundation
import GRDB
import IMDF
import SyncModel

/// A download that the disk had no space for.
struct FullDisk: Sendable {
    /// What was requested: nothing else is held back.
    let cursor: String?
    let levels: LevelSelection
    /// The space there was, in bytes.
    let space: Double
    /// How long the download is held back without more space, in seconds.
    let pause: TimeInterval
    /// When the download is tried again in any case: it may need little more, and free space does not show that a quota was raised.
    let end: Date

    func isOf(_ levels: LevelSelection, from state: ReplicaState) -> Bool {
        (self.cursor, self.levels) == (state.cursor, levels)
    }
}

extension VenueReplica {
    /// How many bytes must be free beyond those that were not enough. Other programs change the free space a little all the time.
    private static let additionalSpace = 1_048_576.0
    /// In seconds. The pause doubles each time, so that what is downloaded in vain stays little, and what fits is not much later than it
    /// could have been.
    private static let pauses: ClosedRange<TimeInterval> = 60...3600

    /// Keeps the same download from being repeated, and thrown away, at every attempt while the disk is full.
    ///
    /// - Throws: ``SyncError/diskFull`` if there is hardly more space than when it failed.
    func checkSpace(for levels: LevelSelection, from state: ReplicaState) async throws {
        guard let full = self.fullDisk, full.isOf(levels, from: state), self.exchange.policy.now() < full.end,
            try await self.store.availableSpace() < full.space + Self.additionalSpace
        else { return }
        throw SyncError.diskFull
    }

    /// Ends an attempt to apply a change set. Its transaction was rolled back.
    func noteFailure(_ error: any Error, of levels: LevelSelection, from state: ReplicaState) async {
        guard error as? SyncError == .diskFull, let space = try? await self.store.availableSpace() else { return }
        let last = self.fullDisk.flatMap { $0.isOf(levels, from: state) ? $0.pause : nil }
        let pause = last.map { min(2 * $0, Self.pauses.upperBound) } ?? Self.pauses.lowerBound
        self.fullDisk = FullDisk(
            cursor: state.cursor, levels: levels, space: space, pause: pause,
            end: self.exchange.policy.now().addingTimeInterval(pause))
    }
}

extension ReplicaStore {
    /// The bytes that a change set can take: what is free on the disk, and SQLite's log, which is written from its beginning again.
    fileprivate func availableSpace() async throws -> Double {
        try await self.write { db in
            func number(_ name: String) throws -> Double { try Double.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
            let pages = try number("max_page_count") - number("page_count") + number("freelist_count")
            let limit = try pages * number("page_size")
            var disk = statvfs()
            guard statvfs(self.pool.path, &disk) == 0 else { return limit }
            var log = stat()
            let logSize = stat(self.pool.path + "-wal", &log) == 0 ? Double(log.st_size) : 0
            return min(limit, Double(disk.f_bavail) * Double(disk.f_frsize) + logSize)
        }
    }
}
