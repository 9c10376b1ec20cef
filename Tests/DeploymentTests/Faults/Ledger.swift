import IMDF
import SyncModel

/// What the service has promised, and what it has shown.
actor Ledger {
    /// Uploads whose receipt came.
    private(set) var uploads: [String] = []
    /// Revisions that somebody was told of: by the answer to a rollback, or by a change set.
    private(set) var revisions: [Told: Digest] = [:]
    private(set) var kills: [String: Int] = [:]
    private(set) var listeners: [Listener] = []
    private(set) var catalogues: [CatalogueFollower] = []

    struct Told: Hashable {
        let venue: String
        let number: Int64
    }

    struct Contradiction: Error {
        let told: Told
    }

    func received(_ upload: String) { self.uploads.append(upload) }

    /// - Throws: When somebody else was told something else of the same revision.
    func told(_ digest: Digest, of number: Int64, in venue: String) throws {
        let told = Told(venue: venue, number: number)
        guard self.revisions.updateValue(digest, forKey: told) ?? digest == digest else {
            throw Contradiction(told: told)
        }
    }

    func killed(_ what: String) { self.kills[what, default: 0] += 1 }

    func heard(_ listener: Listener) { self.listeners.append(listener) }

    func held(_ catalogue: CatalogueFollower) { self.catalogues.append(catalogue) }
}
