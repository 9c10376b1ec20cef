import IMDF
import IMDFArchive
import IMDFDiff

/// Finds out under which ids the store knows the features of an archive.
struct Identification {
    /// Hands out stored bodies, in any order.
    typealias Fetch = (_ ids: [FeatureID], _ body: (StoredBody) throws -> Void) async throws -> Void

    /// What the archive is compared with, by id.
    let stored: [StoredFeature]
    /// What ids of the archive were matched with before.
    let aliases: [FeatureID: FeatureID]
    let fetch: Fetch

    func identities(of arrivals: Arrivals) async throws -> Identities {
        var recognition = Matcher(
            stored: self.stored, arrived: arrivals.features, levels: arrivals.placements.map(\.level),
            digests: arrivals.digests, aliases: self.aliases)
        guard !recognition.neededDigests.isEmpty else { return recognition.identities }
        let sketcher = recognition.contentDigester
        async let arrived = sketcher.arrivedDigests()  // on another core than the stored ones
        var stored: [ContentDigest] = []
        stored.reserveCapacity(recognition.neededDigests.count)
        try await self.fetch(recognition.neededDigests) { body in
            if let sketch = sketcher.digest(body) { stored.append(sketch) }
        }
        recognition.matchByContent(stored: stored, arrived: await arrived)
        let needBodies = recognition.neededBodies
        guard !needBodies.isEmpty else { return recognition.identities }
        var bodies: [StoredBody] = []
        try await self.fetch(needBodies) { bodies.append($0) }
        let reader = JSONReader()
        recognition.matchRemaining(bodies) { try? reader.value(of: $0) }
        return recognition.identities
    }
}

/// The features of an archive on their levels, under the ids that they came with.
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
