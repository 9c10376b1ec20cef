import IMDF
import SampleVenue
import Wayfinding

/// Random ends of routes in a generated venue.
struct Questions: Sendable {
    /// The public units of each level. Units that nobody goes to are left out.
    private let unitsOfLevel: [[FeatureID]]
    let restrooms: [FeatureID]

    private static let excluded: Set<String> = [
        "elevator", "escalator", "nonpublic", "opentobelow", "stairs", "structure",
    ]

    init(_ venue: SampleVenue) {
        var units: [String: [FeatureID]] = [:]
        var restrooms: [FeatureID] = []
        for unit in venue.features where unit.type == .unit {
            let category = unit["category"]?.string ?? ""
            guard let level = unit["level_id"]?.string, (unit["restriction"]?.string ?? "").isEmpty,
                !Self.excluded.contains(category)
            else { continue }
            units[level, default: []].append(unit.id)
            if category.hasPrefix("restroom") { restrooms.append(unit.id) }
        }
        self.unitsOfLevel = units.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 1 }
        self.restrooms = restrooms
    }

    /// Two units, on one level or on two.
    func pair(acrossLevels: Bool, using random: inout SplitMix64) -> (from: FeatureID, to: FeatureID) {
        let count = self.unitsOfLevel.count
        let level = Self.number(count, &random)
        let other = acrossLevels ? (level + 1 + Self.number(count - 1, &random)) % count : level
        let from = Self.element(of: self.unitsOfLevel[level], &random)
        var to = from
        while to == from { to = Self.element(of: self.unitsOfLevel[other], &random) }
        return (from, to)
    }

    /// A query of either profile, in half of the cases across levels.
    func query(using random: inout SplitMix64) -> RouteQuery {
        let (from, to) = self.pair(acrossLevels: Self.number(2, &random) == 0, using: &random)
        return RouteQuery(
            from: .feature(from), to: .feature(to), profile: Self.number(2, &random) == 0 ? .walk : .stepFree)
    }

    /// The path of the same request to a server.
    func path(in venue: String, using random: inout SplitMix64) -> String {
        let (from, to) = self.pair(acrossLevels: Self.number(2, &random) == 0, using: &random)
        let profile: Profile = Self.number(2, &random) == 0 ? .walk : .stepFree
        return "/venues/\(venue)/route?from=\(from)&to=\(to)&profile=\(profile.rawValue)"
    }

    private static func number(_ limit: Int, _ random: inout SplitMix64) -> Int {
        Int(random.next() % UInt64(max(limit, 1)))
    }

    private static func element(of units: [FeatureID], _ random: inout SplitMix64) -> FeatureID {
        units[Self.number(units.count, &random)]
    }
}
