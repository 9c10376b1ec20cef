import IMDF
import IMDFArchive
package import RevisionStore
package import SyncModel

/// The difference between a staged upload and the revision that it was compared with.
package struct StagedComparison: Sendable {
    let revisions: RevisionReader
    package let venue: VenueRecord
    let upload: UploadID
    package let difference: StagedDifference

    package init(of upload: UploadID, in venue: VenueRecord, revisions: RevisionReader) async throws {
        self.revisions = revisions
        self.venue = venue
        self.upload = upload
        self.difference = try await revisions.store.stagedDifference(of: upload)
    }

    /// Passes the changes of a page to a closure, by id.
    ///
    /// - Returns: Whether there are no more changes.
    package func changes(
        _ query: DiffQuery, _ body: (RevisionDiff.Change) throws -> Void
    ) async throws -> Bool {
        let reader = JSONReader()
        return try await self.revisions.store.stagedChanges(
            of: self.upload, showing: self.difference, levels: query.levels.levels(among: self.levels()),
            after: query.after, page: .init(limit: query.limit, bytes: query.readBytes), withBodies: query.withBodies
        ) { change in
            try body(
                RevisionDiff.Change(
                    id: change.feature, type: change.type,
                    level: change.kind == .removed ? change.levelBefore : change.levelAfter, kind: change.kind,
                    classes: change.classes, before: try change.before.map { try reader.value(of: $0) },
                    after: try change.after.map { try reader.value(of: $0) }))
        }
    }

    /// The sentences about the whole difference.
    package func sentences(by describer: ChangeDescriber) async throws -> [String] {
        try await describer.sentences(of: self.difference, in: self.venue)
    }

    /// The levels of both sides.
    private func levels() async throws -> [RevisionRecord.Level] {
        let base = self.difference.base
        var before: [RevisionRecord.Level] = []
        if base > 0 {
            do {
                before = try await self.revisions.revision(base, of: self.venue).levels
            } catch StoreError.revisionPruned {}
        }
        return before
            + self.difference.levels.map { level in
                let ordinal = (try? JSONReader.value(of: level.body))?["properties"]?["ordinal"]?.number
                return .init(id: level.id, ordinal: ordinal.flatMap { Int32(exactly: $0) }.map(Int.init))
            }
    }
}
