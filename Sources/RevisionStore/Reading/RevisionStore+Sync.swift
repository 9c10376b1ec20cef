import IMDF
import Postgres
package import SyncModel

/// What a client asks of a venue.
package struct SyncRequest: Sendable {
    package var venue: VenueRecord
    package var since: Cursor?
    /// The revision to end at; nil: the newest.
    package var to: Int64?
    package var wanted: LevelSelection
    /// Features and removals on a page.
    package var limit: Int

    package init(venue: VenueRecord, since: Cursor?, to: Int64?, wanted: LevelSelection, limit: Int) {
        self.venue = venue
        self.since = since
        self.to = to
        self.wanted = wanted
        self.limit = limit
    }
}

extension RevisionStore {
    /// A page ends at so many bytes of bodies.
    package static let pageBytes = 8 << 20

    /// The change set, or the page of it, that a client needs.
    ///
    /// Every statement reads revisions that are published and so stand still: a publish in between changes nothing.
    package func changeSet(for request: SyncRequest) async throws -> ChangeSet {
        let venue = request.venue
        let target = try Self.target(of: request)
        let from = try await self.holding(of: request)
        let to = try await self.revision(target, of: venue)
        let wanted = to.selected(by: request.wanted)
        let page = request.since?.page
        if let page, page.wanted.set(count: to.levels.count) != wanted {
            throw StoreError.malformedCursor("every page of a change set asks for the same levels")
        }
        let plan = try await self.plan(of: venue, from: from, to: to, wanted: wanted)
        let offset = page?.offset ?? 0
        guard offset < plan.weight || offset == 0 else { throw StoreError.malformedCursor("there is no such page") }
        let (parts, next) = plan.page(at: offset, limit: request.limit, byteLimit: Self.pageBytes)
        var cursor = to.cursor(epoch: venue.epoch, held: wanted)
        if next < plan.weight {
            cursor = Cursor(
                epoch: venue.epoch, holding: request.since?.holding,
                page: .init(to: target, wanted: .init(wanted), offset: next))
        }
        return ChangeSet(
            venue: venue.key, from: from?.revision.number, to: target, digest: to.digest, about: to.about,
            isComplete: next >= plan.weight, cursor: cursor,
            blocks: try await self.blocks(of: parts, in: venue, at: to))
    }

    /// The cursor and the level states that a client needs who has to start over but may keep what is still right.
    package func restart(
        of venue: VenueRecord, wanted: LevelSelection
    ) async throws -> (to: Int64, cursor: Cursor, levels: [LevelState]) {
        let to = try await self.revision(venue.head, of: venue)
        let set = to.selected(by: wanted)
        let states = try await self.levelStates(of: venue, at: to)
        let levels = states.enumerated().filter { $0.offset == 0 || set.contains($0.offset - 1) }.map(\.element)
        return (to.number, to.cursor(epoch: venue.epoch, held: set), levels)
    }

    private static func target(of request: SyncRequest) throws -> Int64 {
        // Of another history nothing can be said but that it is another one.
        if let since = request.since, since.epoch != request.venue.epoch { throw StoreError.historyLost }
        if let page = request.since?.page, let to = request.to, to != page.to {
            throw StoreError.malformedCursor("every page of a change set leads to the same revision")
        }
        if let page = request.since?.page, !(1...request.venue.head).contains(page.to) { throw StoreError.historyLost }
        let target = request.since?.page?.to ?? request.to ?? request.venue.head
        if let holding = request.since?.holding {
            guard holding.revision <= request.venue.head else { throw StoreError.historyLost }
            guard target >= holding.revision else { throw StoreError.targetBeforeCursor }
        }
        guard target >= request.venue.first || target < 1 else { throw StoreError.historyLost }
        guard (1...request.venue.head).contains(target) else { throw StoreError.unknownRevision(target) }
        return target
    }

    /// The revision that the client holds, if it is one of this history.
    private func holding(of request: SyncRequest) async throws -> (revision: RevisionRecord, held: LevelSet)? {
        guard let holding = request.since?.holding else { return nil }
        do {
            let revision = try await self.revision(holding.revision, of: request.venue)
            guard revision.digest.prefix == holding.digestPrefix else { throw StoreError.historyLost }
            guard let held = holding.levels.set(count: revision.levels.count) else {
                throw StoreError.malformedCursor("it names other levels than the revision has")
            }
            return (revision, held)
        } catch StoreError.unknownRevision {
            throw StoreError.historyLost
        }
    }

    private func plan(
        of venue: VenueRecord, from: (revision: RevisionRecord, held: LevelSet)?, to: RevisionRecord, wanted: LevelSet
    ) async throws -> ChangeSetPlan {
        var unheld = Set(to.levels.indices.filter(wanted.contains).map { to.levels[$0].id })
        if let from {
            unheld.subtract(from.revision.levels.indices.filter(from.held.contains).map { from.revision.levels[$0].id })
        }
        var changes: [FeatureChange] = []
        if let from, from.revision.number < to.number {
            changes = try await self.changes(in: venue, from: from.revision.number, to: to.number)
        }
        var contents: [VersionSummary] = []
        if from == nil || !unheld.isEmpty {
            let filter = FeatureFilter(levels: unheld.sorted(), venueWide: from == nil)
            contents = try await self.versions(of: venue, at: to.number, where: filter)
        }
        return ChangeSetPlan(from: from, to: to, wanted: wanted, changes: changes, contents: contents)
    }

    /// The blocks of a page with their bodies, read in one statement.
    private func blocks(
        of parts: [ChangeSetPlan.Part], in venue: VenueRecord, at to: RevisionRecord
    ) async throws -> [ChangeSet.Block] {
        let bodies = try await self.bodies(of: parts.flatMap { $0.block.puts[$0.puts] }, in: venue)
        let states = try await self.levelStates(of: venue, at: to)
        let digests = Dictionary(uniqueKeysWithValues: states.map { ($0.level, $0.digest) })
        var read = 0
        return parts.map { part in
            defer { read += part.puts.count }
            return ChangeSet.Block(
                level: part.block.level, ordinal: part.block.ordinal, kind: part.block.kind,
                isContinued: part.isContinued,
                digest: part.isLast && part.block.kind != .gone ? digests[part.block.level] : nil,
                features: Array(bodies[read..<read + part.puts.count]),
                removed: Array(part.block.removals[part.removals]))
        }
    }
}

extension RevisionRecord {
    package func selected(by selection: LevelSelection) -> LevelSet {
        var set = LevelSet(count: self.levels.count)
        for (index, level) in self.levels.enumerated() where selection.includes(level: level.id, ordinal: level.ordinal)
        {
            set.insert(index)
        }
        return set
    }

    package func cursor(epoch: Int64, held: LevelSet) -> Cursor {
        Cursor(
            epoch: epoch,
            holding: .init(revision: self.number, digestPrefix: self.digest.prefix, levels: .init(held)))
    }
}
