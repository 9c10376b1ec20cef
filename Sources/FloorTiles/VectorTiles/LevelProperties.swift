import IMDF
import VenueMap

/// The properties of the features and labels of a level in vector tiles, with the names in one language.
struct LevelProperties: Sendable {
    /// In the order of ``PreparedLevel/layerTypes``.
    let layers: [LayerProperties]
    /// In the order of ``VectorFeatures/labels``.
    let labels: LayerProperties

    init(of level: PreparedLevel, language: String?) {
        var counts = level.layerTypes.map { _ in 0 }
        for entry in level.vectors.entries { counts[entry.layer] += 1 }
        let sharesIDs = PropertyWriter.sharesIDs(level)
        var layers = counts.map { PropertyWriter(of: level, language, features: $0, sharesIDs: sharesIDs) }
        for (feature, entry) in zip(level.features, level.vectors.entries) { layers[entry.layer].write(feature) }
        var labels = PropertyWriter(
            of: level, language, features: level.vectors.labels.count, sharesIDs: sharesIDs)
        for label in level.vectors.labels { labels.write(label) }
        self.layers = layers.map(\.layer.properties)
        self.labels = labels.layer.properties
    }
}

/// Writes the properties of features in one layer of a level.
private struct PropertyWriter {
    /// The indices of keys that most features have.
    private struct Keys {
        let id, category, group, levelID, floorID, ordinal, name: UInt32

        init(_ layer: inout LayerProperties.Builder) {
            (self.id, self.category, self.group) = (layer.key("id"), layer.key("category"), layer.key("group"))
            (self.levelID, self.floorID) = (layer.key("level_id"), layer.key("floor_id"))
            (self.ordinal, self.name) = (layer.key("ordinal"), layer.key("name"))
        }
    }

    private(set) var layer = LayerProperties.Builder()
    private let keys: Keys
    private let level: FeatureID
    /// The values that all features have.
    private let levelValue: UInt32
    private let ordinalValue: UInt32?
    /// Whether the level has the ordinal 0.
    private let isGround: Bool
    private let languages: [String]
    private let archiveLanguage: String?
    private let sharesIDs: Bool

    /// - Parameters:
    ///   - features: How many features are written.
    ///   - sharesIDs: Whether the text of a feature may be the id of another.
    init(of level: PreparedLevel, _ language: String?, features: Int, sharesIDs: Bool) {
        self.layer.reserve(features)
        self.sharesIDs = sharesIDs
        self.keys = Keys(&self.layer)
        self.level = level.id
        self.levelValue = self.layer.value(level.id.description)
        self.ordinalValue = if let ordinal = level.ordinal { self.layer.value(ordinal) } else { nil }
        self.isGround = level.ordinal == 0
        self.languages = [language].compactMap(\.self)
        self.archiveLanguage = level.archiveLanguage
    }

    static func sharesIDs(_ level: PreparedLevel) -> Bool {
        func isID(_ text: String) -> Bool { text.utf8.count == FeatureID.textLength && FeatureID(text) != nil }
        return level.features.contains { feature in
            feature.category.map(isID) == true || feature.names.contains { isID($0.text) }
        }
    }

    mutating func write(_ feature: TileFeature) {
        self.write(id: feature.id)
        self.write(category: feature.category)
        self.layer.append(self.keys.group, self.layer.value(feature.group.rawValue))
        if let color = feature.color { self.write("colour", color.key) }
        self.writeLevel()
        if feature.type == .level { self.writeFloor(feature) }
        self.writeNames(of: feature)
        self.layer.endFeature()
    }

    /// What Mapbox's indoor maps read of a floor, besides `id` and `name`.
    private mutating func writeFloor(_ feature: TileFeature) {
        self.write("type", "floor")
        if feature.id == self.level, let ordinal = self.ordinalValue {
            self.layer.append(self.layer.key("z_index"), ordinal)
            if self.isGround { self.layer.append(self.layer.key("is_default"), self.layer.trueValue()) }
        }
        guard !feature.buildings.isEmpty else { return }
        self.write("building_ids", feature.buildings.map(\.description).joined(separator: ";"))
    }

    mutating func write(_ label: LabelPointEntry) {
        self.write(id: label.id)
        self.write("feature_type", label.feature.type.rawValue)
        self.write("class", label.labelClass.rawValue)
        self.layer.append(self.layer.key("rank"), self.layer.value(label.rank))
        self.layer.append(self.layer.key("min_zoom"), self.layer.value(label.labelClass.zooms.lowerBound))
        for (key, value) in label.fit(self.name(of: label.feature))?.properties ?? [] {
            self.layer.append(self.layer.key(key), self.layer.value(value))
        }
        if let icon = label.pictogram { self.write("icon", icon.id) }
        self.write(category: label.feature.category)
        self.writeLevel()
        self.writeNames(of: label.feature)
        self.layer.endFeature()
    }

    private mutating func write(_ key: String, _ text: String) {
        self.layer.append(self.layer.key(key), self.layer.value(text))
    }

    private mutating func write(id: FeatureID) {
        let value =
            id == self.level
            ? self.levelValue
            : self.sharesIDs ? self.layer.value(id.description) : self.layer.newValue(id)
        self.layer.append(self.keys.id, value)
    }

    private mutating func write(category: String?) {
        if let category { self.layer.append(self.keys.category, self.layer.value(category)) }
    }

    /// The level under our name and under that of Mapbox's indoor maps.
    private mutating func writeLevel() {
        self.layer.append(self.keys.levelID, self.levelValue)
        self.layer.append(self.keys.floorID, self.levelValue)
        if let ordinalValue { self.layer.append(self.keys.ordinal, ordinalValue) }
    }

    private func name(of feature: TileFeature) -> String? {
        feature.labels?.text(for: self.languages, archiveLanguage: self.archiveLanguage)
    }

    private mutating func writeNames(of feature: TileFeature) {
        guard let name = self.name(of: feature) else { return }
        self.layer.append(self.keys.name, self.layer.value(name))
        for name in feature.names where !name.tag.isEmpty {
            self.layer.append(self.layer.nameKey(name.tag), self.layer.value(name.text))
        }
    }
}
