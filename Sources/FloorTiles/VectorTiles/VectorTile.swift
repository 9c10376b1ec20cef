import IMDF
import VenueMap

/// A vector tile of levels: a layer for each feature type, sorted by id, and the layer `label` with a point for each label.
struct VectorTile {
    /// A feature or label by its index in a level.
    private struct Entry {
        let level: Int
        let index: Int
    }

    /// The features of a type.
    private struct Layer {
        let type: FeatureType
        /// The index of the layer in each level; nil if the level has none of the type.
        let indices: [Int?]
    }

    private let levels: [PreparedLevel]
    private let vectors: [VectorFeatures]
    private let tile: TileAddress
    private let language: String?
    /// In their order in the tile, also those without features.
    private let layers: [Layer]
    /// The features of all layers, in the order of the layers, and of the ids in each.
    private let features: [Entry]
    /// The index after the last feature of each layer.
    private let layerEnds: [Int]
    private let labels: [Entry]

    /// The name of the layer of label points.
    static let labelLayer = "label"

    init(levels: [PreparedLevel], tile: TileAddress, language: String?) {
        (self.levels, self.tile, self.language) = (levels, tile, language)
        let vectors = levels.map(\.vectors)
        self.vectors = vectors
        self.layers = Self.layers(of: levels)
        var (found, labels): ([(entry: Entry, layer: Int)], [Entry]) = ([], [])
        found.reserveCapacity(128)
        for (number, level) in levels.enumerated() {
            Self.find(in: tile, of: level, vectors[number], number, self.layers, &found, &labels)
        }
        var ends = Array(repeating: 0, count: self.layers.count)
        for (_, layer) in found { ends[layer] += 1 }
        for layer in ends.indices.dropFirst() { ends[layer] += ends[layer - 1] }
        // Every layer is filled from its end.
        var (next, features) = (ends, found.map(\.entry))
        for (entry, layer) in found.reversed() {
            next[layer] -= 1
            features[next[layer]] = entry
        }
        if levels.count > 1 {
            for layer in ends.indices {
                features[next[layer]..<ends[layer]].sort {
                    (levels[$0.level].features[$0.index].id, levels[$0.level].id)
                        < (levels[$1.level].features[$1.index].id, levels[$1.level].id)
                }
            }
            labels.sort {
                (vectors[$0.level].labels[$0.index].id, levels[$0.level].id)
                    < (vectors[$1.level].labels[$1.index].id, levels[$1.level].id)
            }
        }
        (self.features, self.layerEnds, self.labels) = (features, ends, labels)
    }

    /// Appends what a tile contains of a level: the features with their layers, in the order of the ids, and the labels.
    private static func find(
        in tile: TileAddress, of level: PreparedLevel, _ vectors: VectorFeatures, _ number: Int, _ layers: [Layer],
        _ found: inout [(entry: Entry, layer: Int)], _ labels: inout [Entry]
    ) {
        let box = tile.box.insetBy(-TileClipper.buffer / Double(VectorTileLayer.extent) / Double(1 << tile.zoom))
        var targets = Array(repeating: 0, count: level.layerTypes.count)
        for (target, layer) in layers.enumerated() {
            if let index = layer.indices[number] { targets[index] = target }
        }
        level.grid.forEachCandidate(in: box) { index in
            guard vectors.entries[index].box.intersects(box) else { return }
            found.append((Entry(level: number, index: index), targets[vectors.entries[index].layer]))
        }
        vectors.labelGrid.forEachCandidate(in: tile.box) { index in
            guard tile.box.containsPoint(vectors.labels[index].point) else { return }
            labels.append(Entry(level: number, index: index))
        }
    }

    private static func layers(of levels: [PreparedLevel]) -> [Layer] {
        if levels.count == 1 {
            return levels[0].layerTypes.enumerated().map { Layer(type: $1, indices: [$0]) }
        }
        let types = Set(levels.flatMap(\.layerTypes)).sorted(by: FeatureType.isLayerBefore)
        return types.map { type in Layer(type: type, indices: levels.map { $0.layerTypes.firstIndex(of: type) }) }
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
            self.vectors[entry.level].labels[entry.index].append(to: &bytes)
            if used.count > 1 { bytes.append(bigEndian: used.firstIndex(of: entry.level) ?? 0) }
        }
        bytes += self.tile.path.utf8
        return Digest(of: bytes)
    }

    /// - Parameter isCancelled: Called before each feature, and often while a geometry is cut; the rest is left out when it is true.
    func encoded(isCancelled: () -> Bool = { false }) -> [UInt8] {
        GEOSInterrupts.calling(isCancelled) { self.encode(isCancelled) }
    }

    private func encode(_ isCancelled: () -> Bool) -> [UInt8] {
        let properties = self.levels.map { $0.properties(language: self.language) }
        var clipper = TileClipper(tile: self.tile)
        var geometry = TileGeometry()
        var layer = VectorTileLayer()
        var tile = ScratchBuffer<UInt8>(capacity: 8_192)
        var start = 0
        for (part, end) in zip(self.layers, self.layerEnds) where start < end {
            let entries = self.features[start..<end]
            start = end
            let tables = zip(properties, part.indices).map { properties, index in index.map { properties.layers[$0] } }
            layer.begin(tables)
            for entry in entries where !isCancelled() {
                guard let table = tables[entry.level] else { continue }
                let vectors = self.vectors[entry.level]
                clipper.clip(entry.index, of: self.levels[entry.level], vectors, to: &geometry)
                let feature = vectors.entries[entry.index]
                guard !geometry.isEmpty else { continue }
                layer.append(id: feature.number, geometry, feature.index, of: table, level: entry.level)
            }
            if !layer.isEmpty { layer.append(to: &tile, name: part.type.layerName) }
        }
        if !self.labels.isEmpty { self.appendLabels(properties, &clipper, &geometry, &layer, to: &tile) }
        return Array(tile.elements)
    }

    private func appendLabels(
        _ properties: [LevelProperties], _ clipper: inout TileClipper, _ geometry: inout TileGeometry,
        _ layer: inout VectorTileLayer, to tile: inout ScratchBuffer<UInt8>
    ) {
        layer.begin(properties.map(\.labels))
        for entry in self.labels {
            let label = self.vectors[entry.level].labels[entry.index]
            clipper.clip(point: label.point, to: &geometry)
            guard !geometry.isEmpty else { continue }
            layer.append(
                id: label.feature.number, geometry, entry.index, of: properties[entry.level].labels, level: entry.level)
        }
        if !layer.isEmpty { layer.append(to: &tile, name: Self.labelLayer) }
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

extension WorldBox {
    /// Whether the point is inside or on the northern or western border.
    fileprivate func containsPoint(_ point: WorldPoint) -> Bool {
        point.x >= self.minX && point.x < self.maxX && point.y >= self.minY && point.y < self.maxY
    }
}
