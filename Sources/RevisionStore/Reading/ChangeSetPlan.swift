import IMDF
import SyncModel

/// A whole change set in order, without bodies: a pure function of two revisions and of the levels that are held and selected, so
/// that a page is defined by an offset in it.
struct ChangeSetPlan: Sendable {
    struct Block: Sendable {
        let level: FeatureID?
        let ordinal: Int?
        let kind: ChangeSet.Kind
        /// The number of features to put. Those of a snapshot are only listed when a page needs them.
        var versionCount = 0
        /// Empty in a snapshot.
        var versions: [VersionSummary] = []
        var removals: [ChangeSet.Removal] = []

        /// The number of items. An empty block counts as one, so that an offset tells whether it was sent.
        var entryCount: Int { max(1, self.versionCount + self.removals.count) }
    }

    let blocks: [Block]
    let entryCount: Int

    /// - Parameters:
    ///   - from: The revision that the client holds, and which of its levels; nil if it holds nothing.
    ///   - changes: The net changes from that revision to `to`.
    ///   - states: The states of every level at `to`.
    /// - Complexity: O(levels), whatever has changed.
    init(
        from: (revision: RevisionRecord, held: LevelSet)?, to: RevisionRecord, selected: LevelSet,
        changes: NetChanges, states: [LevelState]
    ) {
        let counts = Dictionary(uniqueKeysWithValues: states.map { ($0.level, $0.features) })
        self.blocks = Self.emptyBlocks(from: from, to: to, selected: selected)
            .map { $0.filled(with: changes.levels[$0.level] ?? .init(), snapshotOf: counts[$0.level] ?? 0) }
            .filter { $0.kind != .changes || $0.versionCount > 0 || !$0.removals.isEmpty }
            .sorted { LevelOrder.precedes(($0.level, $0.ordinal), ($1.level, $1.ordinal)) }
        self.entryCount = self.blocks.reduce(0) { $0 + $1.entryCount }
    }

    /// One block for each level: selected and held → changes, only selected → snapshot, only held → gone.
    private static func emptyBlocks(
        from: (revision: RevisionRecord, held: LevelSet)?, to: RevisionRecord, selected: LevelSet
    ) -> [Block] {
        var held: [FeatureID: Int?] = [:]
        if let from {
            for (index, level) in from.revision.levels.enumerated() where from.held.contains(index) {
                held[level.id] = .some(level.ordinal)
            }
        }
        var blocks = [Block(level: nil, ordinal: nil, kind: from == nil ? .snapshot : .changes)]
        for (index, level) in to.levels.enumerated() where selected.contains(index) {
            let isHeld = held.removeValue(forKey: level.id) != nil
            blocks.append(Block(level: level.id, ordinal: level.ordinal, kind: isHeld ? .changes : .snapshot))
        }
        return blocks + held.map { Block(level: $0.key, ordinal: $0.value, kind: .gone) }
    }
}

extension ChangeSetPlan.Block {
    /// - Parameters:
    ///   - changes: Those of the level.
    ///   - features: The number of features of the level.
    fileprivate func filled(with changes: NetChanges.Level, snapshotOf features: Int) -> Self {
        var block = self
        switch self.kind {
        case .snapshot: block.versionCount = features
        case .changes:
            block.versionCount = changes.versions.count
            (block.versions, block.removals) = (changes.versions, changes.removals)
        case .gone: break
        }
        return block
    }
}

extension ChangeSetPlan {
    /// The part of a block that is on a page.
    struct Part: Sendable {
        let block: Block
        let versions: ArraySlice<VersionSummary>
        let removals: ArraySlice<ChangeSet.Removal>
        /// Whether the block began on an earlier page, and whether it ends on this one.
        let isContinued: Bool
        let isLast: Bool
    }

    /// The levels whose snapshots may be on a page of `limit` items; nil in the result is the venue-wide part.
    func snapshots(at offset: Int, limit: Int) -> [FeatureID?] {
        var levels: [FeatureID?] = []
        var start = 0
        for block in self.blocks {
            defer { start += block.entryCount }
            guard start < offset + limit else { break }
            if block.kind == .snapshot, block.versionCount > 0, start + block.entryCount > offset {
                levels.append(block.level)
            }
        }
        return levels
    }

    /// The parts of the page that begins at `offset`, and the offset of the next page.
    ///
    /// A page ends after `limit` items or before the item with which its bodies would exceed `byteLimit`, but has at least one item.
    ///
    /// - Parameter snapshots: The versions of the levels in ``snapshots(at:limit:)``.
    func page(
        at offset: Int, limit: Int, byteLimit: Int, snapshots: [FeatureID?: [VersionSummary]]
    ) -> (parts: [Part], next: Int) {
        var parts: [Part] = []
        var next = offset
        var bytes = 0
        var start = 0
        for block in self.blocks {
            defer { start += block.entryCount }
            guard next < start + block.entryCount else { continue }
            guard next - offset < limit else { break }
            let all = block.kind == .snapshot ? snapshots[block.level] ?? [] : block.versions
            let first = next - start
            var end = first
            while end < block.entryCount, start + end - offset < limit {
                if end < all.count {
                    guard start + end == offset || bytes + all[end].bytes <= byteLimit else { break }
                    bytes += all[end].bytes
                }
                end += 1
            }
            guard end > first else { break }
            let removed = max(first - block.versionCount, 0)..<max(end - block.versionCount, 0)
            parts.append(
                Part(
                    block: block, versions: all[min(first, all.count)..<min(end, all.count)],
                    removals: block.removals.isEmpty ? [] : block.removals[removed],
                    isContinued: first > 0, isLast: end == block.entryCount))
            next = start + end
            if end < block.entryCount { break }
        }
        return (parts, next)
    }
}
