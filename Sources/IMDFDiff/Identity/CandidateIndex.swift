import IMDF

/// An index of stored feature profiles, for finding candidates by name, contact, neighborhood and position.
struct CandidateIndex {
    private struct Cell: Hashable {
        let level: Int32
        let x: Int
        let y: Int
    }

    private let profiles: [FeatureProfile]
    private let indices: [Int32: Int]
    private var byName: [String: [Int]] = [:]
    private var byContact: [String: [Int]] = [:]
    private var byCell: [Cell: [Int]] = [:]

    /// Up to this number of profiles, all are candidates.
    private static let few = 24
    /// The limit of keys and of profiles per key.
    private static let most = 24
    /// The limit of candidates that are found in each of these ways.
    private static let mostInAll = 4 * most
    /// The limits of profiles of a cell that are ranked by distance, and of nearest ones that are candidates.
    private static let mostOfCell = 256
    private static let mostNear = 48
    /// About 25 meters.
    private static let cellSize = 2.5e-4

    init(_ profiles: [FeatureProfile]) {
        self.profiles = profiles
        self.indices = Dictionary(uniqueKeysWithValues: profiles.enumerated().map { ($1.number, $0) })
        for (index, profile) in profiles.enumerated() {
            for name in profile.names { self.byName[name, default: []].append(index) }
            for contact in profile.contacts { self.byContact[contact, default: []].append(index) }
            if let cell = Self.cell(of: profile) { self.byCell[cell, default: []].append(index) }
        }
    }

    /// The indices of candidates for an arrived feature, ascending.
    func candidates(for arrival: FeatureProfile, among matching: Matching) -> [Int] {
        if self.profiles.count <= Self.few { return Array(self.profiles.indices) }
        var found: Set<Int> = []
        found.formUnion(Self.profiles(with: arrival.names, in: self.byName))
        found.formUnion(Self.profiles(with: arrival.contacts, in: self.byContact))
        found.formUnion(matching.neighbours(of: arrival.number, most: Self.most).compactMap { self.indices[$0] })
        found.formUnion(self.nearest(to: arrival))
        return found.sorted()
    }

    private static func profiles(with keys: Set<String>, in index: [String: [Int]]) -> some Sequence<Int> {
        keys.sorted().prefix(self.most).lazy.flatMap { (index[$0] ?? []).prefix(self.most) }.prefix(self.mostInAll)
    }

    /// The nearest profiles. If thousands share a position, the rest would not be better candidates, but comparing them would take
    /// most of the time.
    private func nearest(to arrival: FeatureProfile) -> [Int] {
        guard let cell = Self.cell(of: arrival), let center = arrival.center else { return [] }
        var near: [Int] = []
        for x in cell.x - 1...cell.x + 1 {
            for y in cell.y - 1...cell.y + 1 {
                for level in Set([cell.level, -1]) {
                    near += (self.byCell[Cell(level: level, x: x, y: y)] ?? []).prefix(Self.mostOfCell)
                }
            }
        }
        guard near.count > Self.mostNear else { return near }
        var nearest = NearestFew(limit: Self.mostNear)
        for index in near {
            guard let other = self.profiles[index].center else { continue }
            let (x, y) = (other.x - center.x, other.y - center.y)
            nearest.insert(index, at: x * x + y * y)
        }
        return nearest.indices
    }

    private static func cell(of profile: FeatureProfile) -> Cell? {
        guard let center = profile.center, abs(center.x) < 1e6, abs(center.y) < 1e6 else { return nil }
        return Cell(
            level: profile.level, x: Int((center.x / self.cellSize).rounded(.down)),
            y: Int((center.y / self.cellSize).rounded(.down)))
    }
}

/// The nearest of many profiles; of equally distant ones, those with the least indices.
///
/// Most profiles are farther away than all that are kept, so that a comparison with the last of them is enough.
private struct NearestFew {
    private var kept: [(distance: Double, index: Int)] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
        self.kept.reserveCapacity(limit + 1)
    }

    /// From the nearest to the farthest.
    var indices: [Int] { self.kept.map(\.index) }

    mutating func insert(_ index: Int, at distance: Double) {
        if self.kept.count == self.limit, let last = self.kept.last, (distance, index) > last { return }
        var position = self.kept.count
        while position > 0, (distance, index) < self.kept[position - 1] { position -= 1 }
        self.kept.insert((distance, index), at: position)
        if self.kept.count > self.limit { self.kept.removeLast() }
    }
}

extension Matching {
    /// Unmatched stored features that have the same relation to the match of a neighbor as the arrived feature has to that neighbor: at
    /// most four times as many as the limit of neighbors that are looked at.
    fileprivate func neighbours(of arrival: Int32, most: Int) -> Set<Int32> {
        var found: Set<Int32> = []
        for (ends, back) in [
            (self.arrived.targets.of(arrival), self.stored.sources),
            (self.arrived.sources.of(arrival), self.stored.targets),
        ] {
            for end in ends.prefix(most) where self.ofArrived[Int(end.feature)] >= 0 {
                for other in back.of(self.ofArrived[Int(end.feature)]).prefix(4 * most)
                where other.property == end.property && self.ofStored[Int(other.feature)] < 0 {
                    found.insert(other.feature)
                    if found.count == 4 * most { return found }
                }
            }
        }
        return found
    }
}
