import IMDF
import IMDFArchive
package import IMDFDiff
import RevisionStore

/// The state of a venue that an archive describes: its features, each on its level.
package struct VenueState: Sendable {
    /// By id.
    let features: [ArchiveFeature]
    /// Canonical, without the members that differ in every export.
    let manifest: [UInt8]?
    /// Of the levels that have one.
    let ordinals: [FeatureID: Int]
    /// The matches between ids of the archive and stored ids.
    package let identities: Identities
    /// The overrides, which are applied to the features.
    let overrides: OverrideApplication
    /// The number of features of the archive.
    let delivered: Int

    /// How overrides are applied to an archive.
    struct OverrideRules {
        var set = OverrideSet()
        /// Whether contested overrides end.
        var yields = false
        /// The number of the upload.
        var upload: Int64 = 0
    }

    /// - Parameters:
    ///   - stored: the features that the archive is compared with, by id.
    ///   - identify: finds the ids under which the store has the features.
    init(
        of archive: Archive, over stored: [StoredFeature], overrides: OverrideRules = OverrideRules(),
        identify: (Arrivals) async throws -> Identities
    ) async throws {
        var archive = archive
        let known = Set(stored.lazy.map(\.id))
        await archive.resolveReferencesOnTwoCores(base: known)
        let arrivals = await Arrivals(archive.features)
        self.identities = try await identify(arrivals)
        let storedIDs = self.identities.storedIDs
        // References by stored ids dangle until the features are renamed: then the levels have to be assigned again.
        let matchedIDs = Set(storedIDs.values)
        let wereDangling =
            !matchedIDs.isEmpty
            && archive.features.contains { $0.references.contains { matchedIDs.contains($0.target) } }
        let order = await archive.rename(storedIDs)
        let features = archive.features
        let digests = await Self.digests(of: features, arrivals, order)
        let placements =
            wereDangling
            ? LevelAssignment.placements(of: features)
            : Self.placements(arrivals.placements, renamed: storedIDs, order)
        self.delivered = features.count
        self.overrides = try OverrideApplication(
            of: overrides.set,
            to: features.indices.map {
                ArchiveFeature(feature: features[$0], placement: placements[$0], bodyDigest: digests[$0])
            }, known: known,
            isOwnExport: archive.manifest?["generated_by"]?.string == ArchiveManifest.generator,
            yields: overrides.yields, upload: overrides.upload)
        self.features = self.overrides.features
        self.manifest = archive.manifest.flatMap { ArchiveManifest.content(of: $0) }
            .map { CanonicalJSON.data(.object($0)) }
        var ordinals: [FeatureID: Int] = [:]
        for feature in self.features.lazy.map(\.feature) where feature.type == .level {
            ordinals[feature.id] = feature.ordinal
        }
        self.ordinals = ordinals
    }

    /// The arrivals' placements with the ids and in the order of the store. Equal lists of levels share their storage.
    ///
    /// - Parameter order: The index of each feature among the arrivals; nil if none was renamed.
    private static func placements(
        _ placements: [Placement], renamed ids: [FeatureID: FeatureID], _ order: [Int]?
    ) -> [Placement] {
        guard let order else { return placements }
        var lists: [[FeatureID]: [FeatureID]] = [:]
        return order.map { index in
            var placement = placements[index]
            placement.level = placement.level.map { ids[$0] ?? $0 }
            guard !placement.touches.isEmpty else { return placement }
            let list = lists[placement.touches] ?? placement.touches.map { ids[$0] ?? $0 }.sorted()
            lists[placement.touches] = list
            placement.touches = list
            return placement
        }
    }

    /// The digests of the features' bodies; when every id is new, every body is hashed again, one half on another core.
    ///
    /// - Parameter order: The index of each feature among the arrivals; nil if none was renamed.
    private static func digests(of features: [Feature], _ arrivals: Arrivals, _ order: [Int]?) async -> [Digest] {
        guard let order else { return arrivals.digests }
        return await onTwoCores(features.count) { half in
            half.map { index in
                let (body, arrival) = (features[index].body, order[index])
                return body == arrivals.features[arrival].body ? arrivals.digests[arrival] : Digest(of: body)
            }
        }
    }

    /// The ordinals of the levels of both states; those of this one where both have the level.
    func ordinals(over base: ComparisonBase) -> [FeatureID: Int] {
        var ordinals = self.ordinals
        for level in base.revision?.levels ?? [] where ordinals[level.id] == nil {
            ordinals[level.id] = level.ordinal
        }
        return ordinals
    }

    /// The versions of a first revision: all features.
    package var firstVersions: FirstVersions { FirstVersions(features: self.features, ordinals: self.ordinals) }

    /// The versions to write. A stored body that stays comes from `storedBodies`, or is equal to the archive's, byte for byte.
    func versions(of difference: Difference, storedBodies: [FeatureID: [UInt8]]) -> [Publication.Version] {
        var features = self.features[...]
        return difference.versions.map { version in
            features = features.drop { $0.feature.id < version.id }  // both are sorted by id
            let body: [UInt8] =
                switch version.body {
                case .new(let body): body
                case .stored: storedBodies[version.id] ?? features.first?.feature.body ?? []
                }
            return Publication.Version(
                feature: version.id, type: version.type,
                placement: Placement(level: version.level, touches: version.touches, depth: version.depth),
                ordinal: self.ordinals[version.id], digest: version.bodyDigest, body: body)
        }
    }

    /// Equivalent features whose stored bodies are needed.
    func equivalentFeatures(neededFor difference: Difference, over base: ComparisonBase) -> [FeatureID] {
        guard !difference.equivalent.isEmpty else { return [] }
        let changed = Self.changedLevels(difference, over: base)
        let equivalent = Set(difference.equivalent)
        let moved = Set(difference.versions.filter { $0.body == .stored }.map(\.id))
        return self.features.filter {
            equivalent.contains($0.feature.id)
                && (changed.contains($0.placement.level) || moved.contains($0.feature.id))
        }.map(\.feature.id)
    }

    /// The states of the levels with added, changed or removed features.
    func levelStates(
        changedBy difference: Difference, over base: ComparisonBase, storedBodies: [FeatureID: [UInt8]]
    ) -> [LevelState] {
        var sums: [FeatureID?: (digest: LevelDigest, features: Int, bytes: Int64)] = [:]
        for level in Self.changedLevels(difference, over: base) { sums[level] = (LevelDigest(), 0, 0) }
        for feature in self.features where sums[feature.placement.level] != nil {
            let body = storedBodies[feature.feature.id] ?? feature.feature.body
            sums[feature.placement.level]?.digest.add(body: body)
            sums[feature.placement.level]?.features += 1
            sums[feature.placement.level]?.bytes += Int64(body.count)
        }
        return sums.map { level, sum in
            LevelState(level: level, digest: sum.digest.finalize(), features: sum.features, bytes: sum.bytes)
        }
    }

    private static func changedLevels(_ difference: Difference, over base: ComparisonBase) -> Set<FeatureID?> {
        var changed: Set<FeatureID?> = base.revision == nil ? [nil] : []
        for change in difference.changes {
            if change.kind != .added { changed.insert(change.levelBefore) }
            if change.kind != .removed { changed.insert(change.levelAfter) }
        }
        return changed
    }
}

extension Feature {
    /// The ordinal of a level feature; nil if it has none.
    var ordinal: Int? {
        (try? JSONReader.value(of: self.body))?["properties"]?["ordinal"]?.number.flatMap { Int32(exactly: $0) }
            .map(Int.init)
    }
}
