package import IMDF
import IMDFArchive
import IMDFDiff
package import RevisionStore

/// What the source says about the features of a revision that edits have changed.
package struct SourceFeatures: Sendable {
    /// The number of the set of overrides.
    package let number: Int64
    private let overrides: [FeatureID: [Override]]

    package init(of venue: VenueRecord, at number: Int64, in store: RevisionStore) async throws {
        let set = try await store.overrides(of: venue, at: number)
        self.number = set.number
        self.overrides = Dictionary(grouping: set.overrides, by: \.feature)
    }

    /// Features with the bodies that the source delivered, in the order of their types: without added features, with hidden ones.
    package func replaced(
        _ features: [(id: FeatureID, type: FeatureType, body: [UInt8])]
    ) throws -> [(id: FeatureID, type: FeatureType, body: [UInt8])] {
        let reader = JSONReader()
        let values = OverrideValues { try reader.value(of: $0) }
        var result = try features.compactMap { feature -> (id: FeatureID, type: FeatureType, body: [UInt8])? in
            guard let overrides = self.overrides[feature.id] else { return feature }
            guard !overrides.contains(where: \.isAddition) else { return nil }
            guard var body = try values.object(feature.body) else { return feature }
            for override in overrides where override.pointer != .existence {
                try override.setSource(in: &body, values)
            }
            return (feature.id, feature.type, CanonicalJSON.data(.object(body)))
        }
        for override in self.overrides.values.joined() where override.isHiding {
            guard let source = override.source, let body = try values.object(source) else { continue }
            let type = FeatureType(rawValue: body["feature_type"]?.string ?? "")
            let index =
                result.lastIndex { ($0.type.rank, $0.type.rawValue) <= (type.rank, type.rawValue) }.map { $0 + 1 } ?? 0
            result.insert((override.feature, type, source), at: index)
        }
        return result
    }
}
