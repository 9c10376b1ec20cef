import IMDF
import VenueMap

/// A vector tile of levels: a layer for each feature type, sorted by id, and the layer `label` with a point for each label.
struct VectorTile {
    private struct Entry {
        let level: PreparedLevel
        let feature: LevelFeature
    }

    private struct LabelEntry {
        let level: PreparedLevel
        let label: LabelPointEntry
    }

    private let tile: TileAddress
    private let language: String?
    private let entries: [Entry]
    private let labels: [LabelEntry]

    /// The name of the layer of label points.
    static let labelLayer = "label"

    init(levels: [PreparedLevel], tile: TileAddress, language: String?) {
        self.tile = tile
        self.language = language
        let box = tile.box.insetBy(-TileClipper.buffer / Double(VectorTileLayer.extent) / Double(1 << tile.zoom))
        var entries: [Entry] = []
        var labels: [LabelEntry] = []
        for level in levels {
            for index in level.grid.candidates(in: box) where level.features[index].box.intersects(box) {
                entries.append(Entry(level: level, feature: level.features[index]))
            }
            for label in level.labelPoints where tile.box.containsPoint(label.point) {
                labels.append(LabelEntry(level: level, label: label))
            }
        }
        self.entries = entries.sorted { ($0.feature.id, $0.level.id) < ($1.feature.id, $1.level.id) }
        self.labels = labels.sorted { ($0.label.id, $0.level.id) < ($1.label.id, $1.level.id) }
    }

    /// Determines the bytes; nil for an empty tile.
    var contentDigest: Digest? {
        guard !self.entries.isEmpty || !self.labels.isEmpty else { return nil }
        var bytes: [UInt8] = []
        func append(_ level: PreparedLevel) {
            bytes.append(counted: level.id.description)
            bytes.append(bigEndian: level.ordinal ?? .min)
            bytes.append(counted: level.archiveLanguage ?? "")
            bytes.append(counted: level.effectiveLanguage(self.language) ?? "")
        }
        bytes.append(bigEndian: self.entries.count)
        for entry in self.entries {
            bytes += entry.feature.contentDigest.bytes
            append(entry.level)
        }
        bytes.append(bigEndian: self.labels.count)
        for entry in self.labels {
            entry.label.append(to: &bytes)
            append(entry.level)
        }
        bytes += self.tile.path.utf8
        return Digest(of: bytes)
    }

    /// - Parameter isCancelled: Checked before each feature; the rest is left out then.
    func encoded(isCancelled: () -> Bool = { false }) -> [UInt8] {
        let clipper = TileClipper(tile: self.tile)
        var layers: [FeatureType: VectorTileLayer] = [:]
        for entry in self.entries {
            if isCancelled() { break }
            guard let geometry = clipper.clipped(entry.feature.shape) else { continue }
            let type = entry.feature.type
            layers[type, default: VectorTileLayer(name: type.layerName)].append(
                id: entry.feature.number, self.properties(of: entry), geometry)
        }
        var labels = VectorTileLayer(name: Self.labelLayer)
        for entry in self.labels {
            guard let geometry = clipper.point(entry.label.point) else { continue }
            labels.append(id: entry.label.feature.number, self.properties(of: entry), geometry)
        }
        var tile = ProtobufWriter()
        for (_, layer) in layers.sorted(by: { ($0.key.rank, $0.key.rawValue) < ($1.key.rank, $1.key.rawValue) }) {
            tile.write(layer.encoded(), field: 3)
        }
        if !labels.isEmpty { tile.write(labels.encoded(), field: 3) }
        return tile.bytes
    }

    private typealias Properties = [(key: String, value: VectorTileLayer.Value)]

    private func properties(of entry: Entry) -> Properties {
        var properties: Properties = [("id", .text(entry.feature.id.description))]
        if let category = entry.feature.category { properties.append(("category", .text(category))) }
        properties.append(("group", .text(entry.feature.group.rawValue)))
        if let color = entry.feature.color { properties.append(("colour", .text(color.key))) }
        self.append(entry.level, to: &properties)
        self.append(names: entry.feature.names, of: entry.level, to: &properties)
        return properties
    }

    private func properties(of entry: LabelEntry) -> Properties {
        let label = entry.label
        var properties: Properties = [
            ("id", .text(label.id.description)), ("feature_type", .text(label.feature.type.rawValue)),
            ("class", .text(label.labelClass.rawValue)), ("rank", .integer(label.labelClass.priority)),
            ("min_zoom", .integer(label.labelClass.zooms.lowerBound)),
        ]
        if let icon = label.pictogram { properties.append(("icon", .text(icon.id))) }
        if let category = label.feature.category { properties.append(("category", .text(category))) }
        self.append(entry.level, to: &properties)
        self.append(names: label.feature.names, of: entry.level, to: &properties)
        return properties
    }

    /// The level under our name and under that of Mapbox's indoor maps.
    private func append(_ level: PreparedLevel, to properties: inout Properties) {
        properties.append(("level_id", .text(level.id.description)))
        properties.append(("floor_id", .text(level.id.description)))
        if let ordinal = level.ordinal { properties.append(("ordinal", .integer(ordinal))) }
    }

    private func append(
        names: [(tag: String, text: String)], of level: PreparedLevel, to properties: inout Properties
    ) {
        let labels = Labels(
            .object(JSONObject(names.map { JSONObject.Member(key: $0.tag, value: .string($0.text)) })))
        guard let labels else { return }
        let languages = [level.effectiveLanguage(self.language)].compactMap(\.self)
        properties.append(
            ("name", .text(labels.text(for: languages, archiveLanguage: level.archiveLanguage))))
        for name in names where !name.tag.isEmpty { properties.append(("name_\(name.tag)", .text(name.text))) }
    }
}

extension FeatureType {
    /// A type of an extension may have any name.
    var layerName: String {
        let name = self.rawValue.excerpt(characters: 100, bytes: 400)
        return name == VectorTile.labelLayer ? "feature_label" : name
    }
}

/// A label of a level as a point of vector tiles.
struct LabelPointEntry: Sendable {
    let feature: LevelFeature
    let point: WorldPoint
    let labelClass: LabelClass
    let pictogram: Pictogram?

    var id: FeatureID { self.feature.id }

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
