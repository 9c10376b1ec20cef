import Caching
import IMDF
import SyncModel

/// Reads published revisions through a cache, for clients that synchronize.
package struct RevisionReader: Sendable {
    package let store: RevisionStore
    let cache: RevisionCache

    package init(store: RevisionStore, cache: RevisionCache = RevisionCache()) {
        self.store = store
        self.cache = cache
    }

    /// A published revision with its levels.
    ///
    /// - Throws: `unknownRevision` unless it is published, `revisionPruned` when it was pruned.
    package func revision(_ number: Int64, of venue: VenueRecord) async throws -> RevisionRecord {
        if number > 0, number < venue.first { throw StoreError.revisionPruned(number, first: venue.first) }
        let key = RevisionCache.RevisionKey(number, of: venue)
        if var revision = self.cache.revisions.value(for: key) {
            // Settings are the only members that can change.
            revision.about.timeZone = venue.settings.timeZone
            revision.about.wayfinding = venue.settings.wayfinding
            return revision
        }
        let revision = try await self.store.revision(number, of: venue)
        self.cache.revisions.keep(revision, for: key, cost: 1 + revision.levels.count)
        return revision
    }

    /// The states of the venue-wide part (first) and of every level of a revision, by id; also of levels without features.
    package func levelStates(of venue: VenueRecord, at revision: RevisionRecord) async throws -> [LevelState] {
        let key = RevisionCache.RevisionKey(revision.number, of: venue)
        if let states = self.cache.levelStates.value(for: key) { return states }
        let states = try await self.store.levelStates(of: venue, at: revision)
        self.cache.levelStates.keep(states, for: key, cost: states.count)
        return states
    }

    /// The net changes between two revisions; none without a first one.
    func changes(
        from: RevisionRecord?, to: RevisionRecord, of venue: VenueRecord
    ) async throws -> NetChanges {
        guard let from, from.number < to.number else { return .none }
        let key = RevisionCache.RangeKey(from: .init(from.number, of: venue), to: .init(to.number, of: venue))
        if let changes = self.cache.changes.value(for: key) { return changes }
        let changes = NetChanges(try await self.store.changes(in: venue, from: from.number, to: to.number))
        self.cache.changes.keep(changes, for: key, cost: changes.cost)
        return changes
    }

    /// The versions of some levels of a revision, in order.
    func versions(
        of levels: [FeatureID?], in venue: VenueRecord, at revision: RevisionRecord, states: [LevelState]
    ) async throws -> [FeatureID?: [VersionSummary]] {
        let revisionKey = RevisionCache.RevisionKey(revision.number, of: venue)
        var versions: [FeatureID?: [VersionSummary]] = [:]
        for level in levels {
            versions[level] = self.cache.levelVersions.value(for: .init(revision: revisionKey, level: level))
        }
        let missing = levels.filter { versions[$0] == nil }
        guard !missing.isEmpty else { return versions }
        let filter = FeatureFilter(levels: missing.compactMap { $0 }, venueWide: missing.contains(nil))
        for version in try await self.store.versions(of: venue, at: revision.number, where: filter) {
            versions[version.level, default: []].append(version)
        }
        for state in states where missing.contains(state.level) {
            guard let levelVersions = versions[state.level], levelVersions.count == state.features else {
                throw StoreError.historyChanged  // deleted or pruned meanwhile, or the database is incomplete
            }
            self.cache.levelVersions.keep(
                levelVersions, for: .init(revision: revisionKey, level: state.level), cost: levelVersions.count)
        }
        return versions
    }

    /// Venues that were published after one catalogue position and up to another.
    func venuesPublished(after position: Int64, upTo last: Int64) async throws -> VenueSet {
        if let venues = self.cache.publishedVenues.value(for: position...last) { return venues }
        let venues = try await self.store.venuesPublished(after: position, upTo: last)
        self.cache.publishedVenues.keep(venues, for: position...last, cost: 1 + venues.runs.count)
        return venues
    }
}
