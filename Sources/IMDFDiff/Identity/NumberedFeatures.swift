import IMDF

/// The features of one state, numbered in the order of their ids, and the references between them.
struct NumberedFeatures: Sendable {
    private let numbers: FeatureNumbers
    /// The number of each feature's level; -1 if it has none.
    let levels: [Int32]
    /// The references of each feature, and the references to it. Known for features with content digests only.
    private(set) var targets = ReferenceLists.none
    private(set) var sources = ReferenceLists.none

    init(ids: [FeatureID], levels: [FeatureID?]) {
        let numbers = FeatureNumbers(ids)
        self.levels = levels.map { $0.flatMap { numbers.number(of: $0) } ?? -1 }
        self.numbers = numbers
        self.targets = ReferenceLists(count: ids.count, [])
        self.sources = self.targets
    }

    var ids: [FeatureID] { self.numbers.ids }

    func number(of id: FeatureID) -> Int32? { self.numbers.number(of: id) }

    /// The table with the references of content digests. References to features outside this state are ignored.
    func connected(_ digests: [NumberedDigest]) -> NumberedFeatures {
        var links: [Link] = []
        for digest in digests {
            for link in digest.digest.links {
                guard let target = self.number(of: link.target) else { continue }
                links.append(Link(property: link.property, from: digest.number, to: target))
            }
        }
        var table = self
        table.targets = ReferenceLists(count: self.ids.count, links)
        table.sources = ReferenceLists(
            count: self.ids.count, links.map { Link(property: $0.property, from: $0.to, to: $0.from) })
        return table
    }

    /// The content digests of features of this state.
    func numbered(_ digests: [ContentDigest]) -> [NumberedDigest] {
        digests.compactMap { digest in self.number(of: digest.id).map { NumberedDigest(number: $0, digest: digest) } }
    }

    /// The content digest of the feature with a number.
    struct NumberedDigest: Sendable {
        let number: Int32
        let digest: ContentDigest
    }

    struct Link {
        let property: UInt32
        let from: Int32
        let to: Int32
    }
}

/// The ids of the features of both states. A class, because it is passed on for each feature.
final class KnownIDs: Sendable {
    private let stored: NumberedFeatures
    private let arrived: NumberedFeatures

    init(stored: NumberedFeatures, arrived: NumberedFeatures) {
        self.stored = stored
        self.arrived = arrived
    }

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

    init(count: Int, _ links: [NumberedFeatures.Link]) {
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
