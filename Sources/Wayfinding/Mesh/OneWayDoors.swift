import IMDF

/// The directions in which portals are passed, by relationships of the category `traversal` between units of a level.
struct OneWayDoors: Sendable {
    /// The greatest number of features of a relationship that are read.
    private static let referenceLimit = 256
    private static let categories = ["traversal", "traversal.path", "movingwalkway"]

    /// From the space of the first half-edge of a portal to that of the second one.
    static let forward: UInt8 = 1
    static let backward: UInt8 = 2
    static let both: UInt8 = 3

    /// For each portal.
    let directions: [UInt8]

    /// - Parameter features: Sorted by id.
    init(_ features: [WayfindingFeature], _ plan: SpacePlan, _ mesh: VenueMesh) {
        let relationships = features.filter {
            $0.type == .relationship && Self.categories.contains($0.text("category") ?? "")
        }
        guard relationships.contains(where: { $0.text("direction") == "directed" }) else {
            self.directions = Array(repeating: Self.both, count: mesh.portals.count)
            return
        }
        var groups = PortalGroups(plan, mesh)
        let spaces = Dictionary(plan.spaces.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        for relationship in relationships {
            let isDirected = relationship.text("direction") == "directed"
            let intermediary = (relationship.properties["intermediary"]?.array ?? []).prefix(Self.referenceLimit)
            let references =
                [relationship.properties["origin"] ?? .null] + intermediary
                + [relationship.properties["destination"] ?? .null]
            let ids = references.compactMap { $0["id"]?.string.flatMap { FeatureID($0) } }
            for (index, id) in ids.enumerated() {
                let next = index + 1 < ids.count ? spaces[ids[index + 1]] : nil
                if let space = spaces[id] {
                    // Without an opening between two units, the one that joins them, if there is only one.
                    if next != nil { groups.state(nil, from: space, to: next, isDirected) }
                } else {
                    groups.state(id, from: index > 0 ? spaces[ids[index - 1]] : nil, to: next, isDirected)
                }
            }
        }
        self.directions = groups.stated.map { $0 == 0 ? Self.both : $0 }
    }
}

/// Portals by the units that they join, so that a relationship costs a look at each of its features, however many portals there are.
private struct PortalGroups {
    private struct Key: Hashable {
        /// Nil: whatever opening it is.
        let opening: FeatureID?
        let low: Int
        /// Nil: whatever the other unit is.
        let high: Int?

        init(_ opening: FeatureID?, _ first: Int, _ second: Int?) {
            self.opening = opening
            self.low = second.map { min(first, $0) } ?? first
            self.high = second.map { max(first, $0) }
        }
    }

    private struct Group {
        let doorway: Int
        var isOfOneDoorway = true
        var portals: [(index: Int, first: Int)] = []
        /// What was stated about all of them, so that nothing is stated twice.
        var statements: UInt8 = 0
    }

    private var groups: [Key: Group] = [:]
    /// For each portal; 0 if nothing was stated.
    private(set) var stated: [UInt8]

    init(_ plan: SpacePlan, _ mesh: VenueMesh) {
        self.stated = Array(repeating: 0, count: mesh.portals.count)
        for (index, portal) in mesh.portals.enumerated() where portal.edges.count == 2 {
            guard let doorway = portal.doorway else { continue }
            let ends = portal.edges.map { mesh.space(of: $0 / 3) }
            guard ends[0] != ends[1] else { continue }
            let opening = plan.doorways[doorway].id
            let keys = [
                Key(nil, ends[0], ends[1]), Key(opening, ends[0], ends[1]), Key(opening, ends[0], nil),
                Key(opening, ends[1], nil),
            ]
            for key in keys {
                self.groups[key, default: Group(doorway: doorway)].portals.append((index, ends[0]))
                if self.groups[key]?.doorway != doorway { self.groups[key]?.isOfOneDoorway = false }
            }
        }
    }

    /// States that an opening, or the only one between two units, leads from one space to another; one of them may be unknown.
    mutating func state(_ opening: FeatureID?, from origin: Int?, to destination: Int?, _ isDirected: Bool) {
        guard let end = origin ?? destination else { return }
        let key = Key(opening, end, origin == nil ? nil : destination)
        guard let group = self.groups[key], opening != nil || group.isOfOneDoorway else { return }
        let isForward = key.high == nil ? origin != nil : key.low == origin
        let statement: UInt8 = isDirected ? (isForward ? 1 : 2) : 4
        guard group.statements & statement == 0 else { return }
        self.groups[key]?.statements |= statement
        for (index, first) in group.portals {
            let leadsForward = origin.map { $0 == first } ?? (destination != first)
            self.stated[index] |=
                !isDirected ? OneWayDoors.both : leadsForward ? OneWayDoors.forward : OneWayDoors.backward
        }
    }
}
