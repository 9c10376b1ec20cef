package import IMDF

extension Difference {
    /// A digest that two differences share only when they do the same to the same features.
    ///
    /// It is how a server knows that what is about to be published is what somebody was shown, although other revisions were
    /// published meanwhile. What a feature says before the change is part of it: else a change that nobody saw could be undone.
    ///
    /// - Parameters:
    ///   - stored: The state that the difference starts from, sorted by id.
    ///   - manifest: Its content before and after, where that differs.
    /// - Complexity: O(*n*) in the number of stored features and changes.
    package func digest(over stored: [StoredFeature], manifest: (before: [UInt8]?, after: [UInt8]?)?) -> Digest {
        var lines = Lines()
        var (stored, versions) = (stored[...], self.versions[...])
        for change in self.changes {
            stored = stored.drop { $0.id < change.id }  // all are sorted by id
            versions = versions.drop { $0.id < change.id }
            lines.add(change.id.description, change.kind.rawValue, change.type.rawValue)
            lines.add(change.levelBefore?.description ?? "-", change.levelAfter?.description ?? "-")
            lines.add(change.classes.names.joined(separator: ","))
            lines.add(stored.first.flatMap { $0.id == change.id ? $0.bodyDigest.hex : nil } ?? "-")
            lines.add(versions.first.flatMap { $0.id == change.id ? $0.bodyDigest.hex : nil } ?? "-")
        }
        if let manifest {
            lines.add("manifest", manifest.before.map { Digest(of: $0).hex } ?? "-")
            lines.add(manifest.after.map { Digest(of: $0).hex } ?? "-")
        }
        return Digest(of: lines.bytes)
    }

    /// Every text with its length before it: the name of a type may hold anything.
    private struct Lines {
        private(set) var bytes: [UInt8] = []

        mutating func add(_ texts: String...) {
            for text in texts {
                self.bytes += "\(text.utf8.count) ".utf8
                self.bytes += text.utf8
                self.bytes.append(UInt8(ascii: "\n"))
            }
        }
    }
}
