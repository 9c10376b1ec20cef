internal import IMDF

/// What was read of some entries of an archive.
struct ArchivePart: Sendable {
    let features: CollectedFeatures
    let manifests: [(entry: ZipEntry, value: JSONValue)]
    let folders: [[Substring]]
    let ignored: [String]
}

/// What a ``FeatureCollector`` has collected.
struct CollectedFeatures: Sendable {
    let features: [Feature]
    let locations: [FeatureLocation]
    let candidates: [ReferenceCandidate]
    let files: [String]
    let blockingFindings: [Finding]
    let findings: [Finding]
    let venues: Int
    let unusableIDs: Set<AssignedIDs.Unusable>
    let repairs: IDRepairs
}
