import IMDF
import IMDFDiff
package import RevisionStore

/// The versions of a first revision, each of which is made when it is written.
package struct FirstVersions: Sequence, Sendable {
    /// By id.
    let features: [ArchiveFeature]
    /// Of the levels that have one.
    let ordinals: [FeatureID: Int]

    package var underestimatedCount: Int { self.features.count }

    package func makeIterator() -> some IteratorProtocol<Publication.Version> {
        self.features.lazy.map { [ordinals = self.ordinals] feature in
            Publication.Version(
                feature: feature.feature.id, type: feature.feature.type, placement: feature.placement,
                ordinal: ordinals[feature.feature.id], digest: feature.bodyDigest, body: feature.feature.body)
        }.makeIterator()
    }
}
