import Foundation
public import IMDF
import SyncModel
public import VenueMap

/// A map of some levels of a replica, and what differs in its drawing from the last update.
public struct ReplicaMapUpdate: Sendable {
    /// Those of the levels that are held, and the whole venue-wide part.
    public let map: VenueMap
    /// The drawn features of the levels that differ from the last update, by id, each with its old and its new position: also those that
    /// did not change themselves, such as a shop whose anchor moved. For a snapshot, all drawn features, as added.
    public let changes: [MapChange]
    /// Whether to remove everything that was drawn before ``changes``: the first update, and one after another process wrote to the
    /// file.
    public let isSnapshot: Bool
    /// The revision of the replica; nil before the first synchronization.
    public let revision: Int64?
}

/// The maps of some levels of a replica as a sequence; see ``VenueReplica/mapUpdates(in:)``. It has one reader.
///
/// The sequence ends when the replica is closed, and throws if the file cannot be read.
public struct ReplicaMapUpdates: AsyncSequence, Sendable {
    public typealias Element = ReplicaMapUpdate

    fileprivate let changes: ReplicaChanges
    fileprivate let levels: LevelSelection

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(changes: self.changes.makeAsyncIterator(), levels: self.levels)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var changes: ReplicaChanges.AsyncIterator
        fileprivate let levels: LevelSelection
        fileprivate var map = VenueMap([VenueMap.Entry]())

        /// Waits for the next update.
        public mutating func next() async throws -> ReplicaMapUpdate? {
            guard let update = try await self.changes.next() else { return nil }
            if update.isSnapshot { self.map = VenueMap([VenueMap.Entry]()) }
            self.map.timeZone = update.about.timeZone.flatMap { TimeZone(identifier: $0) }
            self.map.language = update.about.language
            var (put, removed): ([VenueMap.Entry], [FeatureID]) = ([], [])
            for change in update.changes {
                // Nil if the feature was removed, or moved to a level that is not part of the map.
                guard let new = change.newFeature, update.part.contains(new) else {
                    removed.append(change.id)
                    continue
                }
                put.append(.init(id: new.id, type: new.type, level: new.level, body: new.body))
            }
            let changes = self.map.update(putting: put, removing: removed).changes(in: self.levels)
            return ReplicaMapUpdate(
                map: self.map, changes: changes, isSnapshot: update.isSnapshot, revision: update.revision)
        }
    }
}

extension VenueReplica {
    /// A map of some levels of the replica now, at once and without a server, and after every commit what differs in its drawing. With
    /// ``follow(adding:_:)`` beside it, a floor is drawn from the file first and then follows the server.
    ///
    ///     for try await update in try await replica.mapUpdates(in: [.ordinal(0)]) {
    ///         if update.isSnapshot { markers.removeAll() }
    ///         for change in update.changes { markers.apply(change, from: update.map) }
    ///     }
    ///
    /// The first update contains what is held, even if that is nothing. A commit that changes nothing on these levels and in
    /// the venue-wide part gives no update; one that changes nothing that is drawn gives an update without changes.
    ///
    /// - Complexity: The map is kept in memory. An update costs as much as what changed.
    public nonisolated func mapUpdates(in levels: LevelSelection) async throws -> ReplicaMapUpdates {
        let changes = try await ReplicaChanges(
            self, ReplicaScope(levels, withVenueWide: true), .snapshot, reportsAbout: true)
        return ReplicaMapUpdates(changes: changes, levels: levels)
    }
}

extension ReplicaChange {
    /// Nil if the feature was removed.
    fileprivate var newFeature: ReplicaFeature? {
        if case .removed = self { nil } else { self.feature }
    }
}
