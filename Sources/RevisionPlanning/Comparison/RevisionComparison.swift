package import IMDF
import IMDFArchive
import IMDFDiff
package import RevisionStore
package import SyncModel

/// The difference between two revisions of a venue, in either direction.
package struct RevisionComparison: Sendable {
    let revisions: RevisionReader
    package let venue: VenueRecord
    /// 0 for the venue before its first revision.
    package let from: Int64
    package let to: Int64

    package init(revisions: RevisionReader, venue: VenueRecord, from: Int64, to: Int64) {
        self.revisions = revisions
        self.venue = venue
        self.from = from
        self.to = to
    }

    /// Passes the changes of a page to a closure, by id.
    ///
    /// - Returns: Whether there are no more changes.
    package func changes(
        _ query: DiffQuery, _ body: (RevisionDiff.Change) throws -> Void
    ) async throws -> Bool {
        let levels = try await query.levels.levels(among: self.levels(at: self.from) + self.levels(at: self.to))
        return try await self.revisions.store.changedBodies(
            in: self.venue, from: self.from, to: self.to, levels: levels, after: query.after,
            page: .init(limit: query.limit, bytes: query.readBytes)
        ) { id, before, after in
            let (before, after) = (try before.map(Side.init), try after.map(Side.init))
            let change = Self.change(of: id, from: before, to: after)
            try body(
                RevisionDiff.Change(
                    id: id, type: change.type, level: change.level, kind: .init(change.kind),
                    classes: change.classes.names, before: query.withBodies ? before?.body : nil,
                    after: query.withBodies ? after?.body : nil))
        }
    }

    /// What edits made of the features at `to`.
    package func origins(of features: [FeatureID]) async throws -> [FeatureID: [HistoryEntry.Origin]] {
        guard !features.isEmpty else { return [:] }
        let overrides = try await self.revisions.store.overrides(of: self.venue, at: self.to, features: features)
        return Dictionary(grouping: overrides.overrides, by: \.feature).mapValues(HistoryEntry.Origin.origins)
    }

    /// The sentences about the whole difference.
    package func sentences(by describer: ChangeDescriber) async throws -> [String] {
        try await describer.sentences(of: self.summary().facts, in: self.venue, at: max(self.from, self.to))
    }

    /// The facts and the counts of the whole difference.
    func summary() async throws -> (facts: [Fact], changes: ChangeSummary) {
        let changes = try await self.changes(on: nil) { _ in true }
        let ordinals = try await self.ordinals()
        var facts = Fact.facts(of: changes, ordinals: ordinals)
        if try await self.manifestDiffers() { facts.append(.manifestChanged) }
        return (facts, ChangeSummary(of: changes, ordinals: ordinals))
    }

    /// The facts and the counts of some features, which belong to these levels or are venue-wide.
    func summary(
        of features: Set<FeatureID>, on levels: Set<FeatureID>
    ) async throws -> (facts: [Fact], changes: ChangeSummary) {
        let changes = try await self.changes(on: levels.map(Optional.some) + [nil], where: features.contains)
        let ordinals = try await self.ordinals()
        return (Fact.facts(of: changes, ordinals: ordinals), ChangeSummary(of: changes, ordinals: ordinals))
    }

    private func changes(
        on levels: [FeatureID?]?, where isIncluded: (FeatureID) -> Bool
    ) async throws -> [Change] {
        var changes: [Change] = []
        try await self.revisions.store.changedBodies(
            in: self.venue, from: self.from, to: self.to, levels: levels
        ) { id, before, after in
            guard isIncluded(id) else { return }
            changes.append(Self.change(of: id, from: try before.map(Side.init), to: try after.map(Side.init)))
        }
        if changes.haveMovedAnchors, self.to > 0 { changes.countMovedOccupants(try await self.anchoredOccupants()) }
        return changes
    }

    private func anchoredOccupants() async throws -> [(occupant: FeatureID, anchor: FeatureID)] {
        let reader = JSONReader()
        return try await self.revisions.store
            .features(of: self.venue, at: self.to, where: FeatureFilter(types: [.occupant]))
            .compactMap { occupant in
                let references = try reader.references(of: occupant.body, type: .occupant)
                return references.first { $0.role == .anchor }.map { (occupant.id, $0.target) }
            }
    }

    /// The ordinals of the levels of both revisions; those at `to` where both have the level.
    private func ordinals() async throws -> [FeatureID: Int] {
        var ordinals: [FeatureID: Int] = [:]
        for number in [self.from, self.to] {
            for level in try await self.levels(at: number) { ordinals[level.id] = level.ordinal }
        }
        return ordinals
    }

    private func levels(at number: Int64) async throws -> [RevisionRecord.Level] {
        number == 0 ? [] : try await self.revisions.revision(number, of: self.venue).levels
    }

    private func manifestDiffers() async throws -> Bool {
        guard self.from > 0 else { return false }  // the first manifest is no change
        return try await self.revisions.store.manifestDiffers(in: self.venue, from: self.from, to: self.to)
    }

    private struct Side {
        let type: FeatureType
        let level: FeatureID?
        let body: JSONValue

        init(_ record: FeatureRecord) throws {
            self.type = record.type
            self.level = record.level
            self.body = try JSONReader.value(of: record.body)
        }
    }

    private static func change(of id: FeatureID, from before: Side?, to after: Side?) -> Change {
        guard let before, let after else {
            return Change(
                id: id, kind: before == nil ? .added : .removed,
                type: (after ?? before)?.type ?? FeatureType(rawValue: ""),
                levelBefore: before?.level, levelAfter: after?.level)
        }
        var classes = ChangeClasses(from: before.body, on: before.level, to: after.body, on: after.level)
        // Two bodies are stored, so they differ at least in their bytes.
        if classes.isEmpty { classes = .other }
        return Change(
            id: id, kind: .changed, type: after.type, typeBefore: before.type, levelBefore: before.level,
            levelAfter: after.level,
            classes: classes)
    }
}

extension ChangeClasses {
    /// Every id in a stored body is a reference to a feature, so the order of an array of ids has no meaning.
    private static let equivalence = Equivalence { _ in true }

    /// Between two stored versions of a feature.
    init(from before: JSONValue, on levelBefore: FeatureID?, to after: JSONValue, on levelAfter: FeatureID?) {
        self = Self.equivalence.classes(from: before, to: after)
        if levelBefore != levelAfter { self.insert(.level) }
    }
}

extension RevisionDiff.Change.Kind {
    init(_ kind: Change.Kind) {
        self =
            switch kind {
            case .added: .added
            case .changed: .changed
            case .removed: .removed
            }
    }
}
