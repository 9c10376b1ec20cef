import IMDF
import IMDFArchive
import RevisionStore

/// The features of the newest revision of a venue, each read when it is needed.
struct StoredFeatures {
    /// A feature with its references as they are in its body, including undeclared ones that dangle.
    struct Entry {
        let version: Publication.Version
        let references: [Reference]
    }

    private let venue: VenueRecord
    private let store: RevisionStore
    private let indexes: ReferenceIndexCache
    private let reader = JSONReader()
    /// Nil for features that the revision does not contain.
    private var entries: [FeatureID: Entry?] = [:]

    init(of venue: VenueRecord, in store: RevisionStore, indexes: ReferenceIndexCache) {
        self.venue = venue
        self.store = store
        self.indexes = indexes
    }

    /// A feature that was read before; nil if the revision does not contain it.
    subscript(id: FeatureID) -> Entry? { self.entries[id] ?? nil }

    /// Adds a feature that was read elsewhere.
    mutating func add(_ version: Publication.Version?, _ id: FeatureID) throws {
        self.entries[id] = .some(try version.map(self.entry))
    }

    private func entry(_ version: Publication.Version) throws -> Entry {
        Entry(version: version, references: try self.reader.references(of: version.body, type: version.type))
    }

    mutating func read(_ ids: some Sequence<FeatureID>) async throws {
        let missing = Set(ids).filter { self.entries[$0] == nil }.sorted()
        guard !missing.isEmpty else { return }
        let versions = try await self.store.storedVersions(of: missing, in: self.venue, at: self.venue.head)
        for id in missing { try self.add(versions[id], id) }
    }

    /// Features that refer to some features, by id.
    mutating func read(referringTo targets: Set<FeatureID>) async throws -> [FeatureID] {
        guard !targets.isEmpty else { return [] }
        let index = try await self.indexes.index(of: self.venue, in: self.store)
        let candidates = Set(targets.flatMap(index.sources)).sorted()
        try await self.read(candidates)
        return candidates.filter { id in self[id]?.references.contains { targets.contains($0.target) } ?? false }
    }
}
