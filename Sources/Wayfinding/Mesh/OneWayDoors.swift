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

    /// What some relationships state about portals.
    fileprivate struct Statement {
        var relationships: [FeatureID] = []
        let portals: [(index: Int, bits: UInt8)]
    }

    /// For each portal.
    let directions: [UInt8]
    /// The relationships that state something about a portal.
    let relationships: [(id: FeatureID, hours: String?)]
    private let statements: [Statement]

    /// Whether a feature is a relationship about doors of a floor, and not about what joins floors.
    static func isTraversal(_ feature: WayfindingFeature) -> Bool {
        feature.type == .relationship && Self.categories.contains(feature.text("category") ?? "")
    }

    /// - Parameter features: Sorted by id.
    init(_ features: [WayfindingFeature], _ plan: SpacePlan, _ mesh: VenueMesh) {
        let relationships = features.filter { Self.isTraversal($0) }
        var directions = [UInt8](repeating: 0, count: mesh.portals.count)
        var groups = PortalGroups(plan, mesh, isNeeded: !relationships.isEmpty)
        let spaces = Dictionary(plan.spaces.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        var stating: [(id: FeatureID, hours: String?)] = []
        for relationship in relationships {
            let intermediary = (relationship.properties["intermediary"]?.array ?? []).prefix(Self.referenceLimit)
            let references =
                [relationship.properties["origin"] ?? .null] + intermediary
                + [relationship.properties["destination"] ?? .null]
            let ids = references.compactMap { $0["id"]?.string.flatMap { FeatureID($0) } }
            if groups.add(relationship, ids, spaces) { stating.append((relationship.id, relationship.text("hours"))) }
        }
        for portal in groups.statements.flatMap(\.portals) { directions[portal.index] |= portal.bits }
        self.directions = directions.map { $0 == 0 ? Self.both : $0 }
        (self.relationships, self.statements) = (stating, groups.statements)
    }

    /// The directions of portals that nothing states any more once relationships are closed, and because of which of these.
    func closedDirections(_ isClosed: (FeatureID) -> Bool) -> [Int: (bits: UInt8, causes: [FeatureID])] {
        guard self.relationships.contains(where: { isClosed($0.id) }) else { return [:] }
        var open: [Int: UInt8] = [:]
        for statement in self.statements where !statement.relationships.allSatisfy(isClosed) {
            for portal in statement.portals { open[portal.index, default: 0] |= portal.bits }
        }
        var found: [Int: (bits: UInt8, causes: Set<FeatureID>)] = [:]
        for statement in self.statements {
            for portal in statement.portals {
                let lost = portal.bits & ~(open[portal.index] ?? 0)
                guard lost != 0 else { continue }
                found[portal.index, default: (0, [])].bits |= lost
                found[portal.index]?.causes.formUnion(statement.relationships)
            }
        }
        return found.mapValues { ($0.bits, $0.causes.sorted()) }
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
        /// What was stated about all of them, so that nothing is stated twice: indices of statements.
        var statements: [Int: Int] = [:]
    }

    private var groups: [Key: Group] = [:]
    private(set) var statements: [OneWayDoors.Statement] = []

    init(_ plan: SpacePlan, _ mesh: VenueMesh, isNeeded: Bool) {
        guard isNeeded else { return }
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

    /// Reads a relationship, and returns whether it states something.
    mutating func add(_ relationship: WayfindingFeature, _ ids: [FeatureID], _ spaces: [FeatureID: Int]) -> Bool {
        let isDirected = relationship.text("direction") == "directed"
        var isStating = false
        for (index, id) in ids.enumerated() {
            let next = index + 1 < ids.count ? spaces[ids[index + 1]] : nil
            let isStated: Bool
            if let space = spaces[id] {
                // Without an opening between two units, the one that joins them, if there is only one.
                isStated = next != nil && self.state(relationship.id, nil, from: space, to: next, isDirected)
            } else {
                let former = index > 0 ? spaces[ids[index - 1]] : nil
                isStated = self.state(relationship.id, id, from: former, to: next, isDirected)
            }
            isStating = isStating || isStated
        }
        return isStating
    }

    /// States that an opening, or the only one between two units, leads from one space to another; one of them may be unknown.
    private mutating func state(
        _ relationship: FeatureID, _ opening: FeatureID?, from origin: Int?, to destination: Int?, _ isDirected: Bool
    ) -> Bool {
        guard let end = origin ?? destination else { return false }
        let key = Key(opening, end, origin == nil ? nil : destination)
        guard let group = self.groups[key], opening != nil || group.isOfOneDoorway else { return false }
        let isForward = key.high == nil ? origin != nil : key.low == origin
        let kind = isDirected ? (isForward ? 0 : 1) : 2
        let index = group.statements[kind] ?? self.statements.count
        if index == self.statements.count {
            self.groups[key]?.statements[kind] = index
            let portals = group.portals.map { portal in
                let leadsForward = origin.map { $0 == portal.first } ?? (destination != portal.first)
                let bits = leadsForward ? OneWayDoors.forward : OneWayDoors.backward
                return (portal.index, isDirected ? bits : OneWayDoors.both)
            }
            self.statements.append(OneWayDoors.Statement(portals: portals))
        }
        if self.statements[index].relationships.last != relationship {
            self.statements[index].relationships.append(relationship)
        }
        return true
    }
}
