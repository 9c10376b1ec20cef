import IMDF
import SyncModel

/// A change set as HTTP has to know it, whether of one venue or of all that a key may read.
protocol SyncReply {
    /// Whether the client's state changes by it, and not only its cursor.
    var isNews: Bool { get }
    /// All that the answer depends on: equal names, equal answers to one address.
    var name: String { get }
}

extension SyncReply {
    var tag: String { String(Digest(of: self.name.utf8).hex.prefix(24)) }

    /// How long the answer may be kept: one without news is asked for again soon, one with news stays right for whoever holds the
    /// same.
    var freshness: String { self.isNews ? "max-age=60" : "max-age=2, stale-while-revalidate=60" }
}

extension ChangeSet: SyncReply {
    var isNews: Bool { !self.isComplete || !self.blocks.isEmpty }

    var name: String { "\(self.cursor) \(self.to) \(self.about.name)" }
}

extension CatalogueChangeSet: SyncReply {
    var isNews: Bool { !self.isComplete || !self.venues.isEmpty || !self.gone.isEmpty }

    var name: String {
        let venues = self.venues.map { "\($0.venue) \($0.from ?? 0) \($0.to) \($0.isComplete) \($0.about.name)" }
        return (["\(self.cursor) \(self.to)"] + venues + [""] + self.gone.map(\.description)).joined(separator: "\n")
    }
}

extension ChangeSet.About {
    fileprivate var name: String {
        [self.language, self.timeZone, self.country].map { $0 ?? "" }.joined(separator: " ")
    }
}
