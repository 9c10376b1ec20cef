import IMDF
import SampleVenue
import Testing

/// In all of these, 1 and 2 are levels and 99 is nothing.
@Suite struct LevelAssignmentTests {
    private static let levels = [Node(1, .level), Node(2, .level)]

    private static func placement(of last: Node, among others: [Node]) -> Placement {
        let nodes = self.levels + others + [last]
        return LevelAssignment.placements(of: nodes)[nodes.count - 1]
    }

    private static func on(_ level: Int) -> Placement { Placement(level: FeatureID(level)) }
    private static func venueWide(touching levels: Int...) -> Placement {
        Placement(level: nil, touches: levels.map { FeatureID($0) })
    }

    @Test(arguments: FeatureType.standard + [FeatureType(rawValue: "navPath")])
    func `level assignment: a valid level_id determines the level of every type except level`(type: FeatureType) {
        let placement = Self.placement(of: Node(3, type, [(.level, 2), (.undeclared, 1), (.anchor, 99)]), among: [])
        #expect(placement == (type == .level ? Self.venueWide() : Self.on(2)))
    }

    @Test(arguments: [FeatureType.venue, .address, .building, .footprint, .level])
    func `level assignment: types without a level are venue-wide and touch nothing`(type: FeatureType) {
        let node = Node(3, type, [(.undeclared, 1), (.levels, 2), (.level, 99), (.level, 4)])
        #expect(Self.placement(of: node, among: [Node(4, .unit, [(.level, 1)])]) == Self.venueWide())
    }

    @Test func `level assignment: a level_id of another feature is ignored`() {
        let unit = Node(3, .unit, [(.level, 1)])
        #expect(Self.placement(of: Node(4, .kiosk, [(.level, 3), (.anchor, 3)]), among: [unit]) == Self.on(1))
        #expect(Self.placement(of: Node(4, .kiosk, [(.level, 99), (.anchor, 3)]), among: [unit]) == Self.on(1))
        #expect(Self.placement(of: Node(4, .kiosk, [(.level, 99)]), among: [unit]) == Self.venueWide())
    }

    @Test func `level assignment: an occupant has the level of its anchor's unit`() {
        let chain = [Node(3, .unit, [(.level, 2)]), Node(4, .anchor, [(.unit, 3), (.address, 99)])]
        #expect(Self.placement(of: Node(5, .occupant, [(.anchor, 4), (.undeclared, 1)]), among: chain) == Self.on(2))
        #expect(Self.placement(of: Node(5, .occupant, [(.anchor, 99)]), among: chain) == Self.venueWide())
        #expect(Self.placement(of: Node(5, .occupant), among: chain) == Self.venueWide())
        let dangling = [Node(4, .anchor, [(.unit, 99)])]
        #expect(Self.placement(of: Node(5, .occupant, [(.anchor, 4)]), among: dangling) == Self.venueWide())
    }

    @Test func `level assignment: an amenity has the level of its existing units if they agree`() {
        let units = [Node(3, .unit, [(.level, 1)]), Node(4, .unit, [(.level, 1)]), Node(5, .unit, [(.level, 2)])]
        func placement(_ targets: Int...) -> Placement {
            Self.placement(of: Node(6, .amenity, targets.map { (.units, $0) }), among: units)
        }
        #expect(placement(3, 4) == Self.on(1))
        #expect(placement(3, 99) == Self.on(1))
        #expect(placement(5, 3, 99) == Self.venueWide(touching: 1, 2))
        #expect(placement(99) == Self.venueWide())
        #expect(placement() == Self.venueWide())
    }

    @Test func `level assignment: a feature that refers to a spanning feature spans the same levels`() {
        let lift = [Node(3, .unit, [(.undeclared, 1), (.undeclared, 2)]), Node(4, .anchor, [(.unit, 3)])]
        for node in [
            Node(5, .occupant, [(.anchor, 4)]), Node(5, .amenity, [(.units, 3)]), Node(5, .anchor, [(.unit, 3)]),
        ] {
            #expect(Self.placement(of: node, among: lift) == Self.venueWide(touching: 1, 2))
        }
    }

    @Test func `level assignment: a geofence belongs to its single level`() {
        let building = [Node(3, .building)]
        func placement(_ references: (Reference.Role, Int)...) -> Placement {
            Self.placement(of: Node(4, .geofence, references), among: building)
        }
        #expect(placement((.levels, 1), (.buildings, 3), (.buildings, 99), (.parents, 99)) == Self.on(1))
        #expect(placement((.levels, 1), (.levels, 2)) == Self.venueWide(touching: 1, 2))
        #expect(placement((.levels, 1), (.levels, 99)) == Self.venueWide(touching: 1))
        #expect(placement((.buildings, 3)) == Self.venueWide())
    }

    @Test func `level assignment: a relationship belongs to the level that all its ends share`() {
        let units = [Node(3, .unit, [(.level, 1)]), Node(4, .unit, [(.level, 2)]), Node(5, .opening, [(.level, 1)])]
        func placement(_ references: (Reference.Role, Int)...) -> Placement {
            Self.placement(of: Node(6, .relationship, references), among: units)
        }
        #expect(placement((.origin, 3), (.intermediary, 5), (.destination, 1)) == Self.on(1))
        #expect(placement((.origin, 3), (.intermediary, 4), (.destination, 5)) == Self.venueWide(touching: 1, 2))
        #expect(placement((.origin, 3), (.destination, 99)) == Self.venueWide(touching: 1))
        #expect(placement((.origin, 3), (.undeclared, 4), (.undeclared, 99)) == Self.on(1))
        #expect(placement((.origin, 3)) == Self.on(1))
    }

