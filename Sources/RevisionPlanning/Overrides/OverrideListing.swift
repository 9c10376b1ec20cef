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

    /// A page of overrides by id, bounded in bytes.
    ///
    /// - Parameter id: Only overrides with a greater id.
    /// - Returns: The overrides, and whether there are no more.
    package func entries(
        state: OverrideEntry.State? = nil, feature: FeatureID? = nil, after id: FeatureID? = nil, limit: Int
    ) async throws -> (entries: [OverrideEntry], isLast: Bool) {
        let (overrides, isLast) = try await self.store.overrides(
            of: self.venue, at: self.venue.head, state: state.flatMap { Override.State(rawValue: $0.rawValue) },
            feature: feature, after: id, limit: limit)
        return (try overrides.map { try OverrideEntry($0) }, isLast)
    }

    /// The override with an id; nil if there is none.
    package func entry(_ id: FeatureID) async throws -> OverrideEntry? {
        try await self.store.overrides([id], of: self.venue, at: self.venue.head).overrides.first
            .map { try OverrideEntry($0) }
    }

    /// The number of bytes of bodies that are read at a time for their geometries.
    private static let geometryBytes = 8 << 20

    /// The geometries of the features of the first overrides: that of the override, of the published feature, or of the hidden one.
    /// There are fewer than overrides if the features are large, but at least one.
    package func geometries(of entries: [OverrideEntry]) async throws -> [JSONValue] {
        let reader = JSONReader()
        let published = entries.filter { $0.kind == .value && $0.pointer != OverridePointer.geometry.description }
        let lengths = try await self.store.bodyLengths(
            of: Set(published.map(\.feature)).sorted(), in: self.venue, at: self.venue.head)
        var (bytes, read): (Int, Set<FeatureID>) = (0, [])
        let first = entries.prefix { entry in
            guard let length = lengths[entry.feature], !read.contains(entry.feature) else { return true }
            guard read.isEmpty || bytes + length <= Self.geometryBytes else { return false }
            bytes += length
            read.insert(entry.feature)
            return true
        }
        var geometries: [FeatureID: JSONValue] = [:]
        try await self.store.bodies(of: read.sorted(), in: self.venue, at: self.venue.head) { id, body in
            geometries[id] = try reader.value(of: body)["geometry"]
        }
        return first.map { entry in
            switch entry.kind {
            case .value where entry.pointer == OverridePointer.geometry.description: entry.value ?? .null
            case .added: entry.value?["geometry"] ?? .null
            case .hidden: entry.source?["geometry"] ?? .null
            case .value: geometries[entry.feature] ?? .null
            }
        }
    }
}
