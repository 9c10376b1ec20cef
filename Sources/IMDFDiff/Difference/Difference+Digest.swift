package import IMDF

extension Difference {
    /// A digest that is equal only for differences that make the same changes to the same features.
    ///
    /// A server uses it to check that it publishes the difference that was shown to a person, even if other revisions were
    /// published in between. It includes the state of the features before the change. Otherwise an unseen change could be undone.
    ///
    /// - Parameters:
    ///   - stored: the state before, sorted by id.
    ///   - manifest: the contents before and after, if they differ.
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

    /// Texts with their lengths, because the name of a type may contain any character.
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
