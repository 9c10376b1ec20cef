import IMDF

/// What of a feature neither spelling nor a stray in its coordinates can change: a hash of its properties without references
/// and of how many vertices it has, and the lower left corner of what it covers.
///
/// Features that are the same by ``Equivalence``, references left out, have equal hashes and corners that are near each other.
/// The other way round that is likely but has to be confirmed.
struct Fingerprint {
    /// Equal within one run of the program only.
    let hash: Int
    let corner: (x: Double, y: Double)?

    init(_ feature: JSONValue, sameness: Equivalence) {
        var hasher = Hasher()
        let shape = feature["geometry"]?.object.flatMap(Shape.init)
        self.corner = shape?.paths.reduce(nil) { corner, path in
            (min(corner?.x ?? path.box.minX, path.box.minX), min(corner?.y ?? path.box.minY, path.box.minY))
        }
        hasher.combine(shape?.vertexCount)
        for member in feature.object?.members ?? [] {
            switch member.key {
            case "id": break
            case "geometry" where shape != nil: break
            case "properties": sameness.combine(properties: member.value, into: &hasher)
            default: sameness.combine(member: member, .texts, into: &hasher)
            }
        }
        self.hash = hasher.finalize()
    }
}

extension Equivalence {
    fileprivate func combine(properties: JSONValue, into hasher: inout Hasher) {
        guard let properties = properties.object else { return }
        for member in properties.members where PropertyRule.changeClass(of: member.key) != .reference {
            if PropertyRule.isSet(member.key), let items = member.value.array {
                hasher.combine(member.key)
                // Sets are small; the sum of hashes does not depend on the order.
                hasher.combine(items.reduce(0) { $0 &+ $1.hashValue })
            } else {
                self.combine(
                    member: member, TextMember.isText(member.key) ? .texts : .references, into: &hasher)
            }
        }
    }

    /// Null is as good as nothing, and so is what only refers to something.
    private func isNothing(_ value: JSONValue, _ reading: Reading) -> Bool {
        value.isNull || reading == .references && self.isReferring(value)
    }

    fileprivate func combine(member: JSONObject.Member, _ reading: Reading, into hasher: inout Hasher) {
        guard !self.isNothing(member.value, reading) else { return }
        hasher.combine(member.key)
        self.combine(member.value, reading, into: &hasher)
    }

    private func combine(_ value: JSONValue, _ reading: Reading, into hasher: inout Hasher) {
        switch value {
        case .array(let items):
            hasher.combine(items.count)
            for item in items where !self.isNothing(item, reading) { self.combine(item, reading, into: &hasher) }
        case .object(let object) where object.isGeometry:
            hasher.combine(Shape(object)?.vertexCount)
        case .object(let object):
            for member in object.members {
                self.combine(
                    member: member, reading == .references && TextMember.isText(member.key) ? .texts : reading,
                    into: &hasher)
            }
        default:
            hasher.combine(value)
        }
    }
}

/// Corners by cells a few tolerances wide; cells that something near their border joins are one place.
struct FingerprintGrid {
    private struct Cell: Hashable {
        let hash: Int
        let x: Double
        let y: Double
    }

    private var numbers: [Cell: Int32] = [:]
    /// A forest: every place leads to the one that it is part of.
    private var roots: [Int32] = []

    /// Takes in a gist; features of which one may be the other end up at one place.
    mutating func insert(_ gist: Fingerprint) -> Int32 {
        guard let corner = gist.corner else { return self.number(of: Cell(hash: gist.hash, x: 0, y: 0)) }
        var first: Int32?
        for x in Tolerance.cells(around: corner.x) {
            for y in Tolerance.cells(around: corner.y) {
                let number = self.number(of: Cell(hash: gist.hash, x: x, y: y))
                if let first { self.unite(first, number) } else { first = number }
            }
        }
        return first ?? 0
    }

    /// The place that a place is part of, when all have been taken in.
    mutating func place(of number: Int32) -> Int32 {
        var root = number
        while self.roots[Int(root)] != root { root = self.roots[Int(root)] }
        var next = number
        while next != root { (next, self.roots[Int(next)]) = (self.roots[Int(next)], root) }
        return root
    }

    private mutating func number(of cell: Cell) -> Int32 {
        if let number = self.numbers[cell] { return number }
        let number = Int32(self.roots.count)
        self.numbers[cell] = number
        self.roots.append(number)
        return number
    }

    private mutating func unite(_ one: Int32, _ other: Int32) {
        let (one, other) = (self.place(of: one), self.place(of: other))
        self.roots[Int(max(one, other))] = min(one, other)
    }
}
