package import IMDF
import Postgres
package import SyncModel

/// A synchronization request for one venue.
package struct SyncRequest: Sendable {
    package var venue: VenueRecord
    package var since: Cursor?
    /// The revision to synchronize to; nil for the newest.
    package var to: Int64?
    package var levels: LevelSelection
    /// The maximum number of features and removals on a page.
    package var limit: Int
    /// A page of the delta form has fewer bodies, because it is made in memory as a whole.
    package var form: SyncForm

    package init(
        venue: VenueRecord, since: Cursor?, to: Int64?, levels: LevelSelection, limit: Int, form: SyncForm = .plain
    ) {
        self.venue = venue
        self.since = since
        self.to = to
        self.levels = levels
        self.limit = limit
        self.form = form
    }
}

/// A page of a change set without the bodies of its features, which may be large and are sent while they are read.
package struct ChangeSetPagePlan: Sendable {
    /// Everything but the bodies.
    package private(set) var header: ChangeSet
    /// The versions whose bodies belong to each block of the header.
    package let versions: [ArraySlice<VersionSummary>]
    /// For the delta form; nil if the client holds nothing.
    package fileprivate(set) var held: HeldFeatures?

    /// The size of all bodies.
    package var bytes: Int { self.versions.reduce(0) { $0 + $1.reduce(0) { $0 + $1.bytes } } }

    /// The page with an authenticated cursor.
    package func sealed(by seal: CursorSeal) -> ChangeSetPagePlan {
        var page = self
        page.header.cursor = seal.sealed(self.header.cursor)
        return page
    }
}

extension RevisionStore {
    /// The maximum size of the bodies on a page, in bytes.
    package static let pageBytes = 8 << 20
    /// The same in the delta form.
    fileprivate static let deltaPageBytes = 1 << 20

    /// A page with its bodies, read in one statement.
    package func filled(_ page: ChangeSetPagePlan, of venue: VenueRecord) async throws -> ChangeSet {
        var bodies = try await self.bodies(of: page.versions.flatMap { $0 }, in: venue)[...]
        return page.changeSet(takingFrom: &bodies)
    }
}

extension ChangeSetPagePlan {
    /// The page with its bodies, which are the first of some.
    func changeSet(takingFrom bodies: inout ArraySlice<[UInt8]>) -> ChangeSet {
        var set = self.header
        for (index, versions) in self.versions.enumerated() {
            set.blocks[index].features = Array(bodies.prefix(versions.count))
            bodies = bodies.dropFirst(versions.count)
        }
        return set
    }
}

extension RevisionReader {
    /// The change set that a client needs, or a page of it, with all bodies.
    package func changeSet(for request: SyncRequest) async throws -> ChangeSet {
        try await self.store.filled(self.page(for: request), of: request.venue)
    }

    /// The change set that a client needs, or a page of it, without the bodies. If the revisions are cached, nothing is read.
    ///
    /// Every statement reads published revisions, which are immutable, so a publication in between changes nothing.
    package func page(for request: SyncRequest) async throws -> ChangeSetPagePlan {
        let venue = request.venue
        let target = try Self.target(of: request)
        let from = try await self.holding(of: request)
        let to = try await self.revision(target, of: venue)
        let selected = to.selected(by: request.levels)
        let page = request.since?.page
        if let page, page.selected.set(count: to.levels.count) != selected {
            throw StoreError.malformedCursor("every page of a change set asks for the same levels")
        }
        let states = try await self.levelStates(of: venue, at: to)
        let changes = try await self.changes(from: from?.revision, to: to, of: venue)
        let plan = ChangeSetPlan(from: from, to: to, selected: selected, changes: changes, states: states)
        let offset = page?.offset ?? 0
        guard offset < plan.entryCount || offset == 0 else { throw StoreError.malformedCursor("there is no such page") }
        let snapshots = try await self.versions(
            of: plan.snapshots(at: offset, limit: request.limit), in: venue, at: to, states: states)
        let (parts, next) = plan.page(
            at: offset, limit: request.limit,
            byteLimit: request.form == .delta ? RevisionStore.deltaPageBytes : RevisionStore.pageBytes,
            snapshots: snapshots)
        var cursor = to.cursor(epoch: venue.epoch, held: selected)
        if next < plan.entryCount {
            cursor = Cursor(
                epoch: venue.epoch, holding: request.since?.holding,
                page: .init(to: target, selected: .init(selected), offset: next))
        }
        let digests = Dictionary(uniqueKeysWithValues: states.map { ($0.level, $0.digest) })
        var filled = ChangeSetPagePlan(
            header: ChangeSet(
                venue: venue.key, from: from?.revision.number, to: target, digest: to.digest,
                publishedAt: to.publishedAt, about: to.about, isComplete: next >= plan.entryCount, cursor: cursor,
                blocks: parts.map { part in
                    ChangeSet.Block(
                        level: part.block.level, ordinal: part.block.ordinal, kind: part.block.kind,
                        isContinued: part.isContinued,
                        digest: part.isLast && part.block.kind != .gone ? digests[part.block.level] : nil,
                        removed: Array(part.removals))
                }),
            versions: parts.map(\.versions))
        if request.form == .delta, let from {
            filled.held = try await self.heldFeatures(
                for: filled, from: from, to: to, changes: changes.all, in: venue, states: states)
        }
        return filled
    }

    /// The cursor and the level states for a client that has to start over but may keep the levels that are unchanged.
    package func stateToStartOver(
        of venue: VenueRecord, levels: LevelSelection
    ) async throws -> (to: Int64, cursor: Cursor, levels: [LevelState]) {
        let to = try await self.revision(venue.head, of: venue)
        let set = to.selected(by: levels)
        let states = try await self.levelStates(of: venue, at: to)
        let levels = states.enumerated().filter { $0.offset == 0 || set.contains($0.offset - 1) }.map(\.element)
        return (to.number, to.cursor(epoch: venue.epoch, held: set), levels)
    }

    private static func target(of request: SyncRequest) throws -> Int64 {
        // Nothing else in a cursor of another epoch means anything.
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

    /// The revision that the client holds.
    ///
    /// - Throws: `historyLost` unless it is a revision of the current history.
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
