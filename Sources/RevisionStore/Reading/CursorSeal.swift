package import SyncModel
import SystemCrypto

/// Authenticates cursors, tokens for tiles and previews, and addresses of pages with a keyed hash whose secret all nodes of a database
/// share.
package struct CursorSeal: Sendable {
    /// Initialized with the secret. A copy costs less than the initialization.
    private let initial: HMACSHA256
    /// The same with a secret derived from it, so that no cursor is a token.
    private let tiles: HMACSHA256
    /// The same for tokens of previews.
    private let previews: HMACSHA256
    /// The same for addresses of pages.
    private let pages: HMACSHA256

    package init(secret: [UInt8]) {
        func derived(for purpose: String) -> HMACSHA256 {
            HMACSHA256(key: HMACSHA256.code(of: purpose.utf8, key: secret))
        }
        self.initial = HMACSHA256(key: secret)
        (self.tiles, self.pages) = (derived(for: "tile tokens"), derived(for: "pages"))
        self.previews = derived(for: "preview tokens")
    }

    /// The code that authenticates the content of a tile token, 32 bytes.
    package func tileCode(of content: [UInt8]) -> [UInt8] {
        var hmac = self.tiles
        hmac.update(content)
        return hmac.finalize()
    }

    /// The code that authenticates the content of a preview token, 32 bytes.
    package func previewCode(of content: [UInt8]) -> [UInt8] {
        var hmac = self.previews
        hmac.update(content)
        return hmac.finalize()
    }

    /// The code in the address of a page, 32 bytes.
    package func pageCode(of content: [UInt8]) -> [UInt8] {
        var hmac = self.pages
        hmac.update(content)
        return hmac.finalize()
    }

    private func code(of content: [UInt8]) -> UInt64 {
        var hmac = self.initial
        hmac.update(content)
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
