import Postgres

/// What a node keeps in mind of venues and keys, or what of it is new.
package struct News: Sendable {
    /// Everything up to this number is known now.
    package let number: Int64
    /// The number of the last change of a key.
    package let ofKeys: Int64
    /// Of the newest revision among those of all venues.
    package let position: Int64
    /// What the catalogue's chain is at that position, and what seals the cursors over all venues.
    let chain: [UInt8]
    let secret: [UInt8]
    package let venues: [Change]
    /// Of the files that the tables are in: others when a table was made anew, or emptied.
    package let files: String
    /// Of all venues and of all keys, as far as a node keeps them; nil unless asked for.
    package let checksums: Checksums?

    /// A venue as it is now.
    package struct Change: Sendable {
        package let venue: VenueRecord
        package let isDeleted: Bool
        /// Of what a node keeps of it.
        package let checksum: Int64
    }

    package struct Checksums: Sendable, Hashable {
        /// Checksums of rows, combined by exclusive or: in any order, and one row can be taken out again.
        package var venues: Int64
        package var keys: Int64

        package init(venues: Int64, keys: Int64) {
            self.venues = venues
            self.keys = keys
        }
    }

    /// Whether these are the news of a history whose news were known up to `number`; -1 when none were known.
    ///
    /// They are not when the numbers go back, as those of an older copy of the database do, nor when they leapt: who finds out
    /// that the database is another copy leaves the numbers of the other history far behind.
    package func goesOn(from number: Int64) -> Bool {
        number < 0 || (number <= self.number && number / Self.leap == self.number / Self.leap)
    }

    /// So many news no history has.
    static let leap: Int64 = 1 << 32
}

/// A wake-up: look. The connection for them was made, again perhaps, or somebody told of something.
package struct WakeUps: AsyncSequence, Sendable {
    package enum Element: Sendable {
        case connected, told
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: Listener.Iterator

        package mutating func next() async -> Element? {
            switch await self.events.next() {
            case nil: nil
            case .connected: .connected
            case .notification: .told
            }
        }
    }

    let listener: Listener

    package func makeAsyncIterator() -> Iterator { Iterator(events: self.listener.makeAsyncIterator()) }
}

extension RevisionStore {
    /// The number of the last news that can be seen here; a replica may show fewer than the primary has.
    package func newsNumber() async throws -> Int64 {
        try await self.pool.query("SELECT change_number FROM catalogue").decode(Int64.self).first ?? -1
    }

    /// Numbers a change of a venue and wakes those who listen. The last statement of its transaction but for COMMIT: the venue's
    /// row is locked by now, and the catalogue's, for which every publication waits, is locked here.
    static func tellNews(of venue: Int64, on connection: Connection) async throws {
        _ = try await connection.pipeline([
            """
            WITH catalogue AS (UPDATE catalogue SET change_number = change_number + 1 RETURNING change_number)
            UPDATE venue SET change_number = catalogue.change_number FROM catalogue WHERE id = \(venue)
            """,
            "SELECT pg_notify(\(Channel.change), '')::text",
        ])
    }

    /// The same for a change of a key.
    static func tellNewsOfKeys(on connection: Connection) async throws {
        _ = try await connection.pipeline([
            "UPDATE catalogue SET change_number = change_number + 1, key_change_number = change_number + 1",
            "SELECT pg_notify(\(Channel.change), '')::text",
        ])
    }
}
