/// Keeps the archives of uploads outside of the database, as objects. The database has the names of all objects that may exist, so a
/// store needs no list of them.
package protocol ArchiveStore: Sendable {
    /// Begins to write an object that does not exist yet.
    func write(_ name: ArchiveName) async throws -> any ObjectWriter

    /// Passes an object to a closure in chunks of bounded size.
    ///
    /// - Throws: ``ArchiveStoreError``.
    func read(_ name: ArchiveName, _ chunk: ([UInt8]) throws -> Void) async throws

    /// Deletes an object, or what was written of it. Succeeds if there is nothing.
    ///
    /// - Parameter isComplete: False if the object may have been written in part.
    func delete(_ name: ArchiveName, isComplete: Bool) async throws
}

/// Writes one object. It holds a bounded part of it in memory.
package protocol ObjectWriter: Sendable {
    mutating func append(_ bytes: [UInt8]) async throws

    /// When this returns, the object is stored permanently. Otherwise it may exist in part, or not at all.
    mutating func finish() async throws
}

/// The name of an object: a random UUID, so that no name is used twice.
package struct ArchiveName: Hashable, Sendable, CustomStringConvertible {
    /// 32 hexadecimal digits.
    package let description: String

    package init?(_ text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.description = text
    }

    private init(high: UInt64, low: UInt64) {
        self.description = [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    package static func random() -> ArchiveName {
        ArchiveName(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }

    /// The path of the object in a store: folders of a moderate size.
    package var path: String { "\(self.description.prefix(2))/\(self.description).zip" }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}

/// Why a store did not do what was asked of it. Nothing that was stored is lost by any of these.
package enum ArchiveStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The store cannot be reached, refuses the request, or is full: the same request may succeed later, perhaps after an operator has
    /// changed something.
    case unavailable(String)
    /// The archive is in a store, and this process has none.
    case notConfigured
    /// The store does not have the object.
    case missing(ArchiveName)
    /// The object is not what was stored.
    case damaged(ArchiveName)

    package var description: String {
        switch self {
        case .unavailable(let reason): "the archive store cannot be used: \(reason)"
        case .notConfigured: "the archive is in an archive store, and VENUE_ARCHIVES is not set for this process"
        case .missing(let name): "the archive store does not have “\(name.path)”; was VENUE_ARCHIVES changed?"
        case .damaged(let name): "“\(name.path)” in the archive store differs from what was uploaded"
        }
    }

    /// Whether the same request may succeed later.
    package var isRetryable: Bool {
        switch self {
        case .unavailable, .notConfigured: true
        case .missing, .damaged: false
        }
    }
}
