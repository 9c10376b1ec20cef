/// Works out to which level every feature of a revision belongs.
///
/// A feature whose `level_id` names a level feature belongs to that level. Without one it follows its references: an anchor
/// its unit, an amenity its units, an occupant its anchor, a geofence its level, a relationship its ends, any other type
/// everything that it refers to. Where all that leads to one level, the feature belongs there; where it leads to several or
/// dangles, the feature is venue-wide and touches them. Level features are venue-wide, and so are venue, address, building
/// and footprint without a `level_id` that counts.
///
/// In detail:
/// - A `level_id` that names no level feature is as good as absent, and a feature's reference to itself says nothing.
/// - A reference to a level counts as that level. One to a feature that is venue-wide makes what follows it venue-wide too.
/// - Any other type passes over references to venues, addresses, buildings and footprints, which have no level by nature,
///   and over undeclared ones that name nothing; a declared one that names nothing makes it venue-wide.
/// - An amenity passes over units that do not exist. Every end of a relationship must have a level, and every entry of a
///   geofence's `level_ids` must name one; its buildings have no say.
///
/// References may run in circles. A level is worked out from levels that are known, so a feature whose level would depend on
/// itself has none, and touches only the levels that its own references lead to: a network of paths does not move to a floor
/// because one of its ends does.
public enum LevelAssignment {
    /// The placements of features, in the order of the features.
    ///
    /// - Precondition: no two features have the same id.
    /// - Complexity: O(features + references) beside the lengths of the `touches` it returns; no recursion.
    public static func placements(of features: some Collection<some ReferringFeature>) -> [Placement] {
        let features = FeatureIndex(features)
        var reach = LevelReach(features)
        let votes = self.votes(among: features, marking: &reach.isLost)
        reach.follow(votes)
        let generations = self.generations(of: features)
        return features.numbers.map { number in
            Placement(
                level: reach.level(of: number), touches: reach.touches(of: number),
                generation: generations[Int(number)])
        }
    }

    /// The references that decide, as edges. Marks the features that no level can be found for, whatever these lead to.
    private static func votes(among features: FeatureIndex, marking isLost: inout [Bool]) -> ReferenceGraph {
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

    /// The features of a circle have one generation, which is what stands above the whole circle: like that it does not
    /// matter where a circle is entered.
    private static func generations(of features: FeatureIndex) -> [Int] {
        var generations = [Int](repeating: 0, count: features.count)
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
        guard graph.hasEdges else { return generations }
        var component = [Int32](repeating: -1, count: features.count)
        graph.forEachComponent { members in
            for member in members { component[Int(member)] = members[0] }
            var generation = 0
            for member in members {
                for parent in graph.targets(of: member) where component[Int(parent)] != members[0] {
                    generation = max(generation, generations[Int(parent)] + 1)
                }
            }
            for member in members { generations[Int(member)] = generation }
        }
        return generations
    }
}

extension FeatureIndex.Kind {
    /// Whether a feature without a `level_id` looks for its level where references of this role lead.
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

    /// Whether a followed reference that names nothing leaves the feature without a level.
    fileprivate func isLost(withoutTargetOf role: Reference.Role) -> Bool {
        self != .amenity && role != .undeclared
    }
}
