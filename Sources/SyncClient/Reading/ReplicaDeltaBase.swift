import DeltaForm
import Foundation
import GRDB
import IMDF

/// What the ranks of the delta form stand for: the features of each level in the order of their ids, as they were committed last.
struct ReplicaDeltaBase: DeltaBase {
    private let reader: ReplicaReader

    init(_ reader: ReplicaReader) {
        self.reader = reader
    }

    func levels() throws -> [FeatureID] {
        try self.reader.digests().keys.compactMap(\.self).sorted()
    }

    func ids(of level: FeatureID?, at ranks: [Int]) throws -> [FeatureID]? {
        var ids: [FeatureID] = []
        let isComplete = try self.visit(level, at: ranks) { row in
            guard let id = try FeatureID?(blob: row[0]) else { throw SyncError.file("a feature has no id") }
            ids.append(id)
            return true
        }
        return isComplete ? ids : nil
    }

    func bodies(of level: FeatureID?, at ranks: [Int], limit: Int) throws -> [[UInt8]]? {
        var bodies: [[UInt8]] = []
        var left = limit
        let isComplete = try self.visit(level, at: ranks) { row in
            let body = try Self.body(row)
            left -= body.count
            bodies.append(body)
            return left >= 0
        }
        return isComplete ? bodies : nil
    }

    func context(of level: FeatureID?, like rank: Int, limit: Int) throws -> [[UInt8]]? {
        var type: String?
        _ = try self.visit(level, at: [rank]) { row in
            type = row[2]
            return true
        }
        guard let type else { return nil }
        var bodies: [[UInt8]] = []
        var left = limit
        let rows = try Row.fetchCursor(
            self.reader.db, sql: "SELECT id, body FROM feature WHERE level = ? AND type = ? ORDER BY id",
            arguments: [level.blob, type])
        while let row = try rows.next() {
            let body = try Self.body(row)
            left -= body.count + 1
            guard left >= 0 else { break }
            bodies.append(body)
        }
        return bodies
    }

    /// Goes through the features of a level in the order of their ids. SQLite reads a body only if the closure does.
    ///
    /// - Parameters:
    ///   - ranks: Ascending.
    ///   - visit: Is called with the columns `id, body, type` of the features with these ranks, and returns whether to go on.
    /// - Returns: Whether all of them were visited.
    private func visit(_ level: FeatureID?, at ranks: [Int], _ visit: (Row) throws -> Bool) throws -> Bool {
        var ranks = ranks[...]
        guard !ranks.isEmpty else { return true }
        let statement = try self.reader.db.cachedStatement(
            sql: "SELECT id, body, type FROM feature WHERE level = ? ORDER BY id")
        let rows = try Row.fetchCursor(statement, arguments: [level.blob])
        var rank = 0
        while let next = ranks.first, let row = try rows.next() {
            if rank == next {
                guard try visit(row) else { return false }
                ranks.removeFirst()
            }
            rank += 1
        }
        return ranks.isEmpty
    }

    private static func body(_ row: Row) throws -> [UInt8] {
        try row.withUnsafeData(atIndex: 1) { $0.map { Array($0) } ?? [] }
    }
}
