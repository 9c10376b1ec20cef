import IMDF
import SyncModel

/// What the service has acknowledged and shown to clients.
actor Ledger {
    /// Uploads that were acknowledged.
    private(set) var uploads: [String] = []
    /// Digests of revisions, from responses to rollbacks and from change sets.
    private(set) var revisions: [RevisionName: Digest] = [:]
    /// Edits that were acknowledged, with their outcomes.
    private(set) var edits: [AcknowledgedEdit: String] = [:]
    private(set) var kills: [String: Int] = [:]
    private(set) var listeners: [Listener] = []
    private(set) var catalogues: [CatalogueFollower] = []

    struct RevisionName: Hashable {
        let venue: String
        let number: Int64
    }

    struct Contradiction: Error {
        let revision: RevisionName
    }

    func received(_ upload: String) { self.uploads.append(upload) }

    /// - Throws: `Contradiction` when another digest was reported for the same revision.
    func reported(_ digest: Digest, of number: Int64, in venue: String) throws {
        let revision = RevisionName(venue: venue, number: number)
        guard self.revisions.updateValue(digest, forKey: revision) ?? digest == digest else {
            throw Contradiction(revision: revision)
        }
    }

    func record(_ edit: AcknowledgedEdit, outcome: String) { self.edits[edit] = outcome }

    func killed(_ what: String) { self.kills[what, default: 0] += 1 }

    func record(_ listener: Listener) { self.listeners.append(listener) }

    func record(_ catalogue: CatalogueFollower) { self.catalogues.append(catalogue) }
}
