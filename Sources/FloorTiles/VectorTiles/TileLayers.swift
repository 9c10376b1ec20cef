import IMDF

/// The layers of vector tiles, as TileJSON and archives describe them.
package enum TileLayers {
    private static let maximumLanguages = 100

    /// The layers that the vector tiles of levels may have, in their order, with their properties and the types of these. Names are listed
    /// in 100 languages at most.
    package static func layers(of levels: [PreparedLevel]) -> [(name: String, fields: [String: String])] {
        let names = self.names(of: levels)
        let common = self.text("id", "category", "level_id", "floor_id").merging(["ordinal": "Number"]) { $1 }
            .merging(names) { $1 }
        var layers: [(name: String, fields: [String: String])] = []
        let types = levels.reduce(into: Set<FeatureType>()) { $0.formUnion($1.layerTypes) }
        let colored = Set(levels.lazy.flatMap(\.features).filter { $0.color != nil }.map(\.type))
        for type in types.sorted(by: FeatureType.isLayerBefore) {
            var fields = common.merging(self.text("group")) { $1 }
            if colored.contains(type) { fields["colour"] = "String" }
            if type == .level { fields.merge(self.levelFields) { $1 } }
            layers.append((type.layerName, fields))
        }
        return layers + [(VectorTile.labelLayer, common.merging(self.labelFields) { $1 })]
    }

    /// The properties of the layer of levels besides those of all features: what indoor maps of Mapbox read.
    private static let levelFields = Self.text("type", "building_ids").merging(
        ["z_index": "Number", "is_default": "Boolean"]) { $1 }

    /// The properties of labels besides those of features.
    private static let labelFields = Self.text("feature_type", "class", "icon").merging(
        [
            "rank": "Number", "min_zoom": "Number", "size": "Number", "line_width": "Number", "rotate": "Number",
            "turned_size": "Number",
        ]) { $1 }

    private static func text(_ names: String...) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, "String") })
    }

    private static func names(of levels: [PreparedLevel]) -> [String: String] {
        let tags = levels.reduce(into: Set<String>()) { $0.formUnion($1.languageTags) }
        let names = ["name"] + tags.sorted().prefix(self.maximumLanguages).map { "name_\($0)" }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, "String") })
    }
}
