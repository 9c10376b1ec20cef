import IMDF
import IMDFArchive
import RevisionStore
import SyncModel

/// A staged upload, and what differs between the revision that it was compared with and what it would make of it.
struct StagedComparison {
    let store: RevisionStore
    let venue: VenueRecord
    let upload: FeatureID
    let difference: StagedDifference

    init(of upload: FeatureID, in venue: VenueRecord, store: RevisionStore) async throws {
        self.store = store
        self.venue = venue
        self.upload = upload
        self.difference = try await store.stagedDifference(of: upload)
    }

    /// A page of changes by id.
    func page(_ query: DiffQuery, words: ChangeDescriptions) async throws -> DiffPage {
        var page = DiffPage(venue: self.venue.key, from: self.difference.base, to: nil)
        let reader = JSONReader()
        let isWhole = try await self.store.stagedChanges(
            of: self.upload, showing: self.difference, levels: query.levels.levels(among: self.levels()),
            after: query.after, page: .init(limit: query.limit, bytes: query.readBytes), withBodies: query.withBodies
        ) { change in
            try page.add(
                RevisionDiff.Change(
                    id: change.feature, type: change.type,
                    level: change.kind == .removed ? change.levelBefore : change.levelAfter, kind: change.kind,
                    classes: change.classes, before: try change.before.map { try reader.value(of: $0) },
                    after: try change.after.map { try reader.value(of: $0) }), limit: query.limit)
        }
        if !isWhole { page.end() }
        if query.after == nil { page.words = try await words.words(of: self.difference, in: self.venue) }
        return page
    }

    /// The levels of both sides.
    private func levels() async throws -> [RevisionRecord.Level] {
        let base = self.difference.base
        var before: [RevisionRecord.Level] = []
        if base > 0 {
            do {
                before = try await self.store.revision(base, of: self.venue).levels
            } catch StoreError.revisionPruned {}
        }
        return before
            + self.difference.levels.map { level in
                let ordinal = (try? JSONReader.value(of: level.body))?["properties"]?["ordinal"]?.number
                return .init(id: level.id, ordinal: ordinal.flatMap { Int32(exactly: $0) }.map(Int.init))
            }
    }
}
