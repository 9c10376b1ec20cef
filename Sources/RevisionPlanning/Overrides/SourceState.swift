import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// The features of a revision as the source delivered them last, for identity matching: without the values of overrides, with hidden
/// features, and with the features that edits added.
struct SourceState {
    /// By id.
    let features: [StoredFeature]
    /// The bodies that differ from the stored ones.
    let bodies: [FeatureID: [UInt8]]

    init(of stored: [StoredFeature], in base: ComparisonBase, store: RevisionStore) async throws {
        guard !base.overrides.overrides.isEmpty else {
            self.features = stored
            self.bodies = [:]
            return
        }
        let reader = JSONReader()
        let values = OverrideValues { try reader.value(of: $0) }
        let overrides = Dictionary(grouping: base.overrides.overrides) { $0.feature }
        var bodies: [FeatureID: [UInt8]] = [:]
        let changed = overrides.filter { $0.value.allSatisfy { $0.pointer != .existence } }.keys.sorted()
        try await store.bodies(of: changed, in: base.venue, at: base.number) { id, body in
            guard var feature = try reader.value(of: body).object else { return }
            for override in overrides[id] ?? [] { try override.setSource(in: &feature, values) }
            bodies[id] = CanonicalJSON.data(.object(feature))
        }
        var features = stored.map { feature in
            guard let body = bodies[feature.id] else { return feature }
            return StoredFeature(
                id: feature.id, type: feature.type, level: feature.level, touches: feature.touches,
                depth: feature.depth, bodyDigest: Digest(of: body))
        }
        for override in base.overrides.overrides where override.isHiding {
            // An added feature that is hidden for a time is recognized like one that is not.
            let added = override.covered.first { $0.isAddition }?.value
            guard let body = override.source ?? added, let object = try values.object(body) else { continue }
            bodies[override.feature] = body
            features.append(
                StoredFeature(
                    id: override.feature, type: FeatureType(rawValue: object["feature_type"]?.string ?? ""),
                    level: override.level, touches: [], depth: 0, bodyDigest: Digest(of: body)))
        }
        self.features = features.sorted { $0.id < $1.id }
        self.bodies = bodies
    }
}
