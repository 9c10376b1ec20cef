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

    /// The sentences of several revisions: the names of all levels are read in one statement.
    ///
    /// - Parameter revisions: the newest first; at least one.
    private func sentences(
        of revisions: [(facts: [Fact], number: Int64)], in venue: VenueRecord
    ) async throws -> [[String]] {
        var named: [(id: FeatureID, revision: Int64)] = []
        for (facts, number) in revisions { named += ChangeDescription.namedLevels(in: facts).map { ($0, number) } }
        let names = try await self.names(of: named, in: venue, since: revisions.last?.number ?? 0)
        return revisions.map { facts, number in
            ChangeDescription.sentences(of: facts, language: self.language) {
                names[NamedLevel(id: $0, revision: number)]
            }
        }
    }

    /// The sentences of a staged upload, with the level names that it would publish.
    func sentences(of difference: StagedDifference, in venue: VenueRecord) async throws -> [String] {
        guard let facts = try difference.facts() else { return [] }
        let base = difference.base
        var names: [NamedLevel: String] = [:]
        if base > 0 {
            do {
                let named = ChangeDescription.namedLevels(in: facts).map { (id: $0, revision: base) }
                names = try await self.names(of: named, in: venue, since: base)
            } catch StoreError.revisionPruned {
                // Levels that do not change have no name then.
            }
        }
        for level in difference.levels {
            names[NamedLevel(id: level.id, revision: base)] = ChangeDescription.levelName(
                in: level.body, language: self.language)
        }
        return ChangeDescription.sentences(of: facts, language: self.language) {
            names[NamedLevel(id: $0, revision: base)]
        }
    }

    private struct NamedLevel: Hashable {
        let id: FeatureID
        let revision: Int64
    }

    /// The names of levels at revisions that are not older than `oldest`.
    private func names(
        of levels: [(id: FeatureID, revision: Int64)], in venue: VenueRecord, since oldest: Int64
    ) async throws -> [NamedLevel: String] {
        guard !levels.isEmpty else { return [:] }
        var names: [NamedLevel: String] = [:]
        try await self.store.levelBodies(levels, of: venue, since: oldest) { indices, body in
            let name = ChangeDescription.levelName(in: body, language: self.language)
            for level in indices.map({ levels[$0] }) {
                names[NamedLevel(id: level.id, revision: level.revision)] = name
            }
        }
        return names
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
        case (.staged, _):
            guard let id = UploadID(upload.id), let venue = try? await self.store.venue(upload.venue),
                let difference = try? await self.store.stagedDifference(of: id)
            else { return upload }  // published or discarded meanwhile
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

extension ChangeDescription {
    /// The short name of a level, or else its name, cut to a length that fits into a sentence.
    static func levelName(in body: [UInt8], language: String) -> String? {
        let properties = (try? JSONReader.value(of: body))?["properties"]
        return ["short_name", "name"].lazy.compactMap { Labels(properties?[$0])?.text(for: [language]) }.first
            .map { $0.excerpt(characters: 60, bytes: 240) }
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
