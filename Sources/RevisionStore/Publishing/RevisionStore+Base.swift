import Caching
package import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

/// A revision without its bodies, for the comparison with an archive.
package struct ComparisonBase: Sendable {
    package let venue: VenueRecord
    /// Nil if the venue has no revision yet.
    package let revision: RevisionRecord?
    /// By id.
    package let features: [StoredFeature]
    /// Canonical, without the members that differ in every export.
    package let manifest: [UInt8]?
    package let overrides: OverrideSet

    /// 0 before the first revision.
    package var number: Int64 { self.revision?.number ?? 0 }
}

extension RevisionStore {
    /// The newest revision of a venue, or the given one. Its features are read in one statement over the whole venue, unless they are
    /// known.
    ///
    /// - Parameter number: 0 for the venue before its first revision.
    /// - Throws: `unknownRevision` unless it is published, `revisionPruned` if it was pruned.
    package func comparisonBase(of key: VenueKey, at number: Int64? = nil) async throws -> ComparisonBase {
        let venue = try await self.venue(key)
        if let number { return try await self.comparisonBase(of: venue, at: number) }
        return try await self.withHead(of: venue) { try await self.comparisonBase(of: $0, at: $0.head) }
    }

    private func comparisonBase(of venue: VenueRecord, at number: Int64) async throws -> ComparisonBase {
        guard number > 0 else {
            return ComparisonBase(venue: venue, revision: nil, features: [], manifest: nil, overrides: OverrideSet())
        }
        let revision = try await self.revision(number, of: venue)
        let manifest = try await self.manifest(of: venue, at: number).content
        let overrides = try await self.overrides(of: venue, at: number)
        let features = try await self.features(of: venue, at: number)
        return ComparisonBase(
            venue: venue, revision: revision, features: features, manifest: manifest, overrides: overrides)
    }

    private func features(of venue: VenueRecord, at number: Int64) async throws -> [StoredFeature] {
        if let known = self.knownFeatures.value(for: .init(number, of: venue)) { return known }
        let rows = try await self.read(
            """
            SELECT feature_id, feature_type, level_id, touches, depth, body_sha256 FROM feature_version
            WHERE venue_id = \(venue.id) AND \(Self.holds(at: number)) AND \(Self.byToRevision)
            """, of: venue, at: number)
        let features = try rows.decode((FeatureID, String, FeatureID?, [FeatureID], Int32, Digest).self).map {
            StoredFeature(
                id: $0.0, type: FeatureType(rawValue: $0.1), level: $0.2, touches: $0.3, depth: Int($0.4),
                bodyDigest: $0.5)
        }.sorted { $0.id < $1.id }
        self.keep(features, of: venue, at: number)
        return features
    }

    /// Keeps the features of a published revision, with which the next upload will be compared.
    package func keep(_ features: [StoredFeature], of venue: VenueRecord, at number: Int64) {
        let size = MemoryLayout<StoredFeature>.stride
        self.knownFeatures.keep(
            features, for: .init(number, of: venue),
            cost: features.reduce(0) { $0 + size + $1.type.rawValue.utf8.count + 16 * $1.touches.count })
    }

    /// The content digests that are known of features of a venue, at any of its revisions.
    package func knownContents(of venue: VenueRecord) -> KnownContents {
        self.knownContents.value(for: venue.id) ?? .none
    }

    /// Keeps content digests for the next upload with new ids.
    package func keep(_ contents: KnownContents, of venue: VenueRecord) {
        self.knownContents.keep(contents, for: venue.id, cost: contents.size)
    }

    /// The content of the manifest at a revision, and the file names of undeclared types.
    package func manifest(
        of venue: VenueRecord, at number: Int64
    ) async throws -> (content: [UInt8]?, fileNames: [FeatureType: String]) {
        let rows = try await self.read(
            "SELECT manifest, file_names::text FROM revision WHERE venue_id = \(venue.id) AND number = \(number)",
            of: venue, at: number
        ).decode((String?, String).self)
        guard let (manifest, names) = rows.first else { throw StoreError.unknownRevision(number) }
        let fileNames = try Self.json(names, as: [String: String].self)
        return (
            manifest.map { Array($0.utf8) },
            Dictionary(uniqueKeysWithValues: fileNames.map { (FeatureType(rawValue: $0.key), $0.value) })
        )
    }

    /// Whether the content of the manifest differs between two revisions.
    package func manifestDiffers(in venue: VenueRecord, from: Int64, to: Int64) async throws -> Bool {
        try await self.read(
            """
            SELECT (SELECT manifest FROM revision WHERE venue_id = \(venue.id) AND number = \(from))
                IS DISTINCT FROM (SELECT manifest FROM revision WHERE venue_id = \(venue.id) AND number = \(to))
            """, of: venue, at: from, to
        ).decode(Bool.self) == [true]
    }

    /// Passes the bodies of the given features at a revision to a closure, or all of them; features that it does not contain are
    /// omitted.
    package func bodies(
        of ids: [FeatureID]?, in venue: VenueRecord, at number: Int64, _ body: (FeatureID, [UInt8]) throws -> Void
    ) async throws {
        let versions: Query = "SELECT feature_id, body FROM feature_version WHERE venue_id = \(venue.id)"
        let lookup: Query =
            "\(versions) AND feature_id = wanted.id AND from_revision <= \(number) AND to_revision > \(number)"
        let query: Query =
            if let ids {
                "SELECT found.* FROM \(Self.lookup(of: ids, lookup))"
            } else {
                "\(versions) AND \(Self.holds(at: number)) AND \(Self.byToRevision)"
            }
        try await self.stream(query, of: venue, at: number) { row in
            try body(row.decode(0), row.decode(1, as: TextBytes.self).bytes)
        }
    }
}
