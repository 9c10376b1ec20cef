import IMDF
import SyncModel

/// A change set as HTTP needs it, of one venue or of all that a key may read.
protocol SyncResult {
    /// Whether the client's state changes by it, and not only its cursor.
    var hasChanges: Bool { get }
    /// Everything that the body depends on: equal identities at one address have equal bodies.
    var identity: String { get }
}

extension SyncResult {
    var tag: String { String(Digest(of: self.identity.utf8).hex.prefix(24)) }

    /// How long a cache may keep the response. Without changes it is soon outdated; with changes it stays right for every client
    /// that holds the same cursor.
    var freshness: String { self.hasChanges ? "max-age=60" : "max-age=2, stale-while-revalidate=60" }
}

extension ChangeSet: SyncResult {
    var hasChanges: Bool { !self.isComplete || !self.blocks.isEmpty }

    var identity: String { "\(self.cursor) \(self.to) \(self.about.identity)" }
}

extension CatalogueChangeSet: SyncResult {
    var hasChanges: Bool { !self.isComplete || !self.venues.isEmpty || !self.gone.isEmpty }

    var identity: String {
        let venues = self.venues.map { "\($0.venue) \($0.from ?? 0) \($0.to) \($0.isComplete) \($0.about.identity)" }
        return (["\(self.cursor) \(self.to)"] + venues + [""] + self.gone.map(\.description)).joined(separator: "\n")
    }
}

extension ChangeSet.About {
    fileprivate var identity: String {
        let wayfinding = self.wayfinding.map { String(decoding: CanonicalJSON.data($0), as: UTF8.self) }
        return [self.language, self.timeZone, self.country, wayfinding].map { $0 ?? "" }.joined(separator: " ")
    }
}
