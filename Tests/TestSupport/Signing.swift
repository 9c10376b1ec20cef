import Foundation
import Postgres
package import RevisionStore

extension SigningKeys {
    /// So many new keys, the first of which signs.
    package static func random(_ count: Int = 1) throws -> SigningKeys {
        var keys = SigningKeys()
        for _ in 0..<count { _ = try keys.create(at: Date(timeIntervalSince1970: 1_775_034_000)) }
        return keys
    }

    /// The keys after the first one was retired.
    package func rotated(isCompromised: Bool = false) throws -> SigningKeys {
        var keys = self
        try keys.retire(
            self.keys[0].id, isCompromised: isCompromised, at: Date(timeIntervalSince1970: 1_775_120_400))
        return keys
    }
}

extension TestDatabase {
    /// The store, which signs what it publishes.
    package func store(signing keys: SigningKeys) -> RevisionStore { RevisionStore(pool: self.pool, signing: keys) }
}
