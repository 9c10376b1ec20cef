import IMDF

/// A hash of a feature's properties without references and of its number of vertices, and the lower left corner of its bounding box.
///
/// Features that are equivalent except for references have equal hashes and corners within the tolerance. The converse is likely, but
/// has to be verified.
struct Fingerprint {
    /// Comparable within one run of the program only.
    let hash: Int
    let corner: (x: Double, y: Double)?

    init(_ feature: JSONValue, equivalence: Equivalence) {
        var hasher = Hasher()
        let geometry = feature["geometry"]?.object.flatMap(ComparableGeometry.init)
        self.corner = geometry?.paths.reduce(nil) { corner, path in
            (min(corner?.x ?? path.box.minX, path.box.minX), min(corner?.y ?? path.box.minY, path.box.minY))
        }
        hasher.combine(geometry?.vertexCount)
        for member in feature.object?.members ?? [] {
            switch member.key {
            case "id": break
            case "geometry" where geometry != nil: break
            case "properties": equivalence.combine(properties: member.value, into: &hasher)
            default: equivalence.combine(member: member, .texts, into: &hasher)
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
                // The sum of hashes does not depend on the order.
                hasher.combine(items.reduce(0) { $0 &+ $1.hashValue })
            } else {
                self.combine(
                    member: member, TextMember.isText(member.key) ? .texts : .references, into: &hasher)
            }
        }
    }

    /// Whether a value is ignored: null, or a reference.
    private func isIgnored(_ value: JSONValue, _ reading: Reading) -> Bool {
        value.isNull || reading == .references && self.isReferring(value)
    }

    fileprivate func combine(member: JSONObject.Member, _ reading: Reading, into hasher: inout Hasher) {
        guard !self.isIgnored(member.value, reading) else { return }
        hasher.combine(member.key)
        self.combine(member.value, reading, into: &hasher)
    }

    private func combine(_ value: JSONValue, _ reading: Reading, into hasher: inout Hasher) {
        switch value {
        case .array(let items):
            hasher.combine(items.count)
            for item in items where !self.isIgnored(item, reading) { self.combine(item, reading, into: &hasher) }
        case .object(let object) where object.isGeometry:
            hasher.combine(ComparableGeometry(object)?.vertexCount)
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

/// Groups fingerprints with equal hashes and near corners: a grid of cells a few tolerances wide, in which a union–find structure
/// joins cells that share a fingerprint near their border.
struct FingerprintGrid {
    private struct Cell: Hashable {
        let hash: Int
        let x: Double
        let y: Double
    }

    private var numbers: [Cell: Int32] = [:]
    /// The parent of each group; a root is its own parent.
    private var roots: [Int32] = []

    /// Inserts a fingerprint and returns its group. Fingerprints of equivalent features end up in the same root group.
    mutating func insert(_ fingerprint: Fingerprint) -> Int32 {
        guard let corner = fingerprint.corner else { return self.number(of: Cell(hash: fingerprint.hash, x: 0, y: 0)) }
        var first: Int32?
        for x in Tolerance.cells(around: corner.x) {
            for y in Tolerance.cells(around: corner.y) {
                let number = self.number(of: Cell(hash: fingerprint.hash, x: x, y: y))
                if let first { self.unite(first, number) } else { first = number }
            }
        }
        return first ?? 0
    }

    /// The root of a group, after all fingerprints were inserted.
    mutating func root(of number: Int32) -> Int32 {
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
        let (one, other) = (self.root(of: one), self.root(of: other))
        self.roots[Int(max(one, other))] = min(one, other)
    }
}
