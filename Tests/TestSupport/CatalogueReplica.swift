import HTTPTypes
package import IMDF
package import SyncModel

/// The contents of a client of `GET /sync`, maintained only by the steps of the protocol.
package struct CatalogueReplica: Sendable {
    package struct Held: Sendable {
        package var replica = Replica()
        package var revision: Int64 = 0
        package var digest: Digest?
    }

    package var venues: [VenueKey: Held] = [:]
    package var cursor: CatalogueCursor?

    package init() {}

    package enum Contradiction: Error {
        /// The changes of the venue began and did not end.
        case unfinished(VenueKey)
        /// The changes of the venue start at a revision that the client does not hold, or their parts do not agree.
        case wrongStart(VenueKey)
    }

    /// Applies all pages of one change set.
    package mutating func apply(_ pages: [CatalogueChangeSet]) throws {
        guard let last = pages.last, last.isComplete else { return }
        // 1. Remove venues that are gone, including earlier changes of them.
        let gone = Set(pages.flatMap(\.gone))
        for venue in gone { self.venues[venue] = nil }
        // 2. Apply the joined parts of each other venue, to an empty replica when they start from nothing.
        for (venue, parts) in Dictionary(grouping: pages.flatMap(\.venues), by: \.venue) where !gone.contains(venue) {
            guard let end = parts.last, end.isComplete else { throw Contradiction.unfinished(venue) }
            var held = end.from == nil ? Held() : self.venues[venue] ?? Held()
            guard parts.allSatisfy({ $0.from == end.from && $0.to == end.to }), held.revision == end.from ?? 0 else {
                throw Contradiction.wrongStart(venue)
            }
            try held.replica.apply(parts.flatMap(\.blocks))
            (held.revision, held.digest) = (end.to, end.digest)
            self.venues[venue] = held
        }
        // 3. Keep the cursor.
        self.cursor = last.cursor
    }

    /// The held features by venue.
    package var bodies: [VenueKey: [FeatureID: [UInt8]]] {
        self.venues.mapValues { $0.replica.features.mapValues(\.body) }
    }
}

extension Harness {
    /// One response of `GET /sync`, which has to succeed.
    package func catalogue(
        since cursor: CatalogueCursor? = nil, limit: Int? = nil, key: String? = Self.adminKey
    ) async throws -> CatalogueChangeSet {
        let query = [cursor.map { "since=\($0)" }, limit.map { "limit=\($0)" }].compactMap { $0 }
        let response = try await self.send(.get, "/sync?\(query.joined(separator: "&"))", key: key)
        guard response.status == .ok else { throw Refusal(status: response.status.code, body: response.text) }
        return try CatalogueChangeSet(json: Array(response.data))
    }

    /// All pages of the changes of all venues since a cursor.
    package func cataloguePages(
        since cursor: CatalogueCursor? = nil, limit: Int? = nil, key: String? = Self.adminKey
    ) async throws -> [CatalogueChangeSet] {
        var pages = [try await self.catalogue(since: cursor, limit: limit, key: key)]
        while let last = pages.last, !last.isComplete {
            pages.append(try await self.catalogue(since: last.cursor, limit: limit, key: key))
        }
        return pages
    }
}
