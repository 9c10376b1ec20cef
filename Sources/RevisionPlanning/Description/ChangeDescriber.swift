import IMDF
import IMDFArchive
import IMDFDiff
package import RevisionStore
package import SyncModel

/// Describes the facts of a revision in sentences of one language.
package struct ChangeDescriber: Sendable {
    let store: RevisionStore
    let language: String

    package init(store: RevisionStore, language: String) {
        self.store = store
        self.language = language
    }

    func sentences(of facts: [Fact], in venue: VenueRecord, at number: Int64) async throws -> [String] {
        try await self.sentences(of: [(facts, number)], in: venue)[0]
    }

    /// The sentences of several revisions: the names of all levels are read in one statement, those of buildings in another one.
    ///
    /// - Parameter revisions: the newest first; at least one.
    private func sentences(
        of revisions: [(facts: [Fact], number: Int64)], in venue: VenueRecord
    ) async throws -> [[String]] {
        let oldest = revisions.last?.number ?? 0
        var named: [NamedFeature] = []
        for (facts, number) in revisions {
            named += ChangeDescription.namedLevels(in: facts).map { NamedFeature(id: $0, revision: number) }
        }
        let levels = try await self.levels(named, in: venue, since: oldest)
        let buildings = try await self.buildings(of: levels, namedIn: revisions, in: venue, since: oldest)
        return revisions.map { facts, number in
            ChangeDescription.sentences(of: facts, language: self.language) { id in
                levels[NamedFeature(id: id, revision: number)]?.name {
                    buildings[NamedFeature(id: $0, revision: number)]
                }
            }
        }
    }

    /// The sentences of a staged upload, with the level names that it would publish.
    func sentences(of difference: StagedDifference, in venue: VenueRecord) async throws -> [String] {
        guard let facts = try difference.facts() else { return [] }
        let base = difference.base
        var levels: [NamedFeature: LevelNaming] = [:]
        let named = ChangeDescription.namedLevels(in: facts).map { NamedFeature(id: $0, revision: base) }
        // Levels that do not change have no name if the base was pruned, and buildings neither.
        if base > 0 { levels = try await self.unlessPruned { try await self.levels(named, in: venue, since: base) } }
        for level in difference.levels {
            levels[NamedFeature(id: level.id, revision: base)] = LevelNaming(of: level.body, language: self.language)
        }
        var buildings: [NamedFeature: String] = [:]
        if base > 0 {
            buildings = try await self.unlessPruned {
                try await self.buildings(of: levels, namedIn: [(facts, base)], in: venue, since: base)
            }
        }
        return ChangeDescription.sentences(of: facts, language: self.language) { id in
            levels[NamedFeature(id: id, revision: base)]?.name { buildings[NamedFeature(id: $0, revision: base)] }
        }
    }

    private struct NamedFeature: Hashable {
        let id: FeatureID
        let revision: Int64
    }

    private func unlessPruned<Value>(
        _ read: () async throws -> [NamedFeature: Value]
    ) async throws -> [NamedFeature: Value] {
        do { return try await read() } catch StoreError.revisionPruned { return [:] }
    }

    private func levels(
        _ levels: [NamedFeature], in venue: VenueRecord, since oldest: Int64
    ) async throws -> [NamedFeature: LevelNaming] {
        try await self.read(levels, in: venue, since: oldest) { LevelNaming(of: $0, language: self.language) }
    }

    /// The names of the buildings of levels that would have the same name in one sentence: most venues have none.
    private func buildings(
        of levels: [NamedFeature: LevelNaming], namedIn revisions: [(facts: [Fact], number: Int64)],
        in venue: VenueRecord, since oldest: Int64
    ) async throws -> [NamedFeature: String] {
        var buildings: Set<NamedFeature> = []
        for (facts, number) in revisions {
            for group in ChangeDescription.groupsOfNamedLevels(in: facts) {
                let named = group.compactMap { levels[NamedFeature(id: $0, revision: number)] }
                guard Set(named.map(\.short)).count < named.count else { continue }
                buildings.formUnion(named.flatMap(\.buildings).map { NamedFeature(id: $0, revision: number) })
            }
        }
        return try await self.read(Array(buildings), in: venue, since: oldest) {
            LevelNaming.label(in: $0, language: self.language)
        }
    }

    /// What bodies say of features at revisions that are not older than `oldest`.
    private func read<Value>(
        _ features: [NamedFeature], in venue: VenueRecord, since oldest: Int64, _ value: ([UInt8]) -> Value?
    ) async throws -> [NamedFeature: Value] {
        guard !features.isEmpty else { return [:] }
        var values: [NamedFeature: Value] = [:]
        let wanted = features.map { (id: $0.id, revision: $0.revision) }
        try await self.store.levelBodies(wanted, of: venue, since: oldest) { indices, body in
            let value = value(body)
            for index in indices { values[features[index]] = value }
        }
        return values
    }
}

extension ChangeDescriber {
    /// An upload with a description of its changes, in the states in which it has any.
    package func described(_ upload: Upload) async throws -> Upload {
        var upload = upload
        switch (upload.state, upload.revision) {
        case (.published, let number?):
            guard let venue = try? await self.store.venue(upload.venue),
                let entry = try? await self.store.logEntry(number, of: venue)
            else { return upload }  // deleted or pruned meanwhile
            upload.changes?.words = (try? await self.sentences(of: entry.describedFacts, in: venue, at: number)) ?? []
        case (.staged, _), (.rejected, _):
            guard upload.changes != nil, let id = UploadID(upload.id),
                let venue = try? await self.store.venue(upload.venue),
                let difference = try? await self.store.stagedDifference(of: id)
            else { return upload }  // published or discarded meanwhile, or rejected because it cannot be read
            upload.changes?.words = try await self.sentences(of: difference, in: venue)
        case (.unchanged, _):
            upload.changes?.words = ChangeDescription.sentences(of: [], language: self.language) { _ in nil }
        default: break
        }
        return upload
    }

    /// A log entry with a description of its changes.
    package func described(_ entry: RevisionStore.LogEntry, of venue: VenueRecord) async throws -> Revision {
        var revision = entry.revision
        revision.changes.words = try await self.sentences(of: entry.describedFacts, in: venue, at: revision.number)
        return revision
    }

    /// Log entries with descriptions of their changes, the newest first; without those that were pruned meanwhile.
    package func described(_ entries: [RevisionStore.LogEntry], of venue: VenueRecord) async throws -> [Revision] {
        var entries = entries
        while !entries.isEmpty {
            do {
                let sentences = try await self.sentences(
                    of: entries.map { ($0.describedFacts, $0.revision.number) }, in: venue)
                return zip(entries, sentences).map { entry, sentences in
                    var revision = entry.revision
                    revision.changes.words = sentences
                    return revision
                }
            } catch StoreError.revisionPruned(_, let first) {
                entries.removeAll { $0.revision.number < first }
            }
        }
        return []
    }
}

extension RevisionStore.LogEntry {
    /// The facts to describe. Where they are too many to be read, one stands for the number of all changes.
    fileprivate var describedFacts: [Fact] {
        if let facts = self.facts { return facts }
        let changes = self.revision.changes
        return [Fact(fact: "feature.changed", count: changes.added + changes.changed + changes.removed, levelID: nil)]
    }
}
