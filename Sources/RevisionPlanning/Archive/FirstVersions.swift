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

    package func makeIterator() -> Iterator {
        Iterator(features: self.features.makeIterator(), ordinals: self.ordinals)
    }

    package struct Iterator: IteratorProtocol {
        fileprivate var features: IndexingIterator<[ArchiveFeature]>
        fileprivate let ordinals: [FeatureID: Int]

        package mutating func next() -> Publication.Version? {
            self.features.next().map { feature in
                Publication.Version(
                    feature: feature.feature.id, type: feature.feature.type, placement: feature.placement,
                    ordinal: self.ordinals[feature.feature.id], digest: feature.bodyDigest, body: feature.feature.body)
            }
        }
    }
}
