import Caching
package import IMDF
import SyncModel

/// What a client holds that the delta form of a page is described with, without the bodies.
package struct HeldFeatures: Sendable {
    /// A held feature.
    package struct Reference: Sendable {
        package let version: VersionSummary
        /// The index in the features of the level, in the order of their ids.
        package let rank: Int
    }

    /// Versions of one type on one level, in the order of their ids.
    package struct Context: Sendable {
        package let level: FeatureID?
        package let type: FeatureType
        package let versions: [VersionSummary]
    }

    /// The ids of the held levels, ascending.
    package let levels: [FeatureID]
    /// By the feature of the page: its former version, or a held feature of the same type.
    package fileprivate(set) var sources: [FeatureID: Reference] = [:]
    /// The ranks of the removed features of each block.
    package fileprivate(set) var removed: [[Int]] = []
    package fileprivate(set) var context: Context?
    /// The held levels that the page concerns, and the features that changed.
    fileprivate var orders: [FeatureID?: HeldLevel] = [:]
    fileprivate var changed: Set<FeatureID> = []

    /// A held feature of a level that the page concerns, unless it has changed.
    package func unchanged(_ feature: FeatureID, on level: FeatureID?) -> Reference? {
        guard !self.changed.contains(feature), let order = self.orders[level], let version = order.version(of: feature)
        else { return nil }
        return Reference(version: version, rank: order.rank(of: feature))
    }
}

/// The features of a level at the revision that the client holds, derived from those at a later one.
struct HeldLevel: Sendable {
    /// At the later revision, by id.
    let versions: [VersionSummary]
    /// Features that came to the level in between, and those that left it, ascending.
    let entered: [FeatureID]
    let left: [FeatureID]

    /// - Parameter changes: Those of features that were or are on the level.
    init(_ level: FeatureID?, versions: [VersionSummary], changes: [FeatureChange]) {
        self.versions = versions
        self.entered = changes.filter { !$0.wasOn(level) }.map(\.feature).sorted()
        self.left = changes.filter { !$0.isOn(level) }.map(\.feature).sorted()
    }

    /// The version of a feature at the later revision.
    func version(of feature: FeatureID) -> VersionSummary? {
        let index = self.versions.lowerBound { $0.feature < feature }
        return index < self.versions.count && self.versions[index].feature == feature ? self.versions[index] : nil
    }

    /// The rank of a feature that was on the level.
    func rank(of feature: FeatureID) -> Int {
        self.versions.lowerBound { $0.feature < feature } - self.entered.lowerBound { $0 < feature }
            + self.left.lowerBound { $0 < feature }
    }
}

extension FeatureChange {
    fileprivate func wasOn(_ level: FeatureID?) -> Bool { self.before.map { $0.level == level } ?? false }

    fileprivate func isOn(_ level: FeatureID?) -> Bool { self.after.map { $0.level == level } ?? false }
}

