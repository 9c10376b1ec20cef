package import IMDF

/// A feature of the archive under the id of the store, with its placement.
package struct ArchiveFeature: Hashable, Sendable {
    package let feature: Feature
    package let placement: Placement
    package let bodyDigest: Digest

    package init(feature: Feature, placement: Placement, bodyDigest: Digest) {
        self.feature = feature
        self.placement = placement
        self.bodyDigest = bodyDigest
    }
}
