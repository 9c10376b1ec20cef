import SyncModel

/// Ends a download that is larger than the signed revision can be. Without a statement nothing is known about the size.
struct DownloadLimit {
    private let bytes: Int64?
    private var received: Int64 = 0
    private var removed = 0

    /// The part of a FeatureCollection that is not in its bodies: line feeds, commas, and members around the list.
    private static let overhead: Int64 = 1 << 20

    init(_ head: SignedHead?) {
        self.bytes = head?.statement.bytes
    }

    /// A change set has every feature at most once, and removes at most what is held.
    ///
    /// - Parameter held: Returns the number of held features. It is called only if more pages follow.
    /// - Throws: ``SyncError/untrusted(_:)``.
    mutating func receive(_ page: ChangeSetPage, held: () async throws -> Int) async throws {
        guard let bytes else { return }
        for block in page.blocks {
            self.received += block.bodies.reduce(0) { $0 + Int64($1.count) }
            self.removed += block.removed.count
        }
        guard self.received <= bytes else { throw Self.exceeded }
        if !page.isComplete, self.removed > 0 {
            // A feature that moves to another level is removed from one, and may be removed from the other later.
            guard try await self.removed <= 2 * held() else { throw Self.exceeded }
        }
        guard page.isComplete || page.blocks.contains(where: { !$0.bodies.isEmpty || !$0.removed.isEmpty }) else {
            throw SyncError.untrusted("a page without content that is not the last one")
        }
    }

    /// A FeatureCollection of one level.
    mutating func receive(_ block: [UInt8]) throws {
        guard let bytes else { return }
        self.received += Int64(block.count)
        guard self.received <= 2 * bytes + Self.overhead else { throw Self.exceeded }
    }

    private static var exceeded: SyncError { .untrusted("the response is larger than the signed revision") }
}
