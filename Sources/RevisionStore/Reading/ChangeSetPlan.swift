import IMDF
import SyncModel

/// What a whole change set consists of, in order and without bodies: a pure function of two revisions and of what is held and
/// wanted of them, so that a page is nothing but a place in it.
struct ChangeSetPlan: Sendable {
    struct Block: Sendable {
        let level: FeatureID?
        let ordinal: Int?
        let kind: ChangeSet.Kind
        /// Features to put. Those of a snapshot are counted here and listed when a page needs them.
        var putCount: Int
        /// Empty in a snapshot.
        var puts: [VersionSummary] = []
        var removals: [ChangeSet.Removal] = []

        /// Items on a page. A block without any counts as one, so that a page knows whether it has been sent.
        var weight: Int { max(1, self.putCount + self.removals.count) }
    }

    let blocks: [Block]
    let weight: Int

    /// - Parameters:
    ///   - from: The revision that the client holds, and which of its levels; nil when it holds nothing.
    ///   - changes: Net, from that revision to the other.
    ///   - states: Of every level at `to`.
    init(
        from: (revision: RevisionRecord, held: LevelSet)?, to: RevisionRecord, wanted: LevelSet,
        changes: [FeatureChange], states: [LevelState]
    ) {
        var drafts = Self.drafts(from: from, to: to, wanted: wanted)
        for change in changes { Self.add(change, to: &drafts) }
        let counts = Dictionary(uniqueKeysWithValues: states.map { ($0.level, $0.features) })
        self.blocks = drafts.values
            .filter { $0.kind != .changes || !$0.puts.isEmpty || !$0.removals.isEmpty }
            .sorted(by: Draft.precedes)
            .map { $0.settled(snapshotOf: counts[$0.level] ?? 0) }
        self.weight = self.blocks.reduce(0) { $0 + $1.weight }
    }

    /// Which blocks there can be: wanted and held → changes, wanted alone → snapshot, held alone → gone.
    private static func drafts(
        from: (revision: RevisionRecord, held: LevelSet)?, to: RevisionRecord, wanted: LevelSet
    ) -> [FeatureID?: Draft] {
        var held: [FeatureID: Int?] = [:]
        if let from {
            for (index, level) in from.revision.levels.enumerated() where from.held.contains(index) {
                held[level.id] = .some(level.ordinal)
            }
        }
        var drafts: [FeatureID?: Draft] = [
            nil: Draft(level: nil, ordinal: nil, kind: from == nil ? .snapshot : .changes)
        ]
        for (index, level) in to.levels.enumerated() where wanted.contains(index) {
            let isHeld = held.removeValue(forKey: level.id) != nil
            drafts[level.id] = Draft(level: level.id, ordinal: level.ordinal, kind: isHeld ? .changes : .snapshot)
        }
        for (level, ordinal) in held {
            drafts[level] = Draft(level: level, ordinal: ordinal, kind: .gone)
        }
        return drafts
    }

    private static func add(_ change: FeatureChange, to drafts: inout [FeatureID?: Draft]) {
        if let after = change.after, drafts[after.level]?.kind == .changes {
            drafts[after.level]?.puts.append(after)
        }
        guard let before = change.before, drafts[before.level]?.kind == .changes else { return }
        if let after = change.after {
            guard after.level != before.level else { return }
            drafts[before.level]?.removals.append((before, .moved, after.level))
        } else {
            drafts[before.level]?.removals.append((before, .deleted, nil))
        }
    }

    /// A block before its items are in order.
    private struct Draft {
        let level: FeatureID?
        let ordinal: Int?
        let kind: ChangeSet.Kind
        var puts: [VersionSummary] = []
        var removals: [(version: VersionSummary, reason: ChangeSet.Removal.Reason, movedTo: FeatureID?)] = []

        /// The venue-wide part first, then by ordinal and id.
        static func precedes(_ left: Draft, _ right: Draft) -> Bool {
            guard let leftLevel = left.level, let rightLevel = right.level else {
                return left.level == nil && right.level != nil
            }
            return (left.ordinal ?? .max, leftLevel) < (right.ordinal ?? .max, rightLevel)
        }

        /// What others refer to comes first, and goes last.
        func settled(snapshotOf features: Int) -> Block {
            var block = Block(
                level: self.level, ordinal: self.ordinal, kind: self.kind,
                putCount: self.kind == .snapshot ? features : self.puts.count)
            block.puts = self.puts.sorted(by: VersionSummary.precedes)
            block.removals = self.removals.sorted { VersionSummary.precedes($1.version, $0.version) }
                .map { .init(id: $0.version.feature, type: $0.version.type, reason: $0.reason, movedTo: $0.movedTo) }
            return block
        }
    }
}

extension ChangeSetPlan {
    /// The part of a block that is on a page.
    struct Part: Sendable {
        let block: Block
        let puts: ArraySlice<VersionSummary>
        let removals: ArraySlice<ChangeSet.Removal>
        /// Whether the block began on an earlier page, and whether it ends on this one.
        let isContinued: Bool
        let isLast: Bool
    }

    /// The levels whose snapshot a page of `limit` items may reach into; nil inside is the venue-wide part.
    func snapshots(at offset: Int, limit: Int) -> [FeatureID?] {
        var levels: [FeatureID?] = []
        var start = 0
        for block in self.blocks {
            defer { start += block.weight }
            guard start < offset + limit else { break }
            if block.kind == .snapshot, block.putCount > 0, start + block.weight > offset { levels.append(block.level) }
        }
        return levels
    }

    /// The parts of the page that begins at `offset`, and where the next one begins.
    ///
    /// A page ends after `limit` items or before the item that would take its bodies past `byteLimit`, but has one item at least.
    ///
    /// - Parameter contents: What stands in ``snapshots(at:limit:)``.
    func page(
        at offset: Int, limit: Int, byteLimit: Int, contents: [FeatureID?: [VersionSummary]]
    ) -> (parts: [Part], next: Int) {
        var parts: [Part] = []
        var next = offset
        var bytes = 0
        var start = 0
        for block in self.blocks {
            defer { start += block.weight }
            guard next < start + block.weight else { continue }
            guard next - offset < limit else { break }
            let all = block.kind == .snapshot ? contents[block.level] ?? [] : block.puts
            let first = next - start
            var end = first
            while end < block.weight, start + end - offset < limit {
                if end < all.count {
                    guard start + end == offset || bytes + all[end].bytes <= byteLimit else { break }
                    bytes += all[end].bytes
                }
                end += 1
            }
            guard end > first else { break }
            let removed = max(first - block.putCount, 0)..<max(end - block.putCount, 0)
            parts.append(
                Part(
                    block: block, puts: all[min(first, all.count)..<min(end, all.count)],
                    removals: block.removals.isEmpty ? [] : block.removals[removed],
                    isContinued: first > 0, isLast: end == block.weight))
            next = start + end
            if end < block.weight { break }
        }
        return (parts, next)
    }
}
