import Caching
import IMDF
import IMDFArchive
import RevisionStore

/// Finds the features of a revision that may refer to a feature: all that do, and some that do not any more.
struct ReferenceIndex: Sendable {
    private struct Pair {
        let target: FeatureID
        let source: FeatureID
    }

    /// The number of newer pairs from which all are sorted again.
    private static let newerPairs = 20_000

    /// The revision whose references it contains.
    private(set) var revision: Int64 = 0
    /// By target.
    private var pairs: [Pair] = []
    /// References of versions that began after the pairs were sorted, by target.
    private var newer: [FeatureID: [FeatureID]] = [:]
    private var newerCount = 0

    /// In pairs, of 32 bytes each.
    var cost: Int { self.pairs.count + 2 * self.newerCount }

    /// Reads the references of all features of a revision, or of the versions that began since the revision of the index.
    mutating func advance(to number: Int64, of venue: VenueRecord, in store: RevisionStore) async throws {
        let reader = JSONReader()
        var read: [Pair] = []
        try await store.versions(of: venue, at: number, since: self.revision) { id, type, body in
            let targets = Set(try reader.references(of: body, type: type).map(\.target))
            read += targets.map { Pair(target: $0, source: id) }
        }
        self.revision = number
        self.newerCount += read.count
        guard self.newerCount > Self.newerPairs else {
            for pair in read { self.newer[pair.target, default: []].append(pair.source) }
            return
        }
        for (target, sources) in self.newer { read += sources.map { Pair(target: target, source: $0) } }
        self.pairs += read
        self.pairs.sort { ($0.target, $0.source) < ($1.target, $1.source) }
        self.newer = [:]
        self.newerCount = 0
    }

    /// - Complexity: O(log *n*) and the number of features.
    func sources(of target: FeatureID) -> [FeatureID] {
        var (low, high) = (0, self.pairs.count)
        while low < high {
            let middle = (low + high) / 2
            if self.pairs[middle].target < target { low = middle + 1 } else { high = middle }
        }
        return self.pairs[low...].prefix { $0.target == target }.map(\.source) + (self.newer[target] ?? [])
    }
}

/// The reference indexes of some venues, each for the newest revision that was edited.
///
/// An index is needed by edits that add or hide features or change what they refer to. The first one of a venue reads all its features.
package final class ReferenceIndexCache: Sendable {
    private struct Key: Hashable {
        let venue: Int64
        let epoch: Int64
    }

    /// At most 64 MB.
    private let indexes = LRUCache<Key, ReferenceIndex>(cost: 2_000_000)

    package init() {}

    /// The references of the newest revision of a venue.
    ///
    /// - Throws: `headMoved` if there is a newer revision.
    func index(of venue: VenueRecord, in store: RevisionStore) async throws -> ReferenceIndex {
        let key = Key(venue: venue.id, epoch: venue.epoch)
        var index = self.indexes.value(for: key) ?? ReferenceIndex()
        guard index.revision != venue.head else { return index }
        guard index.revision < venue.head else { throw StoreError.headMoved }
        try await index.advance(to: venue.head, of: venue, in: store)
        self.indexes.keep(index, for: key, cost: index.cost)
        return index
    }
}
