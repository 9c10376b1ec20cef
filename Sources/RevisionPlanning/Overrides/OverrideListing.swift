package import IMDF
import IMDFArchive
import IMDFDiff
package import RevisionStore
package import SyncModel

/// The overrides of the newest revision of a venue.
package struct OverrideListing: Sendable {
    private let store: RevisionStore
    private let venue: VenueRecord

    package init(of venue: VenueRecord, in store: RevisionStore) {
        self.venue = venue
        self.store = store
    }

    /// Overrides by id.
    ///
    /// - Parameter id: Only overrides with a greater id.
    package func entries(
        state: OverrideEntry.State? = nil, feature: FeatureID? = nil, after id: FeatureID? = nil, limit: Int
    ) async throws -> [OverrideEntry] {
        try await self.store.overrides(
            of: self.venue, at: self.venue.head, state: state.flatMap { Override.State(rawValue: $0.rawValue) },
            feature: feature, after: id, limit: limit
        ).map { try OverrideEntry($0) }
    }

    /// The override with an id; nil if there is none.
    package func entry(_ id: FeatureID) async throws -> OverrideEntry? {
        try await self.store.overrides([id], of: self.venue, at: self.venue.head).overrides.first
            .map { try OverrideEntry($0) }
    }

    /// The geometries of the features of some overrides: that of the override, of the published feature, or of the hidden one.
    package func geometries(of entries: [OverrideEntry]) async throws -> [JSONValue] {
        let reader = JSONReader()
        let stored = try await self.store.storedVersions(
            of: Set(entries.map(\.feature)).sorted(), in: self.venue, at: self.venue.head)
        return try entries.map { entry in
            switch entry.kind {
            case .value where entry.pointer == OverridePointer.geometry.description: return entry.value ?? .null
            case .added: return entry.value?["geometry"] ?? .null
            case .hidden: return entry.source?["geometry"] ?? .null
            case .value:
                guard let body = stored[entry.feature]?.body else { return .null }
                return try reader.value(of: body)["geometry"] ?? .null
            }
        }
    }
}
