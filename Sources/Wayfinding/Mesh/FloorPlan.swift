/// What the triangles of an ordinal are made of, as indices in the lists of a plan.
struct FloorPlan {
    private(set) var spaces: [Int] = []
    private(set) var doorways: [Int] = []
    private(set) var solids: [Int] = []

    static func floors(of plan: SpacePlan) -> [Int: FloorPlan] {
        var floors: [Int: FloorPlan] = [:]
        for (index, space) in plan.spaces.enumerated() { floors[space.ordinal, default: .init()].spaces.append(index) }
        for (index, doorway) in plan.doorways.enumerated() {
            floors[doorway.ordinal, default: .init()].doorways.append(index)
        }
        for (index, solid) in plan.solids.enumerated() { floors[solid.ordinal, default: .init()].solids.append(index) }
        return floors
    }

    /// Whether the triangles are those of a floor of another plan. Names and opening hours make no difference.
    func isSame(in plan: SpacePlan, as other: FloorPlan, in otherPlan: SpacePlan) -> Bool {
        guard plan.frame == otherPlan.frame, self.spaces.count == other.spaces.count,
            self.doorways.count == other.doorways.count, self.solids.count == other.solids.count
        else { return false }
        func isSameLevel(_ level: Int, _ otherLevel: Int) -> Bool {
            plan.levels[level].id == otherPlan.levels[otherLevel].id
        }
        return zip(self.spaces, other.spaces).allSatisfy { index, otherIndex in
            let (space, other) = (plan.spaces[index], otherPlan.spaces[otherIndex])
            return space.id == other.id && space.category == other.category && space.isRestricted == other.isRestricted
                && isSameLevel(space.level, other.level) && space.polygons == other.polygons
        }
            && zip(self.doorways, other.doorways).allSatisfy { index, otherIndex in
                let (doorway, other) = (plan.doorways[index], otherPlan.doorways[otherIndex])
                return doorway.id == other.id && isSameLevel(doorway.level, other.level) && doorway.lines == other.lines
            }
            && zip(self.solids, other.solids).allSatisfy { index, otherIndex in
                let (solid, other) = (plan.solids[index], otherPlan.solids[otherIndex])
                return isSameLevel(solid.level, other.level) && solid.polygons == other.polygons
            }
    }
}

/// Where a floor is in the lists of a mesh.
struct FloorExtent: Hashable, Sendable {
    let points: Range<Int>
    let edges: Range<Int>
    let portals: Range<Int>
}

extension VenueMesh {
    /// The triangles of an ordinal as they were before they became a part of the mesh; nil if there are none.
    ///
    /// - Parameters:
    ///   - spaces: The spaces of the ordinal, ascending.
    ///   - doorways: Its doorways, ascending.
    func floor(_ ordinal: Int, _ spaces: [Int], _ doorways: [Int]) -> FloorMesh? {
        guard let extent = self.extents[ordinal] else { return nil }
        guard !self.tooComplexOrdinals.contains(ordinal) else { return FloorMesh(tooComplex: spaces.count) }
        let (point, edge) = (Int32(extent.points.lowerBound), Int32(extent.edges.lowerBound))
        let indexOfDoorway = Dictionary(uniqueKeysWithValues: zip(doorways, 0...))
        return FloorMesh(
            points: Array(self.points[extent.points]),
            origins: self.origins[extent.edges].map { $0 - point },
            twins: self.twins[extent.edges].map { $0 < 0 ? -1 : $0 - edge },
            portals: self.portals[extent.portals].map { each in
                FloorMesh.Portal(
                    doorway: each.doorway.flatMap { indexOfDoorway[$0] }, width: each.width, start: each.start,
                    end: each.end, edges: each.edges.moved(by: -edge))
            },
            trianglesOfSpace: spaces.map { self.trianglesOfSpace[$0].moved(by: -edge / 3) },
            incompleteSpaces: Set(spaces.indices.filter { self.incompleteSpaces.contains(spaces[$0]) }))
    }
}
