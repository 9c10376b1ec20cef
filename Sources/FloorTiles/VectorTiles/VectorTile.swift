import IMDF
import VenueMap

/// A vector tile of levels: a layer for each feature type, sorted by id, and the layer `label` with a point for each label.
struct VectorTile {
    /// A feature or label by its index in a level.
    private struct Entry {
        let level: Int
        let index: Int
    }

    private let levels: [PreparedLevel]
    private let tile: TileAddress
    private let language: String?
    private let features: [Entry]
    private let labels: [Entry]

    /// The name of the layer of label points.
    static let labelLayer = "label"

    init(levels: [PreparedLevel], tile: TileAddress, language: String?) {
        (self.levels, self.tile, self.language) = (levels, tile, language)
        let box = tile.box.insetBy(-TileClipper.buffer / Double(VectorTileLayer.extent) / Double(1 << tile.zoom))
        var (features, labels): ([Entry], [Entry]) = ([], [])
        for (number, level) in levels.enumerated() {
            for index in level.grid.candidates(in: box) where level.features[index].box.intersects(box) {
                features.append(Entry(level: number, index: index))
            }
            for index in level.labelGrid.candidates(in: tile.box)
            where tile.box.containsPoint(level.labelPoints[index].point) {
                labels.append(Entry(level: number, index: index))
            }
        }
        if levels.count > 1 {
            features.sort {
                (levels[$0.level].features[$0.index].id, levels[$0.level].id)
                    < (levels[$1.level].features[$1.index].id, levels[$1.level].id)
            }
            labels.sort {
                (levels[$0.level].labelPoints[$0.index].id, levels[$0.level].id)
                    < (levels[$1.level].labelPoints[$1.index].id, levels[$1.level].id)
            }
        }
        (self.features, self.labels) = (features, labels)
    }

    /// Determines the bytes; nil for an empty tile.
    var contentDigest: Digest? {
        guard !self.features.isEmpty || !self.labels.isEmpty else { return nil }
        var bytes: [UInt8] = []
        let used = Set((self.features + self.labels).map(\.level)).sorted()
        bytes.append(bigEndian: used.count)
        for level in used.map({ self.levels[$0] }) {
            bytes.append(counted: level.id.description)
            bytes.append(bigEndian: level.ordinal ?? .min)
            bytes.append(counted: level.archiveLanguage ?? "")
            bytes.append(counted: level.effectiveLanguage(self.language) ?? "")
        }
        bytes.append(bigEndian: self.features.count)
        for entry in self.features {
            bytes += self.levels[entry.level].features[entry.index].contentDigest.bytes
            if used.count > 1 { bytes.append(bigEndian: used.firstIndex(of: entry.level) ?? 0) }
        }
        bytes.append(bigEndian: self.labels.count)
        for entry in self.labels {
            self.levels[entry.level].labelPoints[entry.index].append(to: &bytes)
            if used.count > 1 { bytes.append(bigEndian: used.firstIndex(of: entry.level) ?? 0) }
        }
        bytes += self.tile.path.utf8
        return Digest(of: bytes)
    }

    /// - Parameter isCancelled: Checked before each feature; the rest is left out then.
    func encoded(isCancelled: () -> Bool = { false }) -> [UInt8] {
        let clipper = TileClipper(tile: self.tile)
        let properties = self.levels.map { $0.properties(language: self.language) }
        var geometry = TileGeometry()
        var tile = ProtobufWriter()
        for (type, entries) in self.featuresByType {
            var layer = VectorTileLayer(levelCount: self.levels.count)
            for entry in entries where !isCancelled() {
                let level = self.levels[entry.level]
                let feature = level.features[entry.index]
                clipper.clip(feature.shape, feature.box, to: &geometry)
                guard !geometry.isEmpty else { continue }
                let position = level.layerPositions[entry.index]
                layer.append(
                    id: feature.number, geometry, Int(position.index),
                    of: properties[entry.level].layers[Int(position.layer)], level: entry.level)
            }
            if !layer.isEmpty { tile.write(layer.encoded(name: type.layerName), field: 3) }
        }
        var layer = VectorTileLayer(levelCount: self.levels.count)
        for entry in self.labels {
            let label = self.levels[entry.level].labelPoints[entry.index]
            clipper.clip(point: label.point, to: &geometry)
            guard !geometry.isEmpty else { continue }
            layer.append(
                id: label.feature.number, geometry, entry.index, of: properties[entry.level].labels, level: entry.level)
        }
        if !layer.isEmpty { tile.write(layer.encoded(name: Self.labelLayer), field: 3) }
        return tile.bytes
    }

    /// The features of each type, in the order of the layers.
    private var featuresByType: [(type: FeatureType, entries: [Entry])] {
        let types =
            self.levels.count == 1
            ? self.levels[0].layerTypes
            : Set(self.levels.flatMap(\.layerTypes)).sorted(by: FeatureType.isLayerBefore)
        let layers = self.levels.map { level in
            self.levels.count == 1
                ? Array(types.indices) : level.layerTypes.map { type in types.firstIndex(of: type) ?? 0 }
        }
        var entries: [[Entry]] = Array(repeating: [], count: types.count)
        for entry in self.features {
            let layer = self.levels[entry.level].layerPositions[entry.index].layer
            entries[layers[entry.level][Int(layer)]].append(entry)
        }
        return zip(types, entries).filter { !$1.isEmpty }.map { (type: $0, entries: $1) }
    }
}

extension FeatureType {
    /// A type of an extension may have any name.
    var layerName: String {
        let name = self.rawValue.excerpt(characters: 100, bytes: 400)
        return name == VectorTile.labelLayer ? "feature_label" : name
    }

    /// The order of layers in vector tiles.
    static func isLayerBefore(_ left: FeatureType, _ right: FeatureType) -> Bool {
        (left.rank, left.rawValue) < (right.rank, right.rawValue)
    }
}

/// A label of a level as a point of vector tiles.
struct LabelPointEntry: Sendable {
    let feature: LevelFeature
    let point: WorldPoint
    let labelClass: LabelClass
    let pictogram: Pictogram?

    var id: FeatureID { self.feature.id }

    /// Whether tiles contain the same of both, besides their levels.
    func isEqual(to other: LabelPointEntry) -> Bool {
        self.feature.contentDigest == other.feature.contentDigest && self.point == other.point
            && self.labelClass == other.labelClass && self.pictogram == other.pictogram
    }

    /// Appends bytes that determine what a tile contains of it, besides its level.
    func append(to bytes: inout [UInt8]) {
        bytes += self.feature.contentDigest.bytes
        bytes.append(bigEndian: self.point.x.bitPattern)
        bytes.append(bigEndian: self.point.y.bitPattern)
        bytes.append(counted: self.labelClass.rawValue)
        bytes.append(counted: self.pictogram?.id ?? "")
    }
}

extension WorldBox {
    /// Whether the point is inside or on the northern or western border.
    fileprivate func containsPoint(_ point: WorldPoint) -> Bool {
        point.x >= self.minX && point.x < self.maxX && point.y >= self.minY && point.y < self.maxY
    }
}
