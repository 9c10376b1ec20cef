import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// The state of a venue that an archive describes: its features, each on its level.
struct VenueState {
    /// By id.
    let candidates: [CandidateFeature]
    /// Canonical, without what every export writes anew.
    let manifest: [UInt8]?
    /// Of the levels that say one.
    let ordinals: [FeatureID: Int]

    /// What the archive's new ids stand for.
    let identities: Identities

    /// - Parameters:
    ///   - stored: what the archive is compared with, by id.
    ///   - identify: finds out under which ids the store knows the features.
    init(
        of archive: Archive, over stored: [StoredFeature],
        identify: (Arrivals) async throws -> Identities
    ) async rethrows {
        var archive = archive
        archive.resolveReferences(base: Set(stored.lazy.map(\.id)))
        let arrivals = await Arrivals(archive.features)
        self.identities = try await identify(arrivals)
        let storedIDs = self.identities.storedIDs
        // References that named the stored ids all along lead somewhere only now.
        let stale = Set(storedIDs.values)
        let wereDangling =
            !stale.isEmpty
            && archive.features.contains { $0.references.contains { stale.contains($0.target) } }
        let order = archive.rename(storedIDs) ?? Array(archive.features.indices)
        let features = archive.features
        let placements =
            wereDangling
            ? LevelAssignment.placements(of: features)
            : Self.placements(arrivals.placements, renamed: storedIDs, order)
        // The two halves on two cores: when every id is new, every body is hashed again.
        let middle = features.count / 2
        async let first = Self.candidates(features, 0..<middle, placements, arrivals, order)
        let second = Self.candidates(features, middle..<features.count, placements, arrivals, order)
        self.candidates = await first + second
        self.manifest = archive.manifest.flatMap { ArchiveManifest.content(of: $0) }
            .map { CanonicalJSON.data(.object($0)) }
        var ordinals: [FeatureID: Int] = [:]
        for index in features.indices where features[index].type == .level {
            let body = try? JSONReader.value(of: features[index].body)
            ordinals[features[index].id] =
                body?["properties"]?["ordinal"]?.number.flatMap { Int32(exactly: $0) }.map(Int.init)
        }
        self.ordinals = ordinals
    }

    /// The arrivals' placements in the order and the ids of the store. Equal lists of levels stay one list.
    private static func placements(
        _ placements: [Placement], renamed ids: [FeatureID: FeatureID], _ order: [Int]
    ) -> [Placement] {
        guard !ids.isEmpty else { return placements }
        var lists: [[FeatureID]: [FeatureID]] = [:]
        return order.map { place in
            var placement = placements[place]
            placement.level = placement.level.map { ids[$0] ?? $0 }
            guard !placement.touches.isEmpty else { return placement }
            let list = lists[placement.touches] ?? placement.touches.map { ids[$0] ?? $0 }.sorted()
            lists[placement.touches] = list
            placement.touches = list
            return placement
        }
    }

    /// - Parameter order: where each feature stood among the arrivals.
    private static func candidates(
        _ features: [Feature], _ range: Range<Int>, _ placements: [Placement], _ arrivals: Arrivals, _ order: [Int]
    ) -> [CandidateFeature] {
        range.map { index in
            let place = order[index]
            return CandidateFeature(
                feature: features[index], placement: placements[index],
                bodyDigest: features[index].body == arrivals.features[place].body
                    ? arrivals.digests[place] : Digest(of: features[index].body))
        }
    }

    /// Where the levels of both states are; now, when both have one.
    func ordinals(over base: ComparisonBase) -> [FeatureID: Int] {
        var ordinals = self.ordinals
        for level in base.revision?.levels ?? [] where ordinals[level.id] == nil {
            ordinals[level.id] = level.ordinal
        }
        return ordinals
    }

    /// The versions to write. Where the stored body stays it comes from `kept`, or is the candidate's own to the byte.
    func versions(of difference: Difference, kept: [FeatureID: [UInt8]]) -> [Publication.Version] {
        var candidates = self.candidates[...]
        return difference.versions.map { version in
            candidates = candidates.drop { $0.feature.id < version.id }  // both are sorted by id
            let body: [UInt8] =
                switch version.body {
                case .new(let body): body
                case .stored: kept[version.id] ?? candidates.first?.feature.body ?? []
                }
            return Publication.Version(
                feature: version.id, type: version.type,
                placement: Placement(level: version.level, touches: version.touches, generation: version.generation),
                ordinal: self.ordinals[version.id], digest: version.bodyDigest, body: body)
        }
    }

    /// Features whose stored body stays although the archive writes it otherwise, and whose bytes matter here.
    func kept(neededFor difference: Difference, over base: ComparisonBase) -> [FeatureID] {
        let touched = Self.touchedLevels(difference, over: base)
        let kept = Set(difference.kept)
        let moved = Set(difference.versions.filter { $0.body == .stored }.map(\.id))
        return self.candidates.filter {
            kept.contains($0.feature.id) && (touched.contains($0.placement.level) || moved.contains($0.feature.id))
        }.map(\.feature.id)
    }

    /// The states of the levels in which something came, went or changed.
    func levelStates(
        touchedBy difference: Difference, over base: ComparisonBase, kept: [FeatureID: [UInt8]]
    ) -> [LevelState] {
        var sums: [FeatureID?: (digest: LevelDigest, features: Int, bytes: Int64)] = [:]
        for level in Self.touchedLevels(difference, over: base) { sums[level] = (LevelDigest(), 0, 0) }
        for candidate in self.candidates where sums[candidate.placement.level] != nil {
            let body = kept[candidate.feature.id] ?? candidate.feature.body
            sums[candidate.placement.level]?.digest.add(body: body)
            sums[candidate.placement.level]?.features += 1
            sums[candidate.placement.level]?.bytes += Int64(body.count)
        }
        return sums.map { level, sum in
            LevelState(level: level, digest: sum.digest.finalize(), features: sum.features, bytes: sum.bytes)
        }
    }

    private static func touchedLevels(_ difference: Difference, over base: ComparisonBase) -> Set<FeatureID?> {
        var touched: Set<FeatureID?> = base.revision == nil ? [nil] : []
        for change in difference.changes {
            if change.kind != .added { touched.insert(change.levelBefore) }
            if change.kind != .removed { touched.insert(change.levelAfter) }
        }
        return touched
    }
}
