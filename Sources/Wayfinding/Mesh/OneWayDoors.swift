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
        var portals: [FeatureID: [Int]] = [:]
        for (index, portal) in mesh.portals.enumerated() where portal.edges.count == 2 {
            guard let doorway = portal.doorway else { continue }
            portals[plan.doorways[doorway].id, default: []].append(index)
        }
        let spaces = Dictionary(plan.spaces.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        var stated = [UInt8](repeating: 0, count: mesh.portals.count)
        func sides(_ portal: Int) -> [Int] { mesh.portals[portal].edges.map { Int(mesh.spaceOfTriangle[Int($0 / 3)]) } }
        func state(_ portal: Int, _ origin: Int?, _ destination: Int?, _ isDirected: Bool) {
            let ends = sides(portal)
            guard ends[0] != ends[1], origin != nil || destination != nil else { return }
            func leads(_ from: Int, _ to: Int) -> Bool {
                (origin ?? from) == from && (destination ?? to) == to
            }
            let direction =
                leads(ends[0], ends[1]) ? Self.forward : leads(ends[1], ends[0]) ? Self.backward : 0
            if direction != 0 { stated[portal] |= isDirected ? direction : Self.both }
        }
        for relationship in relationships {
            let isDirected = relationship.text("direction") == "directed"
            let intermediary = (relationship.properties["intermediary"]?.array ?? []).prefix(Self.referenceLimit)
            let references =
                [relationship.properties["origin"] ?? .null] + intermediary
                + [relationship.properties["destination"] ?? .null]
            let ids = references.compactMap { $0["id"]?.string.flatMap { FeatureID($0) } }
            for (index, id) in ids.enumerated() {
                let next = index + 1 < ids.count ? spaces[ids[index + 1]] : nil
                if let space = spaces[id], let next {
                    // Without an opening between two units, the one that joins them, if there is only one.
                    let joining = mesh.portalsOfSpace[space].map { Int($0) }.filter { portal in
                        mesh.portals[portal].doorway != nil && mesh.portals[portal].edges.count == 2
                            && sides(portal).contains(next)
                    }
                    guard Set(joining.map { mesh.portals[$0].doorway }).count == 1 else { continue }
                    for portal in joining { state(portal, space, next, isDirected) }
                }
                for portal in portals[id] ?? [] {
                    state(portal, index > 0 ? spaces[ids[index - 1]] : nil, next, isDirected)
                }
            }
        }
        self.directions = stated.map { $0 == 0 ? Self.both : $0 }
    }
}
