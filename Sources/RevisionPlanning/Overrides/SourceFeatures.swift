package import IMDF
import IMDFArchive
import IMDFDiff
package import RevisionStore

/// What the source says about the features of a revision that edits have changed.
package struct SourceFeatures: Sendable {
    /// The number of the set of overrides.
    package let number: Int64
    private let overrides: [FeatureID: [Override]]
    /// The features that edits hide, by type.
    package let hidden: [FeatureType: [[UInt8]]]

    private static var values: OverrideValues { OverrideValues { try JSONReader.value(of: $0) } }

    package init(of venue: VenueRecord, at number: Int64, in store: RevisionStore) async throws {
        let set = try await store.overrides(of: venue, at: number)
        self.number = set.number
        self.overrides = Dictionary(grouping: set.overrides, by: \.feature)
        var hidden: [FeatureType: [[UInt8]]] = [:]
        for override in set.overrides.filter(\.isHiding).sorted(by: { $0.feature < $1.feature }) {
            guard let source = override.source, let body = try Self.values.object(source) else { continue }
            hidden[FeatureType(rawValue: body["feature_type"]?.string ?? ""), default: []].append(source)
        }
        self.hidden = hidden
    }

    /// Whether an edit has added the feature.
    package func isAdded(_ feature: FeatureID) -> Bool {
        self.overrides[feature]?.contains(where: \.isAddition) ?? false
    }

    /// The body that the source delivered of a feature of the revision.
    package func body(of feature: FeatureID, _ body: [UInt8]) throws -> [UInt8] {
        guard let overrides = self.overrides[feature] else { return body }
        guard var object = try Self.values.object(body) else { return body }
        for override in overrides where override.pointer != .existence {
            try override.setSource(in: &object, Self.values)
        }
        return CanonicalJSON.data(.object(object))
    }
}