extension Array {
    /// The number of elements at the beginning that satisfy a condition, which no later one does.
    fileprivate func lowerBound(_ precedes: (Element) -> Bool) -> Int {
        var (low, high) = (0, self.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension RevisionReader {
    /// Bounds, so that a page costs little more to read than its own bodies.
    private enum Limit {
        static let sourceBytes = 16 << 20
        static let contextBytes = 24 << 10
        /// Bodies of a page for which a context is of use.
        static let pageBytes = 64 << 10
    }

    /// What the client holds that the features of a page can be described with.
    ///
    /// - Complexity: Proportional to the changes between the two revisions, when the levels are cached.
    func heldFeatures(
        for page: ChangeSetPagePlan, from: (revision: RevisionRecord, held: LevelSet), to: RevisionRecord,
        changes: [FeatureChange], in venue: VenueRecord, states: [LevelState]
    ) async throws -> HeldFeatures {
        let held = from.revision.levels.enumerated().filter { from.held.contains($0.offset) }.map(\.element.id).sorted()
        let isHeld = Set(held)
        var wanted = Set(page.versions.joined().map(\.feature))
        for block in page.header.blocks { wanted.formUnion(block.removed.map(\.id)) }
        var before: [FeatureID: VersionSummary] = [:]
        for change in changes where wanted.contains(change.feature) {
            guard let version = change.before, version.level.map(isHeld.contains) ?? true else { continue }
            before[change.feature] = version
        }
        var levels = Set(before.values.map(\.level))
        for (block, versions) in zip(page.header.blocks, page.versions) where block.kind == .changes {
            if versions.contains(where: { before[$0.feature] == nil }) { levels.insert(block.level) }
        }
        let orders = try await self.heldLevels(
            levels, from: from.revision, to: to, changes: changes, in: venue, states: states)
        func reference(_ version: VersionSummary) -> HeldFeatures.Reference? {
            orders[version.level].map { .init(version: version, rank: $0.rank(of: version.feature)) }
        }
        var features = HeldFeatures(levels: held)
        features.removed = page.header.blocks.map { block in
            block.removed.compactMap { before[$0.id].flatMap(reference)?.rank }
        }
        let changed = Set(changes.map(\.feature))
        (features.orders, features.changed) = (orders, changed)
        var bytes = 0
        for (block, versions) in zip(page.header.blocks, page.versions) where block.kind == .changes {
            var examples: [FeatureType: VersionSummary?] = [:]
            for version in versions {
                var source = before[version.feature]
                if source == nil {
                    if examples[version.type] == nil {
                        examples[version.type] = .some(
                            orders[block.level]?.versions.first {
                                $0.type == version.type && !changed.contains($0.feature)
                            })
                    }
                    source = examples[version.type] ?? nil
                }
                guard let source, source.bytes <= 4 * version.bytes + 4_096,
                    bytes + source.bytes <= Limit.sourceBytes
                else { continue }
                bytes += source.bytes
                features.sources[version.feature] = reference(source)
            }
        }
        if page.bytes <= Limit.pageBytes {
            features.context = Self.context(for: page, before, orders, changes: changes, changed: changed)
        }
        return features
    }

    /// The beginning of the held features of the most frequent type among those that changed.
    private static func context(
        for page: ChangeSetPagePlan, _ before: [FeatureID: VersionSummary], _ orders: [FeatureID?: HeldLevel],
        changes: [FeatureChange], changed: Set<FeatureID>
    ) -> HeldFeatures.Context? {
        struct Kind: Hashable {
            let level: FeatureID?
            let type: FeatureType
        }
        var counts: [Kind: Int] = [:]
        for version in page.versions.joined() {
            guard let former = before[version.feature] else { continue }
            counts[Kind(level: former.level, type: former.type), default: 0] += 1
        }
        let best = counts.max { ($0.value, $0.key.type.rawValue) < ($1.value, $1.key.type.rawValue) }
        guard let kind = best?.key, let order = orders[kind.level] else { return nil }
        let unchanged = order.versions.filter { $0.type == kind.type && !changed.contains($0.feature) }
        let former = changes.compactMap(\.before).filter { $0.type == kind.type && $0.level == kind.level }
        var versions: [VersionSummary] = []
        var bytes = 0
        for version in (unchanged + former).sorted(by: { $0.feature < $1.feature }) {
            bytes += version.bytes + 1
            guard bytes <= Limit.contextBytes else { break }
            versions.append(version)
        }
        return .init(level: kind.level, type: kind.type, versions: versions)
    }

    private func heldLevels(
        _ levels: Set<FeatureID?>, from: RevisionRecord, to: RevisionRecord, changes: [FeatureChange],
        in venue: VenueRecord, states: [LevelState]
    ) async throws -> [FeatureID?: HeldLevel] {
        let toKey = RevisionCache.RevisionKey(to.number, of: venue)
        let fromKey = RevisionCache.RevisionKey(from.number, of: venue)
        let existing = Set(states.map(\.level))
        var touching: [FeatureID?: [FeatureChange]] = [:]
        for change in changes {
            let (before, after) = (change.before, change.after)
            if let before, levels.contains(before.level) { touching[before.level, default: []].append(change) }
            if let after, after.level != before?.level || before == nil, levels.contains(after.level) {
                touching[after.level, default: []].append(change)
            }
        }
        var orders: [FeatureID?: [VersionSummary]] = [:]
        var missing: [FeatureID?] = []
        for level in levels {
            if !existing.contains(level) {
                orders[level] = []
            } else if let versions = self.cache.levelOrders.value(for: .init(revision: toKey, level: level)) {
                orders[level] = versions
            } else if let versions = self.cache.levelOrders.value(for: .init(revision: fromKey, level: level)) {
                orders[level] = versions.applying(touching[level] ?? [], on: level)
            } else {
                missing.append(level)
            }
        }
        if !missing.isEmpty {
            let versions = try await self.versions(of: missing, in: venue, at: to, states: states)
            for level in missing { orders[level] = (versions[level] ?? []).sorted { $0.feature < $1.feature } }
        }
        for (level, versions) in orders where existing.contains(level) {
            self.cache.levelOrders.keep(
                versions, for: .init(revision: toKey, level: level), cost: 1 + versions.count)
        }
        return Dictionary(
            uniqueKeysWithValues: orders.map { level, versions in
                (level, HeldLevel(level, versions: versions, changes: touching[level] ?? []))
            })
    }
}

extension [VersionSummary] {
    /// The versions of a level after some changes, by id.
    fileprivate func applying(_ changes: [FeatureChange], on level: FeatureID?) -> [VersionSummary] {
        let changed = Set(changes.map(\.feature))
        let kept = self.filter { !changed.contains($0.feature) }
        return (kept + changes.compactMap(\.after).filter { $0.level == level }).sorted { $0.feature < $1.feature }
    }
}
