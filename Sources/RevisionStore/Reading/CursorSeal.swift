import Crypto
package import SyncModel

/// What makes cursors those of one database: a keyed hash that all of its nodes compute alike.
package struct CursorSeal: Sendable {
    /// Has taken in the key. A copy of it costs less than the key does.
    private let keyed: HMAC<SHA256>

    package init(secret: [UInt8]) {
        self.keyed = HMAC(key: SymmetricKey(data: secret))
    }

    private func code(of content: [UInt8]) -> UInt64 {
        var keyed = self.keyed
        keyed.update(data: content)
        return keyed.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
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
    package func isOn(_ cursor: Cursor) -> Bool { self.code(of: cursor.content) == cursor.seal }

    func isOn(_ cursor: CatalogueCursor) -> Bool { self.code(of: cursor.content) == cursor.seal }
}
