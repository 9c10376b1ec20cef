import Caching
import IMDF
import SyncModel

/// Reads what many venues contain into the cache, in one round trip, so that a change set over all venues takes no statement for each
/// venue. What is missing afterwards is read for the venue alone.
extension RevisionReader {
    /// The number of features and venues that are read ahead of the page at most.
    private static let maxItems = 10_000

    /// Reads the first venues of some, as many as may fit on a page.
    ///
    /// - Parameter items: The room on the page, in features and removals.
    /// - Returns: The number of venues that need not be passed again; at least one.
    static func preload(
        _ ranges: ArraySlice<VenueRange?>, items: Int, from reader: (VenueRecord) -> RevisionReader
    ) async throws -> Int {
        var (count, expected) = (0, 0)
        /// A replica and the primary may have different venues. The pool identifies the server.
        var servers: [ObjectIdentifier: (reader: RevisionReader, ranges: [VenueRange])] = [:]
        for range in ranges {
            guard count == 0 || expected < min(items, Self.maxItems) else { break }
            count += 1
            guard let range else { continue }
            // An update is rarely larger than what a batch keeps of it, and reading it takes as long as its changes.
            expected += range.from == nil ? max(1, range.features) : max(1, min(range.features, VenueRange.maxChanges))
            let reader = reader(range.venue)
            guard !reader.isLoaded(range) else { continue }
            servers[ObjectIdentifier(reader.store.pool), default: (reader, [])].ranges.append(range)
        }
        // A single venue is read just as fast by itself, and only those of its levels that fit on the page.
        for server in servers.values where server.ranges.count > 1 {
            for (range, content) in zip(server.ranges, try await server.reader.store.contents(of: server.ranges)) {
                if let content { server.reader.keep(content, of: range) }
            }
        }
        return max(1, count)
    }

    private func isLoaded(_ range: VenueRange) -> Bool {
        let to = RevisionCache.RevisionKey(range.to, of: range.venue)
        guard self.cache.revisions.value(for: to) != nil, let states = self.cache.levelStates.value(for: to) else {
            return false
        }
        guard let from = range.from.map({ RevisionCache.RevisionKey($0, of: range.venue) }) else {
            return states.allSatisfy {
                $0.features == 0 || self.cache.levelVersions.value(for: .init(revision: to, level: $0.level)) != nil
            }
        }
        return self.cache.revisions.value(for: from) != nil
            && (from == to || self.cache.changes.value(for: .init(from: from, to: to)) != nil)
    }

    private func keep(_ content: VenueContent, of range: VenueRange) {
        let to = RevisionCache.RevisionKey(range.to, of: range.venue)
        for (number, revision) in content.revisions {
            let key = RevisionCache.RevisionKey(number, of: range.venue)
            self.cache.revisions.keep(revision, for: key, cost: 1 + revision.levels.count)
        }
        for (number, states) in content.states {
            self.cache.levelStates.keep(
                states, for: RevisionCache.RevisionKey(number, of: range.venue), cost: states.count)
        }
        if let changes = content.changes.map(NetChanges.init), let from = range.from {
            self.cache.changes.keep(
                changes, for: .init(from: .init(from, of: range.venue), to: to), cost: changes.cost)
        }
        guard let versions = content.versions, let states = content.states[range.to] else { return }
        let levels = Dictionary(grouping: versions.sorted(by: VersionSummary.precedes), by: \.level)
        // Otherwise the database is incomplete, which is reported when the venue is read alone.
        guard states.allSatisfy({ $0.features == levels[$0.level]?.count ?? 0 }) else { return }
        for (level, versions) in levels {
            self.cache.levelVersions.keep(versions, for: .init(revision: to, level: level), cost: versions.count)
        }
    }
}
