import IMDF
package import SyncModel

/// A synchronization request for all venues.
package struct CatalogueRequest: Sendable {
    /// The current state.
    package var state: CatalogueState
    /// The venues of it that the client may read.
    package var readable: VenueSet
    package var since: CatalogueCursor?
    /// The maximum number of features and removals on a page.
    package var limit: Int

    package init(state: CatalogueState, readable: VenueSet, since: CatalogueCursor?, limit: Int) {
        self.state = state
        self.readable = readable
        self.since = since
        self.limit = limit
    }
}

/// A page of a change set over all venues without the bodies of its features; see ``ChangeSetPagePlan``.
package struct CataloguePagePlan: Sendable {
    /// Everything but the bodies.
    package let header: CatalogueChangeSet
    /// The page of each venue in the frame.
    package let venues: [(venue: VenueRecord, page: ChangeSetPagePlan)]

    /// The size of all bodies.
    package var bytes: Int { self.venues.reduce(0) { $0 + $1.page.bytes } }
}

extension RevisionReader {
    /// The number of venues whose revisions are looked up in one statement at most. Each takes room for one item on the page at least.
    private static let venueBatch = 500

    /// The change set over all venues that a client needs, or a page of it, without the bodies.
    ///
    /// Every page leads to the position that the first one named. Permissions are checked for every page: a venue that was
    /// withdrawn in between is not sent any further, and the page reports that it is gone.
    ///
    /// Nothing is read if nothing was published since and the readable venues are the same.
    ///
    /// - Parameter reader: Reads the content of a venue. This reader finds out which revisions it had, and whether they still exist.
    /// - Throws: `historyLost` for a cursor of another catalogue, or one that was tampered with; `historyChanged` if a readable
    ///   venue was published and pruned in between, so that `request` is outdated.
    package func page(
        for request: CatalogueRequest, from reader: (VenueRecord) -> RevisionReader
    ) async throws -> CataloguePagePlan {
        if let since = request.since { try await self.check(since, in: request.state) }
        var page = CataloguePageDraft(request)
        try await self.fill(&page, from: reader)
        // Revisions are immutable, but may be pruned or deleted while they are read. Then what was read is incomplete.
        let missing = try await self.store.missing(of: page.venues.flatMap(\.revisions))
        let result = page.result(missing: missing)
        guard !page.isOutdated else { throw StoreError.historyChanged }
        return result
    }

    private func check(_ cursor: CatalogueCursor, in state: CatalogueState) async throws {
        guard state.seal.isValid(on: cursor) else { throw StoreError.historyLost }
        for checkpoint in [cursor.holding?.checkpoint, cursor.page?.to].compactMap({ $0 })
        where checkpoint != state.checkpoint {
            guard checkpoint.position < state.checkpoint.position, try await self.store.contains(checkpoint) else {
                throw StoreError.historyLost
            }
        }
    }

    private func fill(_ page: inout CataloguePageDraft, from reader: (VenueRecord) -> RevisionReader) async throws {
        var published = VenueSet()
        if let from = page.holding?.checkpoint.position, from < page.to.position, !page.kept.isEmpty {
            published = try await self.venuesPublished(after: from, upTo: page.to.position)
        }
        var remaining = page.pending(published: published)[...]
        while !remaining.isEmpty {
            let batch = remaining.prefix(max(1, min(Self.venueBatch, page.room)))
            remaining = remaining.dropFirst(batch.count)
            let revisions = try await self.store.revisions(
                of: batch.map(\.venue), at: page.holding?.checkpoint.position, and: page.to.position)
            let ranges = zip(batch, revisions).map { pending, revisions in
                revisions.after.map { after in
                    VenueRange(
                        venue: pending.venue, from: page.holds(pending.index) ? revisions.before?.revision : nil,
                        to: after.revision, features: after.features)
                }
            }
            var loaded = 0
            for (index, (pending, (before, after))) in zip(batch, revisions).enumerated() {
                guard page.hasRoom else { return page.end(before: pending.index) }
                if index == loaded {
                    loaded += try await Self.preload(ranges[index...], items: page.room, from: reader)
                }
                let from = page.holds(pending.index) ? before : nil
                try await reader(pending.venue).add(pending, from: from, to: after, to: &page)
                if page.isEnded { return }
            }
        }
    }

    /// Adds the changes of a venue to the page, as far as there is room.
    private func add(
        _ pending: CataloguePageDraft.Pending, from: RevisionStore.RevisionIdentity?,
        to target: RevisionStore.RevisionIdentity?, to page: inout CataloguePageDraft
    ) async throws {
        let sent = page.sent(of: pending.index)
        // A venue whose first part was a snapshot continues as a snapshot.
        let from = sent != nil && sent?.from == nil ? nil : from
        // Otherwise the venue was deleted or pruned since the first page, and perhaps recreated.
        guard let target, sent.map({ $0.from == from?.revision && $0.to == target.revision }) ?? true else {
            return page.withdraw(VenueSet([pending.index]))
        }
        do {
            let offset = sent?.offset ?? 0
            var part = try await self.part(of: pending.venue, from: from, to: target, at: offset, limit: page.room)
            let fitting = page.fitting(part)
            if fitting < part.items {
                guard fitting > 0 else { return page.end(before: pending.index, sent: sent) }
                part = try await self.part(of: pending.venue, from: from, to: target, at: offset, limit: fitting)
            }
            page.add(part, of: pending, from: from, to: target)
        } catch is StoreError {
            guard from != nil, sent == nil else { return page.withdraw(VenueSet([pending.index])) }
            // The revision that the client holds cannot be continued, so it gets a snapshot.
            try await self.add(pending, from: nil, to: target, to: &page)
        }
    }

    /// The changes of one venue, from an item on.
    private func part(
        of venue: VenueRecord, from: RevisionStore.RevisionIdentity?, to target: RevisionStore.RevisionIdentity,
        at offset: Int, limit: Int
    ) async throws -> ChangeSetPagePlan {
        let cursor = Cursor(
            epoch: venue.epoch,
            holding: from.map { .init(revision: $0.revision, digestPrefix: $0.digest.prefix, levels: .all) },
            page: .init(to: target.revision, selected: .all, offset: offset))
        return try await self.page(
            for: SyncRequest(venue: venue, since: cursor, to: nil, levels: .everything, limit: limit))
    }
}

extension CataloguePagePlan {
    /// The page with its bodies, which are read in one statement on each server.
    ///
    /// - Throws: `historyChanged` if some of them were deleted in between.
    package func filled(from reader: (VenueRecord) -> RevisionStore) async throws -> CatalogueChangeSet {
        var set = self.header
        let stores = self.venues.map { reader($0.venue) }
        let servers = Dictionary(grouping: self.venues.indices) { ObjectIdentifier(stores[$0].pool) }
        for indices in servers.values {
            guard let store = indices.first.map({ stores[$0] }) else { continue }
            let parts = indices.map {
                (venue: self.venues[$0].venue, versions: self.venues[$0].page.versions.flatMap { $0 })
            }
            var bodies = try await store.bodies(of: parts)[...]
            for index in indices { set.venues[index] = .init(self.venues[index].page.changeSet(takingFrom: &bodies)) }
        }
        return set
    }
}
