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

    func identities(of features: [Feature], levels: [FeatureID?]) async throws -> Identities {
        var recognition = Recognition(stored: self.stored, arrived: features, levels: levels, aliases: self.aliases)
        guard !recognition.needSketches.isEmpty else { return recognition.identities }
        let start = recognition
        async let arrived = start.sketchArrivals()  // on another core than the stored ones
        var stored: [Sketch] = []
        stored.reserveCapacity(start.needSketches.count)
        try await self.fetch(start.needSketches) { body in
            if let sketch = start.sketch(body) { stored.append(sketch) }
        }
        recognition.matchByContent(stored: stored, arrived: await arrived)
        let needBodies = recognition.needBodies
        guard !needBodies.isEmpty else { return recognition.identities }
        var bodies: [StoredBody] = []
        try await self.fetch(needBodies) { bodies.append($0) }
        let reader = JSONReader()
        recognition.matchByLikeness(bodies) { try? reader.value(of: $0) }
        return recognition.identities
    }
}
