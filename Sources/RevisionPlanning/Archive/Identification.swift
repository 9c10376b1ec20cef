import IMDF
import IMDFArchive
import IMDFDiff

/// Finds the ids under which the store has the features of an archive.
struct Identification {
    /// Passes stored bodies to a closure, in any order.
    typealias Fetch = (_ ids: [FeatureID], _ body: (StoredBody) throws -> Void) async throws -> Void

    /// The features of the base, by id.
    let stored: [StoredFeature]
    /// Stored ids by the ids of the archive that were matched with them before.
    let aliases: [FeatureID: FeatureID]
    /// Content digests of stored features that are known already.
    var contents = KnownContents.none
    let fetch: Fetch

    func identities(of arrivals: Arrivals) async throws -> Identities {
        var matcher = Matcher(
            stored: self.stored, arrived: arrivals.features, levels: arrivals.placements.map(\.level),
            digests: arrivals.digests, aliases: self.aliases)
        guard !matcher.neededDigests.isEmpty else { return matcher.identities }
        let digester = matcher.contentDigester
        async let arrived = digester.arrivedDigests()  // while the stored bodies are read
        var stored = digester.storedDigests(in: self.contents)
        let unknown = Self.missing(matcher.neededDigests, in: stored)
        if !unknown.isEmpty {
            stored.reserveCapacity(matcher.neededDigests.count)
            try await self.fetch(unknown) { body in
                if unknown.sortedIndex(of: body.id) != nil, let digest = digester.digest(body) { stored.append(digest) }
            }
        }
        await matcher.matchByContent(stored: stored, arrived: await arrived)
        let neededBodies = matcher.neededBodies
        guard !neededBodies.isEmpty else { return matcher.identities }
        var bodies: [StoredBody] = []
        try await self.fetch(neededBodies) { bodies.append($0) }
        let reader = JSONReader()
        matcher.matchRemaining(bodies) { try? reader.value(of: $0) }
        return matcher.identities
    }

    /// The ids without a digest; both lists are sorted.
    private static func missing(_ ids: [FeatureID], in digests: [ContentDigest]) -> [FeatureID] {
        var digests = digests[...]
        return ids.filter { id in
            digests = digests.drop { $0.id < id }
            return digests.first?.id != id
        }
    }
}

/// The features of an archive on their levels, under the ids that the archive gives them.
struct Arrivals: Sendable {
    /// By id.
    let features: [Feature]
    let placements: [Placement]
    /// Of the bodies.
    let digests: [Digest]

    init(_ features: [Feature]) async {
        self.features = features
        async let placements = LevelAssignment.placements(of: features)  // on another core than the hashing
        self.digests = features.map { Digest(of: $0.body) }
        self.placements = await placements
    }
}
