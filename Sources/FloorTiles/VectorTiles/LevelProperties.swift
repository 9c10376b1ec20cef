import IMDF
import VenueMap

/// The properties of the features and labels of a level in vector tiles, with the names in one language.
struct LevelProperties: Sendable {
    /// In the order of ``PreparedLevel/layerTypes``.
    let layers: [LayerProperties]
    /// In the order of ``PreparedLevel/labelPoints``.
    let labels: LayerProperties

    private typealias Properties = [(key: String, value: LayerProperties.Value)]

    init(of level: PreparedLevel, language: String?) {
        var features: [[Properties]] = Array(repeating: [], count: level.layerTypes.count)
        for (feature, position) in zip(level.features, level.layerPositions) {
            features[Int(position.layer)].append(Self.properties(of: feature, on: level, language))
        }
        self.layers = features.map { LayerProperties($0) }
        self.labels = LayerProperties(level.labelPoints.lazy.map { Self.properties(of: $0, on: level, language) })
    }

    private static func properties(
        of feature: LevelFeature, on level: PreparedLevel, _ language: String?
    ) -> Properties {
        var properties: Properties = [("id", .text(feature.id.description))]
        if let category = feature.category { properties.append(("category", .text(category))) }
        properties.append(("group", .text(feature.group.rawValue)))
        if let color = feature.color { properties.append(("colour", .text(color.key))) }
        return properties + self.properties(of: level) + self.names(of: feature, on: level, language)
    }

    private static func properties(
        of label: LabelPointEntry, on level: PreparedLevel, _ language: String?
    ) -> Properties {
        var properties: Properties = [
            ("id", .text(label.id.description)), ("feature_type", .text(label.feature.type.rawValue)),
            ("class", .text(label.labelClass.rawValue)), ("rank", .integer(label.labelClass.priority)),
            ("min_zoom", .integer(label.labelClass.zooms.lowerBound)),
        ]
        if let icon = label.pictogram { properties.append(("icon", .text(icon.id))) }
        if let category = label.feature.category { properties.append(("category", .text(category))) }
        return properties + self.properties(of: level) + self.names(of: label.feature, on: level, language)
    }

    /// The level under our name and under that of Mapbox's indoor maps.
    private static func properties(of level: PreparedLevel) -> Properties {
        let id = LayerProperties.Value.text(level.id.description)
        return [("level_id", id), ("floor_id", id)] + (level.ordinal.map { [("ordinal", .integer($0))] } ?? [])
    }

    private static func names(of feature: LevelFeature, on level: PreparedLevel, _ language: String?) -> Properties {
        let labels = Labels(
            .object(JSONObject(feature.names.map { JSONObject.Member(key: $0.tag, value: .string($0.text)) })))
        guard let labels else { return [] }
        let name = labels.text(for: [language].compactMap(\.self), archiveLanguage: level.archiveLanguage)
        return [("name", .text(name))]
            + feature.names.filter { !$0.tag.isEmpty }.map { ("name_\($0.tag)", .text($0.text)) }
    }
}
