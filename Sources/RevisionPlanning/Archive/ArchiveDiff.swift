package import IMDF
package import IMDFArchive
package import IMDFDiff
package import SyncModel

/// The difference between two archives, as if the second were uploaded after the first. It needs no database.
package struct ArchiveDiff: Sendable {
    package let difference: Difference
    package let matches: [IdentityMatch]
    /// How many pairs of features the matcher compared for similarity.
    package let comparisonCount: Int
    package let summary: ChangeSummary
    package let facts: [Fact]
    private let before: [FeatureID: [UInt8]]
    private let after: [FeatureID: [UInt8]]

    /// - Parameter repairsIdentity: whether features with new ids are matched with the old ones.
    package init(old: Archive, new: Archive, repairsIdentity: Bool = true) async throws {
        let first = try await VenueState(of: old, over: []) { _ in .unchanged }
        let stored = first.features.map(StoredFeature.init)
        let bodies = Dictionary(uniqueKeysWithValues: first.features.map { ($0.feature.id, $0.feature.body) })
        let second = try await VenueState(of: new, over: stored) { arrivals in
            guard repairsIdentity else { return .unchanged }
            let identification = Identification(stored: stored, aliases: [:]) { ids, body in
                for id in ids { if let stored = bodies[id] { try body(StoredBody(id: id, body: stored)) } }
            }
            return try await identification.identities(of: arrivals)
        }
        var comparison = Comparison(stored: stored, features: second.features)
        let reader = JSONReader()
        let needed = comparison.neededBodies.compactMap { id in bodies[id].map { StoredBody(id: id, body: $0) } }
        try comparison.resolve(needed) { try reader.value(of: $0) }
        self.difference = try comparison.difference()
        self.matches = second.identities.matches
        self.comparisonCount = second.identities.comparisonCount
        let ordinals = first.ordinals.merging(second.ordinals) { $1 }
        self.summary = ChangeSummary(of: self.difference.changes, ordinals: ordinals)
        self.facts =
            Fact.facts(of: self.difference.changes, ordinals: ordinals)
            + (first.manifest == second.manifest ? [] : [.manifestChanged])
        self.before = bodies
        self.after = Dictionary(uniqueKeysWithValues: second.features.map { ($0.feature.id, $0.feature.body) })
    }

    /// The changes in the form of `GET /venues/{venue}/diff`.
    package func changes(withBodies: Bool) throws -> [RevisionDiff.Change] {
        try self.difference.changes.map { change in
            RevisionDiff.Change(
                id: change.id, type: change.type, level: change.level, kind: .init(change.kind),
                classes: change.classes.names,
                before: try withBodies ? self.before[change.id].map { try JSONReader.value(of: $0) } : .none,
                after: try withBodies ? self.after[change.id].map { try JSONReader.value(of: $0) } : .none)
        }
    }

    /// The facts as sentences in a language.
    package func sentences(in language: String) -> [String] {
        let body = { (id: FeatureID) in self.after[id] ?? self.before[id] }
        return ChangeDescription.sentences(of: self.facts, language: language) { level in
            body(level).flatMap { LevelNaming(of: $0, language: language) }?.name { building in
                body(building).flatMap { LevelNaming.label(in: $0, language: language) }
            }
        }
    }

    /// The short name of a level in a language, or else its name; nil if it has neither.
    package func levelName(_ level: FeatureID, in language: String) -> String? {
        (self.after[level] ?? self.before[level]).flatMap { LevelNaming(of: $0, language: language) }?.short
    }
}

extension StoredFeature {
    fileprivate init(_ feature: ArchiveFeature) {
        self.init(
            id: feature.feature.id, type: feature.feature.type, level: feature.placement.level,
            touches: feature.placement.touches, depth: feature.placement.depth,
            bodyDigest: feature.bodyDigest)
    }
}
