package import IMDF

/// A feature of the store without its body.
package struct StoredFeature: Hashable, Sendable {
    package let id: FeatureID
    package let type: FeatureType
    package let level: FeatureID?
    package let touches: [FeatureID]
    package let depth: Int
    package let bodyDigest: Digest

    package init(
        id: FeatureID, type: FeatureType, level: FeatureID?, touches: [FeatureID], depth: Int, bodyDigest: Digest
    ) {
        self.id = id
        self.type = type
        self.level = level
        self.touches = touches
        self.depth = depth
        self.bodyDigest = bodyDigest
    }
}

/// The body of a feature of the store.
package struct StoredBody: Hashable, Sendable {
    package let id: FeatureID
    package let body: [UInt8]

    package init(id: FeatureID, body: [UInt8]) {
        self.id = id
        self.body = body
    }
}
