import IMDFDiff

/// Equivalence of polygons, found by trying everything: every order of parts and holes, every start and direction of rings.
enum BruteForce {
    static func same(_ left: [Polygon], _ right: [Polygon]) -> Bool {
        Self.somePermutation(left, right) { polygon, other in
            guard let outer = polygon.first, let otherOuter = other.first else { return false }
            return Self.same(outer, otherOuter)
                && Self.somePermutation(Array(polygon.dropFirst()), Array(other.dropFirst()), match: Self.same)
        }
    }

    static func same(_ ring: Ring, _ other: Ring) -> Bool {
        guard ring.count == other.count else { return false }
        if Self.near(ring, other) { return true }
        guard ring.count > 1, ring.first == ring.last, other.first == other.last else { return false }
        return (0..<ring.count - 1).contains { steps in
            let turned = other.turned(by: steps)
            return Self.near(ring, turned) || Self.near(ring, turned.reversed())
        }
    }

    /// Whether the items of one list can be put in an order in which each matches its counterpart.
    static func somePermutation<Item>(_ left: [Item], _ right: [Item], match: (Item, Item) -> Bool) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.first else { return true }
        return right.indices.contains { index in
            guard match(first, right[index]) else { return false }
            var rest = right
            rest.remove(at: index)
            return Self.somePermutation(Array(left.dropFirst()), rest, match: match)
        }
    }

    private static func near(_ ring: Ring, _ other: Ring) -> Bool {
        zip(ring, other).allSatisfy { zip($0, $1).allSatisfy(Tolerance.near) }
    }
}
