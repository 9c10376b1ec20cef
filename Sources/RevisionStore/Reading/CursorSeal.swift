import Crypto
package import SyncModel

/// Authenticates cursors with a keyed hash whose secret all nodes of a database share.
package struct CursorSeal: Sendable {
    /// Initialized with the secret. A copy costs less than the initialization.
    private let initial: HMAC<SHA256>

    package init(secret: [UInt8]) {
        self.initial = HMAC(key: SymmetricKey(data: secret))
    }

    private func code(of content: [UInt8]) -> UInt64 {
        var hmac = self.initial
        hmac.update(data: content)
        return hmac.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package func sealed(_ cursor: Cursor) -> Cursor {
        var cursor = cursor
        cursor.seal = self.code(of: cursor.content)
        return cursor
    }

    package func sealed(_ cursor: CatalogueCursor) -> CatalogueCursor {
        var cursor = cursor
        cursor.seal = self.code(of: cursor.content)
        return cursor
    }

    /// Whether a cursor was issued by this database.
    package func isValid(on cursor: Cursor) -> Bool { self.code(of: cursor.content) == cursor.seal }

    func isValid(on cursor: CatalogueCursor) -> Bool { self.code(of: cursor.content) == cursor.seal }
}
