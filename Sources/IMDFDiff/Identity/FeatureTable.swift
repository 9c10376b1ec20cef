import IMDF

/// The features of one state, numbered in the order of their ids, and the references between them.
struct FeatureTable: Sendable {
    let ids: [FeatureID]
    private let numbers: [FeatureID: Int32]
    /// The number of each feature's level; -1 if it has none.
    let levels: [Int32]
    /// The references of each feature, and the references to it. Known for features with content digests only.
    private(set) var targets = ReferenceLists.none
    private(set) var sources = ReferenceLists.none

    init(ids: [FeatureID], levels: [FeatureID?]) {
        self.ids = ids
        let numbers: [FeatureID: Int32] = Dictionary(zip(ids, 0...)) { first, _ in first }
        self.levels = levels.map { $0.flatMap { numbers[$0] } ?? -1 }
        self.numbers = numbers
        self.targets = ReferenceLists(count: ids.count, [])
        self.sources = self.targets
    }

    func number(of id: FeatureID) -> Int32? { self.numbers[id] }

    /// Adds the references of content digests. References to features outside this state are ignored.
    mutating func connect(_ digests: [ContentDigest]) {
        var links: [Link] = []
        for digest in digests {
            guard let source = self.number(of: digest.id) else { continue }
            for link in digest.links {
                guard let target = self.number(of: link.target) else { continue }
                links.append(Link(property: link.property, from: source, to: target))
            }
        }
        self.targets = ReferenceLists(count: self.ids.count, links)
        self.sources = ReferenceLists(
            count: self.ids.count, links.map { Link(property: $0.property, from: $0.to, to: $0.from) })
    }

    struct Link {
        let property: UInt32
        let from: Int32
        let to: Int32
    }
}

/// The ids of the features of both states.
struct KnownIDs: Sendable {
    let stored: FeatureTable
    let arrived: FeatureTable

    func contains(_ id: FeatureID) -> Bool { self.stored.number(of: id) != nil || self.arrived.number(of: id) != nil }
}

/// The references of all features as adjacency lists in one array.
struct ReferenceLists: Sendable {
    struct End: Hashable, Sendable {
        let property: UInt32
        let feature: Int32
    }

    private var starts: [Int32]
    private var ends: [End]

    static let none = ReferenceLists(count: 0, [])

    init(count: Int, _ links: [FeatureTable.Link]) {
        var starts = [Int32](repeating: 0, count: count + 1)
        for link in links { starts[Int(link.from) + 1] += 1 }
        for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
        var next = starts
        var ends = [End](repeating: End(property: 0, feature: 0), count: links.count)
        for link in links {
            ends[Int(next[Int(link.from)])] = End(property: link.property, feature: link.to)
            next[Int(link.from)] += 1
        }
        self.starts = starts
        self.ends = ends
    }

    func of(_ feature: Int32) -> ArraySlice<End> {
        self.ends[Int(self.starts[Int(feature)])..<Int(self.starts[Int(feature) + 1])]
    }
}
