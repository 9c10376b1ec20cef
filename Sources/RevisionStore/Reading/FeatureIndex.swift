package import IMDF
import Postgres

/// The features of a whole revision in the order of `VersionSummary.precedes`, in 40 bytes each: a venue may have a million.
package struct FeatureIndex: Sendable {
    private struct Entry {
        let feature: FeatureID
        let fromRevision: Int64
        var bytes: Int32
        let depth: Int32
        /// An index of ``allTypes``.
        var type: Int32
    }

    private let allTypes: [FeatureType]
    /// The indices of ``allTypes``.
    private let positions: [FeatureType: Int32]
    private var entries: [Entry]

    package var count: Int { self.entries.count }

    /// The types that have features, in order.
    package var types: [FeatureType] { self.allTypes.filter { !self.range(of: $0).isEmpty } }

    fileprivate struct Builder {
        private var types: [String: Int32] = [:]
        private var entries: [Entry] = []

        mutating func add(_ feature: FeatureID, type name: String, depth: Int32, from revision: Int64, bytes: Int32) {
            let type = self.types[name] ?? Int32(self.types.count)
            self.types[name] = type
            self.entries.append(
                Entry(feature: feature, fromRevision: revision, bytes: bytes, depth: depth, type: type))
        }

        consuming func finish() -> FeatureIndex {
            let ordered = self.types.map { (type: FeatureType(rawValue: $0.key), number: $0.value) }
                .sorted { ($0.type.rank, $0.type.rawValue) < ($1.type.rank, $1.type.rawValue) }
            var indices = [Int32](repeating: 0, count: ordered.count)
            var positions: [FeatureType: Int32] = [:]
            for (index, type) in ordered.enumerated() {
                indices[Int(type.number)] = Int32(index)
                positions[type.type] = Int32(index)
            }
            for index in self.entries.indices { self.entries[index].type = indices[Int(self.entries[index].type)] }
            self.entries.sort { ($0.type, $0.depth, $0.feature) < ($1.type, $1.depth, $1.feature) }
            return FeatureIndex(allTypes: ordered.map(\.type), positions: positions, entries: self.entries)
        }
    }

    private func version(_ entry: Entry) -> VersionSummary {
        VersionSummary(
            feature: entry.feature, type: self.allTypes[Int(entry.type)], level: nil, depth: Int(entry.depth),
            fromRevision: entry.fromRevision, bytes: Int(entry.bytes))
    }

    /// Keeps the features for which a function returns the length of their bodies.
    package mutating func select(_ length: (FeatureID, _ bytes: Int) -> Int?) {
        var kept = 0
        for index in self.entries.indices {
            var entry = self.entries[index]
            guard let bytes = length(entry.feature, Int(entry.bytes)) else { continue }
            entry.bytes = Int32(clamping: bytes)
            self.entries[kept] = entry
            kept += 1
        }
        self.entries.removeLast(self.entries.count - kept)
    }

    /// The versions of some features without their levels. Their bodies do not exceed a limit together, or there is one: they are read in
    /// one statement.
    package struct Batches: Sequence, IteratorProtocol {
        fileprivate let index: FeatureIndex
        fileprivate var rest: Range<Int>
        fileprivate let limit: Int

        package mutating func next() -> [VersionSummary]? {
            var (batch, bytes): ([VersionSummary], Int) = ([], 0)
            while let next = self.rest.first {
                let version = self.index.version(self.index.entries[next])
                if !batch.isEmpty, bytes + version.bytes > self.limit { break }
                batch.append(version)
                bytes += version.bytes
                self.rest = next + 1..<self.rest.upperBound
            }
            return batch.isEmpty ? nil : batch
        }
    }

    package func batches(of bytes: Int) -> Batches {
        Batches(index: self, rest: self.entries.indices, limit: bytes)
    }

    package func batches(of bytes: Int, type: FeatureType) -> Batches {
        Batches(index: self, rest: self.range(of: type), limit: bytes)
    }

    private func range(of type: FeatureType) -> Range<Int> {
        guard let type = self.positions[type] else { return 0..<0 }
        return self.firstIndex { $0.type >= type }..<self.firstIndex { $0.type > type }
    }

    /// The first entry from which on a condition holds.
    private func firstIndex(where holds: (Entry) -> Bool) -> Int {
        var (low, high) = (0, self.entries.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self.entries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension RevisionStore {
    /// All features of a revision. The rows are not held together.
    package func featureIndex(of venue: VenueRecord, at number: Int64) async throws -> FeatureIndex {
        var index = FeatureIndex.Builder()
        try await self.stream(
            """
            SELECT feature_id, feature_type, depth, from_revision, octet_length(body)
            FROM feature_version WHERE venue_id = \(venue.id) AND \(Self.holds(at: number)) AND \(Self.byToRevision)
            """, of: venue, at: number
        ) { row in
            let (feature, type, depth, revision, bytes) = try row.decode(
                (FeatureID, String, Int32, Int64, Int32).self)
            index.add(feature, type: type, depth: depth, from: revision, bytes: bytes)
        }
        return index.finish()
    }
}
