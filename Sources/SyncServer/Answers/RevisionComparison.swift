import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore
import SyncModel

/// Two revisions of a venue, either way round, and what differs between them.
struct RevisionComparison {
    let store: RevisionStore
    let venue: VenueRecord
    /// 0 for the venue before its first revision.
    let from: Int64
    let to: Int64

    /// Ids stand for features wherever they stand, so an array of them is a set.
    private static let sameness = Equivalence { _ in true }

    /// The levels of both revisions that a selection names; nil for everything. `nil` inside is the venue-wide part.
    func levels(selectedBy selection: LevelSelection) async throws -> [FeatureID?]? {
        let levels = try await self.levels(at: self.from) + self.levels(at: self.to)
        return selection.levels(among: levels)
    }

    /// Puts changes on a page, by id.
    func add(to page: inout DiffPage, _ query: DiffQuery) async throws {
        let levels = try await self.levels(selectedBy: query.levels)
        let isWhole = try await self.store.changedBodies(
            in: self.venue, from: self.from, to: self.to, levels: levels, after: query.after,
            page: .init(limit: query.limit, bytes: query.readBytes)
        ) { id, before, after in
            let (before, after) = (try before.map(Side.init), try after.map(Side.init))
            let change = Self.change(of: id, from: before, to: after)
            try page.add(
                RevisionDiff.Change(
                    id: id, type: change.type, level: change.level, kind: .init(change.kind),
                    classes: change.classes.names, before: query.withBodies ? before?.body : nil,
                    after: query.withBodies ? after?.body : nil), limit: query.limit)
        }
        if !isWhole { page.end() }
    }

    /// What the change log says of all of it, and how much it is.
    func summary() async throws -> (facts: [Fact], counts: ChangeCounts) {
        let changes = try await self.changes(on: nil) { _ in true }
        let ordinals = try await self.ordinals()
        var facts = Fact.facts(of: changes, ordinals: ordinals)
        if try await self.manifestDiffers() { facts.append(.manifestChanged) }
        return (facts, ChangeCounts(of: changes, ordinals: ordinals))
    }

    /// The same of some features, which belong to these levels or are venue-wide.
    func summary(
        of features: Set<FeatureID>, on levels: Set<FeatureID>
    ) async throws -> (facts: [Fact], counts: ChangeCounts) {
        let changes = try await self.changes(on: levels.map(Optional.some) + [nil], where: features.contains)
        let ordinals = try await self.ordinals()
        return (Fact.facts(of: changes, ordinals: ordinals), ChangeCounts(of: changes, ordinals: ordinals))
    }

    private func changes(
        on levels: [FeatureID?]?, where isWanted: (FeatureID) -> Bool
    ) async throws -> [Change] {
        var changes: [Change] = []
        try await self.store.changedBodies(
            in: self.venue, from: self.from, to: self.to, levels: levels
        ) { id, before, after in
            guard isWanted(id) else { return }
            changes.append(Self.change(of: id, from: try before.map(Side.init), to: try after.map(Side.init)))
        }
        return changes
    }

    /// Where the levels of both ends are; at `to` when both have one.
    private func ordinals() async throws -> [FeatureID: Int] {
        var ordinals: [FeatureID: Int] = [:]
        for number in [self.from, self.to] {
            for level in try await self.levels(at: number) { ordinals[level.id] = level.ordinal }
        }
        return ordinals
    }

    private func levels(at number: Int64) async throws -> [RevisionRecord.Level] {
        number == 0 ? [] : try await self.store.revision(number, of: self.venue).levels
    }

    private func manifestDiffers() async throws -> Bool {
        guard self.from > 0 else { return false }  // the first one is no change
        return try await self.store.manifestDiffers(in: self.venue, from: self.from, to: self.to)
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
        var classes = Self.sameness.classes(from: before.body, to: after.body)
        if before.level != after.level { classes.insert(.level) }
        // Two bodies were stored, so there is a difference, if only to the letter.
        if classes.isEmpty { classes = .other }
        return Change(
            id: id, kind: .changed, type: after.type, levelBefore: before.level, levelAfter: after.level,
            classes: classes)
    }
}

extension LevelSelection {
    /// The levels that the selection names; nil for everything. `nil` inside is the venue-wide part.
    func levels(among levels: [RevisionRecord.Level]) -> [FeatureID?]? {
        guard let names = self.names else { return nil }
        let named = levels.filter { self.includes(level: $0.id, ordinal: $0.ordinal) }
        return Set(named.map(\.id)).map(Optional.some) + (names.contains(.venueWide) ? [nil] : [])
    }
}

extension RevisionDiff.Change.Kind {
    fileprivate init(_ kind: Change.Kind) {
        self =
            switch kind {
            case .added: .added
            case .changed: .changed
            case .removed: .removed
            }
    }
}
