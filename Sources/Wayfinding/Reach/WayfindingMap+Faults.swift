package import IMDF

/// What keeps routes from places of a venue, by level: for those who draw the map.
package struct RoutingFaults: Sendable {
    package struct OfLevel: Sendable {
        package let level: FeatureID
        /// Public units that no opening joins with another unit, and that lead to no other floor and to no exit.
        package fileprivate(set) var unitsWithoutOpening: [FeatureID] = []
        /// Openings that lead into no unit.
        package fileprivate(set) var looseOpenings: [FeatureID] = []
        /// Lifts, stairs, escalators and ramps that lead to no other floor.
        package fileprivate(set) var unlinked: [FeatureID] = []
        /// Openings that join more than one pair of units.
        package fileprivate(set) var ambiguousOpenings: [FeatureID] = []
        /// Openings between two units that wheelchairs do not pass.
        package fileprivate(set) var narrowOpenings: [FeatureID] = []
        /// Public units with an opening that nobody reaches from an exit.
        package fileprivate(set) var cutOff: [FeatureID] = []
    }

    /// By id.
    package let levels: [OfLevel]
    package let hasExit: Bool
}

extension WayfindingMap {
    /// Categories of units that visitors do not enter, or without a door.
    private static let needNoOpening: Set<String> = ["vegetation", "storage", "serverroom"]

    /// - Complexity: O(*n*) in the number of triangles, portals and stops, except for sorting.
    package func faults(shouldStop: @escaping () -> Bool = { false }) -> RoutingFaults {
        var levels = self.plan.levels.map { RoutingFaults.OfLevel(level: $0.id) }
        let exits = self.exits
        let spacesOfExits = Set(
            exits.flatMap { self.mesh.portals[$0].edges }.map { self.mesh.space(of: $0 / 3) })
        var closed: Set<FeatureID> = []
        for (index, space) in self.plan.spaces.enumerated() where !shouldStop() {
            if !space.isRestricted, !self.hasPassage(index), !spacesOfExits.contains(index) {
                closed.insert(space.id)
                if !Self.needNoOpening.contains(space.category) {
                    levels[space.level].unitsWithoutOpening.append(space.id)
                }
            }
            // Steps are between two heights of one floor.
            if space.kind != .floor, space.category != "steps", !self.shafts.isLinked(index) {
                levels[space.level].unlinked.append(space.id)
            }
        }
        self.addOpenings(to: &levels)
        guard !exits.isEmpty else {
            return RoutingFaults(levels: levels.sorted { $0.level < $1.level }, hasExit: false)
        }
        let search = ObstacleSearch(
            from: exits.map { (triangle: self.mesh.portals[$0].edges[0] / 3, portal: Optional($0)) }, in: self,
            avoiding: Profile.walk.obstacles, shouldStop: shouldStop)
        for (index, space) in self.plan.spaces.enumerated()
        where !space.isRestricted && !closed.contains(space.id) && !shouldStop() {
            let isReached = self.piece(of: index).map { piece in
                search.counts[piece] == 0 || search.isReachedAsDestination(piece, in: index)
            }
            if isReached != true { levels[space.level].cutOff.append(space.id) }
        }
        return RoutingFaults(levels: levels.sorted { $0.level < $1.level }, hasExit: true)
    }

    private func addOpenings(to levels: inout [RoutingFaults.OfLevel]) {
        var pairs: [Int: Set<[Int]>] = [:]
        var widths: [Int: Double] = [:]
        var touching: Set<Int> = []
        for portal in self.mesh.portals {
            guard let doorway = portal.doorway else { continue }
            touching.insert(doorway)
            guard portal.edges.count > 1 else { continue }
            pairs[doorway, default: []].insert(
                portal.edges.map { self.mesh.space(of: $0 / 3) }.sorted())
            widths[doorway] = max(widths[doorway] ?? 0, portal.width)
        }
        for (index, doorway) in self.plan.doorways.enumerated() {
            if !touching.contains(index) { levels[doorway.level].looseOpenings.append(doorway.id) }
            if (pairs[index]?.count ?? 0) > 1 { levels[doorway.level].ambiguousOpenings.append(doorway.id) }
            if let width = widths[index], PassageRules.isNarrow(width) {
                levels[doorway.level].narrowOpenings.append(doorway.id)
            }
        }
    }
}
