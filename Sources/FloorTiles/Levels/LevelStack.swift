import Caching
import Synchronization

/// Levels that one image shows, such as those with the same ordinal.
struct LevelStack: Sendable {
    /// In the order in which they are painted: those outside of buildings first, then larger before smaller ones, so that a site does not
    /// cover the buildings on it.
    let levels: [PreparedLevel]
    /// Whether the levels compete for places of labels.
    let sharesPlaces: Bool

    init(_ levels: [PreparedLevel]) {
        guard levels.count > 1 else {
            (self.levels, self.sharesPlaces) = (levels, false)
            return
        }
        self.levels = levels.sorted(by: PreparedLevel.isPaintedBefore)
        self.sharesPlaces = Self.overlap(levels)
    }

    /// Whether the boxes of any two levels overlap, or a level has no outline that would keep its labels in.
    private static func overlap(_ levels: [PreparedLevel]) -> Bool {
        let boxes = levels.compactMap { level in level.box.map { (level, $0) } }.sorted { $0.1.minX < $1.1.minX }
        for (index, (level, box)) in boxes.enumerated() {
            if level.facade.box == nil, boxes.count > 1 { return true }
            for (_, other) in boxes[(index + 1)...] {
                if other.minX > box.maxX { break }
                if other.intersects(box) { return true }
            }
        }
        return false
    }
}

extension PreparedLevel {
    static func isPaintedBefore(_ left: PreparedLevel, _ right: PreparedLevel) -> Bool {
        if left.isOutdoor != right.isOutdoor { return left.isOutdoor }
        return (-left.area, left.id) < (-right.area, right.id)
    }

    /// Numbers that are never given twice.
    final class NumberSequence: Sendable {
        private let last = Atomic<UInt64>(0)

        func next() -> UInt64 { self.last.wrappingAdd(1, ordering: .relaxed).newValue }
    }
}

/// The labels of levels that compete for places, for some combinations of levels, zoom and language.
final class StackLabels: Sendable {
    private struct Key: Hashable {
        let levels: [UInt64]
        let zoom: Int
        /// Of each level, as it matters for it.
        let languages: [String?]
    }

    private let kept = LRUCache<Key, [PlacedLabels]>(cost: 200_000)

    /// Those of each level, in the order of the levels.
    ///
    /// - Parameter shouldStop: Called before each candidate; the rest has no labels then.
    func labels(
        of stack: LevelStack, zoom: Int, language: String?, by engine: TextEngine, shouldStop: () -> Bool
    ) -> [PlacedLabels] {
        guard stack.sharesPlaces else {
            return stack.levels.map { $0.placedLabels(zoom, language, engine, shouldStop: shouldStop) }
        }
        let key = Key(
            levels: stack.levels.map(\.number), zoom: zoom,
            languages: stack.levels.map { $0.effectiveLanguage(language) })
        if let labels = self.kept.value(for: key) { return labels }
        let labels = LabelPlacement.labels(
            of: stack.levels, zoom: zoom, language: language, by: engine, shouldStop: shouldStop
        ).map { PlacedLabels($0) }
        if !shouldStop() { self.kept.keep(labels, for: key, cost: labels.reduce(100) { $0 + $1.labels.count }) }
        return labels
    }
}
