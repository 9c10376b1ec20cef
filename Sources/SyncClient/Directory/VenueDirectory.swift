import Foundation
public import SyncModel

/// The venues that a server offers, for a list in which the user chooses one.
///
///     let directory = VenueDirectory(server: try ServerAddress(url, key: key))
///     for venue in try await directory.venues() { list.append(venue.name?.text() ?? venue.venue.description) }
public struct VenueDirectory: Sendable {
    private let exchange: Exchange

    /// - Parameter server: Its key decides which venues are listed. A list needs a key, even for public venues.
    public init(
        server: ServerAddress, transport: any SyncTransport = URLSessionTransport(), policy: RetryPolicy = RetryPolicy()
    ) {
        self.exchange = Exchange(server: server, transport: transport, policy: policy)
    }

    /// A part of the list.
    public struct Page: Sendable {
        /// By key.
        public let venues: [VenueSummary]
        /// The path of the next page; nil on the last one.
        let next: String?

        public var isLast: Bool { self.next == nil }
    }

    /// All venues with a revision that the key may read, by key.
    ///
    /// - Throws: ``SyncError``, or `CancellationError`.
    /// - Complexity: One request for each 1,000 venues or 8 MiB; a failed one is repeated, see ``RetryPolicy/attempts``.
    public func venues() async throws -> [VenueSummary] {
        var page: Page?
        var venues: [VenueSummary] = []
        repeat {
            let last = page
            let next = try await self.exchange.retrying(self.exchange.policy.attempts) {
                try await self.page(after: last)
            }
            venues += next.venues
            page = next
        } while page?.isLast == false
        return venues
    }

    /// One page of the list, for a list that is loaded while the user scrolls.
    ///
    /// - Parameters:
    ///   - page: The page before; nil for the first one.
    ///   - size: The number of venues on the first page and those after it, at most 10,000. A page has at most 8 MiB.
    /// - Throws: ``SyncError``, or `CancellationError`. After the last page, the result is empty.
    public func page(after page: Page? = nil, size: Int = 1000) async throws -> Page {
        guard let path = page.map(\.next) ?? "/venues?limit=\(max(1, size))" else { return Page(venues: [], next: nil) }
        let list = try await self.exchange.value(List.self, path)
        guard list.next == nil || (list.next != path && !list.venues.isEmpty) else {
            throw SyncError.contradiction("a repeated page")
        }
        return Page(venues: list.venues.map { VenueSummary($0) }, next: list.next)
    }

    /// One venue.
    ///
    /// - Throws: ``SyncError``, or `CancellationError`.
    public func venue(_ key: VenueKey) async throws -> VenueSummary {
        VenueSummary(try await self.exchange.value(Venue.self, "/venues/\(key)"))
    }

    private struct List: Decodable {
        let venues: [Venue]
        let next: String?
    }
}

extension Exchange {
    /// A document of the server.
    ///
    /// - Throws: ``SyncError/malformed(_:)`` if it is anything else.
    func value<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
        let bytes: [UInt8]
        do {
            bytes = try await self.bytes(path)
        } catch is LostHistory {
            throw SyncError.venueGone
        }
        guard let value = try? WireJSON.value(type, from: Data(bytes)) else {
            throw SyncError.malformed("not the expected document")
        }
        return value
    }
}
