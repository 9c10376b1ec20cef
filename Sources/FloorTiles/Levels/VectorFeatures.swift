import IMDF
import Synchronization

/// The features and labels of a level in flat arrays, as vector tiles read them: without an object for each feature, and with all points
/// one after the other.
final class VectorFeatures: Sendable {
    enum Kind: Sendable {
        case points, line, ring
        /// Several lines or polygons, or a polygon with holes.
        case compound
    }

    struct Entry: Sendable {
        let box: WorldBox
        /// The integer id in tiles.
        let number: UInt64
        let kind: Kind
        /// In ``VectorFeatures/points``; empty for a compound.
        let points: Range<Int>
        /// The layer, and the index in it.
        let layer: Int
        let index: Int
    }

    /// In the order of the features of the level.
    let entries: [Entry]
    /// A point for each label; in the order of the ids.
    let labels: [LabelPointEntry]
    let labelGrid: FeatureGrid
    let points: [WorldPoint]
    /// Whether the polygons of a feature are valid, by index, as far as it was needed.
    private let validities = Mutex<[Int: Bool]>([:])

    init(_ level: PreparedLevel) {
        let layers = Dictionary(uniqueKeysWithValues: zip(level.layerTypes, level.layerTypes.indices))
        var counts = Array(repeating: 0, count: layers.count)
        var points: [WorldPoint] = []
        self.entries = level.features.map { feature in
            let layer = layers[feature.type] ?? 0
            defer { counts[layer] += 1 }
            let (kind, own): (Kind, [WorldPoint]) =
                switch feature.shape {
                case .points(let points): (.points, points)
                case .lines(let lines) where lines.count == 1: (.line, lines[0])
                case .polygons(let polygons) where polygons.count == 1 && polygons[0].count == 1:
                    (.ring, polygons[0][0])
                case .lines, .polygons: (.compound, [])
                }
            let start = points.count
            points += own
            return Entry(
                box: feature.box, number: feature.number, kind: kind, points: start..<points.count, layer: layer,
                index: counts[layer])
        }
        self.points = points
        self.labels = LabelPointEntry.entries(of: level)
        self.labelGrid = FeatureGrid(self.labels.map { WorldBox(around: $0.point) })
    }

    /// Whether the polygons of a feature are known to be valid, also together, which does not depend on the units of their points.
    func isValid(_ index: Int, of level: PreparedLevel) -> Bool {
        if let isValid = self.validities.withLock({ $0[index] }) { return isValid }
        let shape = level.features[index].shape
        guard case .polygons(let polygons) = shape, shape.vertexCount <= GEOSClipper.maximumKnownPoints
        else { return false }
        let isValid = GEOSClipper().areApart(
            polygons.map { $0.map { $0.map { LocalPoint(x: $0.x, y: $0.y) } } })
        self.validities.withLock { $0[index] = isValid }
        return isValid
    }
}
