import IMDF
package import SyncModel

/// What a client asks of all venues.
package struct CatalogueRequest: Sendable {
    /// As it is now.
    package var state: CatalogueState
    /// Venues of it that the client may read.
    package var readable: VenueSet
    package var since: CatalogueCursor?
    /// Features and removals on a page.
    package var limit: Int

    package init(state: CatalogueState, readable: VenueSet, since: CatalogueCursor?, limit: Int) {
        self.state = state
        self.readable = readable
        self.since = since
        self.limit = limit
    }
}

/// A page of a change set over venues whose bodies are still to be read; see ``ChangeSetPage``.
package struct CatalogueChangeSetPage: Sendable {
    /// Everything but the bodies.
    package let frame: CatalogueChangeSet
    /// What each venue of the frame puts.
    package let shares: [(venue: VenueRecord, page: ChangeSetPage)]

    /// Of all bodies.
    package var bytes: Int { self.shares.reduce(0) { $0 + $1.page.bytes } }
}

extension RevisionStore {
    /// Venues whose revisions are looked up in one statement.
    private static let venuesAtOnce = 100

    /// The change set over all venues, or the page of it, that a client needs, without its bodies.
    ///
    /// Every page leads to the position that the first one named. What may be read is asked anew at every page: of a venue that was
    /// withdrawn meanwhile no byte more is sent, and the page tells that it is gone.
    ///
    /// Nothing is read when nothing was published since and the same may be read.
    ///
    /// - Parameter reader: Where to read what a venue is. What it was when, and whether it still is, is asked here.
    /// - Throws: `historyLost` for a cursor that is not one of this catalogue's, or that was tampered with; `historyChanged` when
    ///   a venue that can be read was published and pruned meanwhile, so that there is more to know than `request` says.
    package func page(
        for request: CatalogueRequest, from reader: (VenueRecord) -> RevisionStore
    ) async throws -> CatalogueChangeSetPage {
        if let since = request.since { try await self.check(since, in: request.state) }
        var page = CataloguePage(request)
        try await self.fill(&page, from: reader)
        // Revisions stand still, but they may go, with their features, while they are read: then what was read is worth nothing.
        let answer = page.answer(lost: try await self.lost(of: page.shares.flatMap(\.moments)))
        guard !page.isOvertaken else { throw StoreError.historyChanged }
        return answer
    }

    /// A page with its bodies.
    ///
    /// - Throws: `historyChanged` when some of them went meanwhile.
    package func filled(
        _ page: CatalogueChangeSetPage, from reader: (VenueRecord) -> RevisionStore
    ) async throws -> CatalogueChangeSet {
        var set = page.frame
        for (index, share) in page.shares.enumerated() {
            do {
                set.venues[index] = .init(try await reader(share.venue).filled(share.page, of: share.venue))
            } catch is StoreError {
                throw StoreError.historyChanged
            }
        }
        return set
    }

    private func check(_ cursor: CatalogueCursor, in state: CatalogueState) async throws {
        guard state.seal.isOn(cursor) else { throw StoreError.historyLost }
        for mark in [cursor.holding?.mark, cursor.page?.to].compactMap({ $0 }) where mark != state.mark {
            guard mark.position < state.mark.position, try await self.hasMark(mark) else {
                throw StoreError.historyLost
            }
        }
    }

    private func fill(_ page: inout CataloguePage, from reader: (VenueRecord) -> RevisionStore) async throws {
        var published = VenueSet()
        if let from = page.holding?.mark.position, from < page.to.position, !page.kept.isEmpty {
            published = try await self.venuesPublished(after: from, upTo: page.to.position)
        }
        var rest = page.pending(published: published)[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.venuesAtOnce)
            rest = rest.dropFirst(batch.count)
            let moments = try await self.moments(
                of: batch.map(\.venue), at: page.holding?.mark.position, and: page.to.position)
            for (pending, (then, now)) in zip(batch, moments) {
                guard page.hasRoom else { return page.end(before: pending.place) }
                let from = page.holds(pending.place) ? then : nil
                try await reader(pending.venue).tell(of: pending, from: from, to: now, on: &page)
                if page.isEnded { return }
            }
        }
    }

    /// Puts what is new of a venue on the page, as far as there is room.
    private func tell(
        of pending: CataloguePage.Pending, from: Moment?, to: Moment?, on page: inout CataloguePage
    ) async throws {
        let sent = page.sent(of: pending.place)
        // What began as everything goes on as that.
        let from = sent != nil && sent?.from == nil ? nil : from
        // The venue was deleted or pruned since the first page, and perhaps made again.
        guard let to, sent.map({ $0.from == from?.revision && $0.to == to.revision }) ?? true else {
            return page.lose(VenueSet([pending.place]))
        }
        do {
            let offset = sent?.offset ?? 0
            var part = try await self.part(of: pending.venue, from: from, to: to, at: offset, limit: page.room)
            let fitting = page.fitting(part)
            if fitting < part.items {
                guard fitting > 0 else { return page.end(before: pending.place, sent: sent) }
                part = try await self.part(of: pending.venue, from: from, to: to, at: offset, limit: fitting)
            }
            page.add(part, of: pending, from: from, to: to)
        } catch is StoreError {
            guard from != nil, sent == nil else { return page.lose(VenueSet([pending.place])) }
            // What the client holds cannot be continued any more: then it gets everything.
            try await self.tell(of: pending, from: nil, to: to, on: &page)
        }
    }

    /// What is new of one venue, from an item on.
    private func part(
        of venue: VenueRecord, from: Moment?, to: Moment, at offset: Int, limit: Int
    ) async throws -> ChangeSetPage {
        let cursor = Cursor(
            epoch: venue.epoch,
            holding: from.map { .init(revision: $0.revision, digestPrefix: $0.digest.prefix, levels: .all) },
            page: .init(to: to.revision, wanted: .all, offset: offset))
        return try await self.page(
            for: SyncRequest(venue: venue, since: cursor, to: nil, wanted: .everything, limit: limit))
    }
}
