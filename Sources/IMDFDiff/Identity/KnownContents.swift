import IMDF

/// The content digests of the features of a venue, which are kept between its imports. With them, an archive with new ids is compared
/// without reading a body from the store.
package struct KnownContents: Sendable {
    /// By id.
    private let entries: [Entry]

    private struct Entry: Sendable {
        /// The digest of the body of which this is the content.
        let body: Digest
        let content: ContentDigest

        func describes(_ feature: StoredFeature) -> Bool {
            self.content.id == feature.id && self.body == feature.bodyDigest
        }
    }

    package static let none = KnownContents(entries: [])

    private init(entries: [Entry]) { self.entries = entries }

    /// - Parameters:
    ///   - published: the features of a revision, by id.
    ///   - imported: the features of the archive that led to it, by id. Its body is missing where the store keeps another one.
    ///   - previous: what was known before. What still holds is not computed again.
    package init(
        of published: [StoredFeature], imported: [ArchiveFeature], reusing previous: KnownContents
    ) async {
        let known = Set(published.lazy.map(\.id))
        self.entries = await onTwoCores(published.count) { half in
            Self.entries(of: published[half], imported, previous, known)
        }
    }

    private static func entries(
        of published: ArraySlice<StoredFeature>, _ imported: [ArchiveFeature], _ previous: KnownContents,
        _ known: Set<FeatureID>
    ) -> [Entry] {
        var (imported, previous) = (imported[...], previous.entries[...])
        return published.compactMap { feature in
            imported = imported.drop { $0.feature.id < feature.id }
            previous = previous.drop { $0.content.id < feature.id }
            if let entry = previous.first, entry.describes(feature), entry.content.holds({ known.contains($0) }) {
                return entry
            }
            guard let source = imported.first, source.feature.id == feature.id, source.bodyDigest == feature.bodyDigest
            else { return nil }
            return Entry(
                body: feature.bodyDigest,
                content: ContentDigest(id: feature.id, type: feature.type, body: source.feature.body) {
                    known.contains($0)
                })
        }
    }

    /// The digests of features with the same bodies as when they were computed, by id.
    ///
    /// - Parameter features: by id.
    func digests(
        of features: some Sequence<StoredFeature>, _ isKnown: (FeatureID) -> Bool
    ) -> [ContentDigest] {
        var entries = self.entries[...]
        return features.compactMap { feature in
            entries = entries.drop { $0.content.id < feature.id }
            return entries.first.flatMap { $0.describes(feature) && $0.content.holds(isKnown) ? $0.content : nil }
        }
    }

    /// The memory that they take, approximately, in bytes.
    package var size: Int {
        self.entries.reduce(0) { size, entry in
            size + MemoryLayout<Entry>.stride + 32 + MemoryLayout<ContentDigest.Link>.stride * entry.content.links.count
                + (entry.content.unresolved.isEmpty ? 0 : 32 + 16 * entry.content.unresolved.count)
        }
    }
}
