import IMDF

/// Stored portraits of one type, to be found by what an arrival has in common with them.
struct CandidateIndex {
    private struct Cell: Hashable {
        let level: Int32
        let x: Int
        let y: Int
    }

    private let portraits: [FeatureProfile]
    private let places: [Int32: Int]
    private var byName: [String: [Int]] = [:]
    private var byContact: [String: [Int]] = [:]
    private var byCell: [Cell: [Int]] = [:]

    /// So few are all looked at.
    private static let few = 24
    /// Of what is found in one way at most so many are looked at.
    private static let most = 24
    /// So many of a cell are ranked by their distance, and so many of those are looked at.
    private static let mostOfCell = 256
    private static let mostNear = 48
    /// About 25 metres.
    private static let cellSize = 2.5e-4

    init(_ portraits: [FeatureProfile]) {
        self.portraits = portraits
        self.places = Dictionary(uniqueKeysWithValues: portraits.enumerated().map { ($1.number, $0) })
        for (place, portrait) in portraits.enumerated() {
            for name in portrait.names { self.byName[name, default: []].append(place) }
            for contact in portrait.contacts { self.byContact[contact, default: []].append(place) }
            if let cell = Self.cell(of: portrait) { self.byCell[cell, default: []].append(place) }
        }
    }

    /// The places of portraits that an arrival may be, ascending.
    func candidates(for arrival: FeatureProfile, among partners: Matching) -> [Int] {
        if self.portraits.count <= Self.few { return Array(self.portraits.indices) }
        var found: Set<Int> = []
        for name in arrival.names.sorted().prefix(Self.most) {
            found.formUnion((self.byName[name] ?? []).prefix(Self.most))
        }
        for contact in arrival.contacts.sorted().prefix(Self.most) {
            found.formUnion((self.byContact[contact] ?? []).prefix(Self.most))
        }
        found.formUnion(partners.neighbours(of: arrival.number, most: Self.most).compactMap { self.places[$0] })
        found.formUnion(self.nearest(to: arrival))
        return found.sorted()
    }

    /// Of what stands near an arrival the nearest ones: where thousands stand in one place the others are no better, and looking
    /// at them takes most of the time.
    private func nearest(to arrival: FeatureProfile) -> [Int] {
        guard let cell = Self.cell(of: arrival), let center = arrival.center else { return [] }
        var places: [Int] = []
        for x in cell.x - 1...cell.x + 1 {
            for y in cell.y - 1...cell.y + 1 {
                for level in Set([cell.level, -1]) {
                    places += (self.byCell[Cell(level: level, x: x, y: y)] ?? []).prefix(Self.mostOfCell)
                }
            }
        }
        guard places.count > Self.mostNear else { return places }
        let ranked = places.map { place -> (distance: Double, place: Int) in
            guard let other = self.portraits[place].center else { return (.infinity, place) }
            let (x, y) = (other.x - center.x, other.y - center.y)
            return (x * x + y * y, place)
        }
        return ranked.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }.prefix(Self.mostNear).map(\.place)
    }

    private static func cell(of portrait: FeatureProfile) -> Cell? {
        guard let center = portrait.center, abs(center.x) < 1e6, abs(center.y) < 1e6 else { return nil }
        return Cell(
            level: portrait.level, x: Int((center.x / self.cellSize).rounded(.down)),
            y: Int((center.y / self.cellSize).rounded(.down)))
    }
}

extension Matching {
    /// Free stored features that stand to a partner of an arrival's neighbour as the arrival stands to that neighbour.
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
                }
            }
        }
        return found
    }
}
