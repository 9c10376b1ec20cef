/// Determines the level that each feature of a revision belongs to.
///
/// A feature whose `level_id` is the id of a level belongs to that level. Otherwise its references determine the level: the unit of
/// an anchor, the units of an amenity, the anchor of an occupant, the levels of a geofence, the ends of a relationship, and all
/// references of any other type. If all of them lead to one level, the feature belongs to it. If they lead to several or dangle, the
/// feature is venue-wide and touches these levels. Levels are venue-wide, and so are venues, addresses, buildings and footprints
/// without a valid `level_id`.
///
/// In detail:
/// - A `level_id` that is not the id of a level is ignored, and so is a reference of a feature to itself.
/// - A reference to a level leads to that level. A reference to a venue-wide feature makes the feature venue-wide too.
/// - Other types ignore references to venues, addresses, buildings and footprints, which have no level, and undeclared references
///   that dangle. A declared reference that dangles makes the feature venue-wide.
/// - An amenity ignores units that do not exist. Every end of a relationship must have a level, and every element of a geofence's
///   `level_ids` must be a level; its buildings are ignored.
///
/// References may form cycles. A feature whose level would depend on itself has none, and touches only the levels that its own
/// references outside the cycle lead to. So a network of paths does not move to a level because one of its ends does.
public enum LevelAssignment {
    /// The placements of features, in the order of the features.
    ///
    /// - Precondition: no two features have the same id.
    /// - Complexity: O(features + references + lengths of the returned `touches`); no recursion.
    public static func placements(of features: some Collection<some ReferringFeature>) -> [Placement] {
        self.placements(of: features, beside: [])
    }

    /// The placements of features, in the order of the features, where those of all others are known.
    ///
    /// - Parameter known: The features that the first ones refer to, and all levels that they lead to. None of them refers to one of
    ///   the first ones, directly or not.
    package static func placements(
        of features: some Collection<some ReferringFeature>, beside known: [FeaturePlacement]
    ) -> [Placement] {
        let count = Int32(features.count)
        let features = AssignmentIndex(features, known)
        var reach = LevelReach(features)
        for (number, feature) in zip(count..., known) { reach.set(feature.placement, of: number) }
        let graph = self.decidingReferences(among: features, marking: &reach.isLost)
        reach.follow(graph, upTo: count)
        let depths = self.depths(of: features, known.map(\.placement.depth))
        return (0..<count).map { number in
            Placement(
                level: reach.level(of: number), touches: reach.touches(of: number),
                depth: depths[Int(number)])
        }
    }

    /// The references that determine levels, as edges. Marks features that cannot have a level whatever their references lead to.
    private static func decidingReferences(
        among features: AssignmentIndex, marking isLost: inout [Bool]
    ) -> ReferenceGraph {
        var graph = ReferenceGraph(nodes: features.count, edges: features.count)
        for number in features.numbers {
            let kind = features.kind(of: number)
            let references = features.references(of: number)
            var hasLevel = false
            if kind != .level {
                for reference in references where reference.role == .level {
                    guard let target = features.number(of: reference.target), features.kind(of: target) == .level
                    else { continue }
                    graph.append(target: target)
                    hasLevel = true
                }
            }
            if !hasLevel {
                for reference in references where kind.follows(reference.role) {
                    guard let target = features.number(of: reference.target) else {
                        if kind.isLost(withoutTargetOf: reference.role) { isLost[Int(number)] = true }
                        continue
                    }
                    if target == number { continue }
                    switch (kind, features.kind(of: target)) {
                    case (.geofence, .level): graph.append(target: target)
                    case (.geofence, _): isLost[Int(number)] = true
                    case (.other, .withoutLevel): break
                    default: graph.append(target: target)
                    }
                }
            }
            graph.endNode()
        }
        return graph
    }

    /// All features of a cycle have the same depth, which is that of the features above the whole cycle, so that the order of
    /// features does not matter.
    ///
    /// - Parameter known: The depths of the last features.
    private static func depths(of features: AssignmentIndex, _ known: [Int]) -> [Int] {
        let unknown = features.count - known.count
        var depths = [Int](repeating: 0, count: unknown) + known
        var graph = ReferenceGraph(nodes: features.count, edges: 0)
        for number in features.numbers {
            for reference in features.references(of: number) where reference.role == .parents {
                guard let parent = features.number(of: reference.target), parent != number,
                    features.haveSameType(parent, number)
                else { continue }
                graph.append(target: parent)
            }
            graph.endNode()
        }
        guard graph.hasEdges else { return depths }
        var component = [Int32](repeating: -1, count: features.count)
        graph.forEachComponent { members in
            for member in members { component[Int(member)] = members[0] }
            guard members[0] < unknown else { return }
            var depth = 0
            for member in members {
                for parent in graph.targets(of: member) where component[Int(parent)] != members[0] {
                    depth = max(depth, depths[Int(parent)] + 1)
                }
            }
            for member in members { depths[Int(member)] = depth }
        }
        return depths
    }
}

extension AssignmentIndex.Kind {
    /// Whether references of this role determine the level of a feature without a `level_id`.
    fileprivate func follows(_ role: Reference.Role) -> Bool {
        switch self {
        case .level, .withoutLevel: false
        case .anchor: role == .unit
        case .amenity: role == .units
        case .occupant: role == .anchor
        case .geofence: role == .levels
        case .relationship: role == .origin || role == .intermediary || role == .destination
        case .other: role != .level
        }
    }

    /// Whether a dangling reference of this role leaves the feature without a level.
    fileprivate func isLost(withoutTargetOf role: Reference.Role) -> Bool {
        self != .amenity && role != .undeclared
    }
}