    @Test func `level assignment: other types belong to the level that all their references share`() {
        let others = [
            Node(3, .unit, [(.level, 1)]), Node(4, .unit, [(.level, 2)]), Node(5, .building), Node(7, .address),
            Node(8, .relationship),
        ]
        func placement(_ references: (Reference.Role, Int)...) -> Placement {
            Self.placement(of: Node(6, FeatureType(rawValue: "navPath"), references), among: others)
        }
        #expect(placement((.undeclared, 3), (.undeclared, 1), (.undeclared, 6)) == Self.on(1))
        #expect(placement((.undeclared, 3), (.buildings, 5), (.address, 7)) == Self.on(1))
        #expect(placement((.undeclared, 3), (.undeclared, 99)) == Self.on(1))
        #expect(placement((.undeclared, 3), (.address, 99)) == Self.venueWide(touching: 1))
        #expect(placement((.undeclared, 3), (.undeclared, 4)) == Self.venueWide(touching: 1, 2))
        #expect(placement((.undeclared, 3), (.undeclared, 8)) == Self.venueWide(touching: 1))
        #expect(placement((.buildings, 5)) == Self.venueWide())
    }

    @Test func `level assignment: features on a cycle have no level and touch the levels of their own references`() {
        let nodes =
            Self.levels + [
                Node(3, .section, [(.parents, 4)]), Node(4, .section, [(.parents, 5), (.undeclared, 2)]),
                Node(5, .section, [(.parents, 3)]), Node(6, .section, [(.parents, 7)]),
                Node(7, .section, [(.parents, 6)]),
            ]
        let placements = LevelAssignment.placements(of: nodes)
        #expect(placements[3] == Self.venueWide(touching: 2))
        #expect([2, 4, 5, 6].allSatisfy { placements[$0] == Self.venueWide() })
    }

    @Test func `depth: the longest chain of parents, and a cycle counts once`() {
        let nodes = [
            Node(1, .section), Node(2, .section, [(.parents, 1)]), Node(3, .section, [(.parents, 1), (.parents, 2)]),
            Node(4, .section, [(.parents, 5), (.parents, 3)]), Node(5, .section, [(.parents, 4)]),
            Node(6, .section, [(.parents, 5)]), Node(7, .section, [(.parents, 7), (.parents, 99), (.undeclared, 6)]),
            Node(8, .geofence, [(.parents, 6)]),
        ]
        #expect(LevelAssignment.placements(of: nodes).map(\.depth) == [0, 1, 2, 3, 3, 4, 0, 0])
    }
}

@Suite struct LevelAssignmentPropertyTests {
    /// Few ids and every role, so that cycles, dangling references and wrong targets are common.
    private static func nodes(using random: inout SplitMix64) -> [Node] {
        let types = FeatureType.standard + [.level, .level, .unit, .section, FeatureType(rawValue: "navPath")]
        let count = Int.random(in: 1...14, using: &random)
        return (0..<count).map { number in
            let references = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                (
                    Bool.random(using: &random)
                        ? Reference.Role.undeclared : Reference.Role.allCases.randomElement(using: &random) ?? .level,
                    Int.random(in: 0...count, using: &random)
                )
            }
            return Node(number, types.randomElement(using: &random) ?? .unit, references)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `level assignment: results equal those of a simple model, in any order`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<600 {
            let nodes = Self.nodes(using: &random).shuffled(using: &random)
            let model = PlacementModel(nodes)
            let placements = LevelAssignment.placements(of: nodes)
            for (node, placement) in zip(nodes, placements) where model.placement(of: node.id) != placement {
                Issue.record("Round \(round): \(node.id) of \(nodes) is at \(placement)")
                return
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `level assignment: placements of some features beside known ones equal those of all`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<600 {
            let nodes = Self.nodes(using: &random)
            let placements = LevelAssignment.placements(of: nodes)
            // With a feature, all that refer to it are placed, directly or not.
            var placed = Set(nodes.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map(\.id))
            for _ in nodes {
                placed.formUnion(nodes.filter { $0.references.contains { placed.contains($0.target) } }.map(\.id))
            }
            let known = zip(nodes, placements).filter { !placed.contains($0.0.id) }.map {
                FeaturePlacement(id: $0.id, type: $0.type, placement: $1)
            }
            let some = nodes.filter { placed.contains($0.id) }
            let result = LevelAssignment.placements(of: some, beside: known.shuffled(using: &random))
            let expected = zip(nodes, placements).filter { placed.contains($0.0.id) }.map(\.1)
            guard result == expected else {
                Issue.record("Round \(round): \(some) of \(nodes) are at \(result)")
                return
            }
        }
    }

    @Test func `level assignment: a chain of a hundred thousand parents needs no recursion`() {
        let count = 100_000
        let section = FeatureType.section
        var nodes = [Node(0, .level), Node(1, section, [(.undeclared, 0)])]
        for number in 2...count { nodes.append(Node(number, section, [(.parents, number - 1)])) }
        let placements = LevelAssignment.placements(of: nodes.reversed())
        #expect(placements.first == Placement(level: FeatureID(0), depth: count - 1))
        #expect(placements.dropLast().allSatisfy { $0.level == FeatureID(0) })
    }

    @Test func `level assignment: a cycle of a hundred thousand features is handled`() {
        let count = 100_000
        var nodes = [Node(0, .level)]
        for number in 1...count {
            nodes.append(Node(number, .section, [(.parents, number % count + 1), (.undeclared, 1)]))
        }
        nodes[count].references.append(Reference(role: .undeclared, target: FeatureID(0)))
        let placements = LevelAssignment.placements(of: nodes)
        #expect(placements[1..<count].allSatisfy { $0 == Placement(level: nil) })
        #expect(placements[count] == Placement(level: nil, touches: [FeatureID(0)]))
    }
}
