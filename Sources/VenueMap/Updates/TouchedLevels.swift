import IMDF

/// Determines the levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to,
/// if those are held. The server does the same for a whole revision, but change sets do not contain the result.
struct TouchedLevels: Sendable {
    /// The references of features without a level, so that each feature is read once.
    private var references: [FeatureID: [FeatureID]] = [:]
    /// The features without a level that refer to an id; ascending.
    private var sources: [FeatureID: [FeatureID]] = [:]

    /// The longest path of references that is followed, such as occupant, anchor, unit.
    private static let maximumDepth = 3
    /// A feature that leads to more levels belongs to the whole venue, and touches none of them. This bounds the results for hostile data.
    private static let maximumLevels = 1_000

    /// Types that are on no level, and whose references are not followed.
    static let typesWithoutLevel: Set<FeatureType> = [.level, .venue, .address, .building, .footprint]

    /// Records the references of a feature that was added or replaced; nil for a feature that was removed.
    mutating func update(_ id: FeatureID, _ feature: MapFeature?) {
        for target in self.references.removeValue(forKey: id) ?? [] { self.sources[target]?.removeSorted(id) }
        guard let feature, feature.placement.level == nil, !Self.typesWithoutLevel.contains(feature.type) else {
            return
        }
        let references = Self.references(in: .object(feature.properties))
        self.references[id] = references
        for target in references { self.sources[target, default: []].insertSorted(id) }
    }

    /// The features whose touched levels may differ after changes of the given features, including these.
    func features(affectedBy ids: some Sequence<FeatureID>) -> Set<FeatureID> {
        var found = Set(ids)
        var layer = Array(found)
        for _ in 0..<Self.maximumDepth where !layer.isEmpty {
            layer = layer.flatMap { self.sources[$0] ?? [] }.filter { found.insert($0).inserted }
        }
        return found
    }

    /// The levels that each of some features touches, ascending.
    ///
    /// - Complexity: O(references), besides the lengths of the results: where its references lead is determined once for each feature.
    func levels(
        of ids: some Sequence<FeatureID>, in features: [FeatureID: MapFeature]
    ) -> [(id: FeatureID, levels: [FeatureID])] {
        var reach = Reach(references: self.references, features: features)
        // Features that touch the same levels share one array.
        var lists: [LevelBits: [FeatureID]] = [:]
        return ids.map { id in
            let found = reach.bits(of: id, depth: Self.maximumDepth)
            if let known = lists[found] { return (id, known) }
            let levels = found.count > Self.maximumLevels ? [] : reach.levels(of: found)
            lists[found] = levels
            return (id, levels)
        }
    }

    private static func references(in value: JSONValue) -> [FeatureID] {
        switch value {
        case .string(let text): FeatureID(text).map { [$0] } ?? []
        case .array(let elements): elements.flatMap(self.references)
        case .object(let object): object.members.flatMap { self.references(in: $0.value) }
        default: []
        }
    }
}

/// The levels to which features lead.
private struct Reach {
    private struct Path: Hashable {
        let id: FeatureID
        /// The number of references that may be followed.
        let depth: Int
    }

    private let references: [FeatureID: [FeatureID]]
    private let features: [FeatureID: MapFeature]
    private var known: [Path: LevelBits] = [:]
    /// Sets of levels have a bit for each level: its index in this list.
    private var levels: [FeatureID] = []
    private var indices: [FeatureID: Int] = [:]

    init(references: [FeatureID: [FeatureID]], features: [FeatureID: MapFeature]) {
        self.references = references
        self.features = features
    }

    mutating func bits(of id: FeatureID, depth: Int) -> LevelBits {
        let path = Path(id: id, depth: depth)
        if let known = self.known[path] { return known }
        var found = LevelBits()
        for target in self.references[id] ?? [] {
            guard let feature = self.features[target] else { continue }
            if let level = feature.type == .level ? target : feature.placement.level {
                found.insert(self.index(of: level))
            } else if depth > 1 {
                // Features whose references are not followed have none here.
                found.formUnion(self.bits(of: target, depth: depth - 1))
            }
        }
        self.known[path] = found
        return found
    }

    /// Ascending.
    func levels(of bits: LevelBits) -> [FeatureID] {
        bits.indices.map { self.levels[$0] }.sorted()
    }

    private mutating func index(of level: FeatureID) -> Int {
        if let index = self.indices[level] { return index }
        self.indices[level] = self.levels.count
        self.levels.append(level)
        return self.levels.count - 1
    }
}

/// A set of levels, with a bit for each.
private struct LevelBits: Hashable {
    /// The last word is not 0.
    private var words: [UInt64] = []

    var count: Int { self.words.reduce(0) { $0 + $1.nonzeroBitCount } }

    var indices: [Int] {
        var indices: [Int] = []
        for (index, word) in self.words.enumerated() {
            var rest = word
            while rest != 0 {
                indices.append(64 * index + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return indices
    }

    mutating func insert(_ index: Int) {
        self.extend(to: index / 64 + 1)
        self.words[index / 64] |= 1 << UInt64(index % 64)
    }

    mutating func formUnion(_ other: LevelBits) {
        self.extend(to: other.words.count)
        for (index, word) in other.words.enumerated() { self.words[index] |= word }
    }

    private mutating func extend(to count: Int) {
        guard self.words.count < count else { return }
        self.words += repeatElement(0, count: count - self.words.count)
    }
}
