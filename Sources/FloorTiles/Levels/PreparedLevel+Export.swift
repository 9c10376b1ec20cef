package import IMDF
import VenueMap

extension PreparedLevel {
    /// The features as GeoJSON with flat properties, and a point for each label, for benchmarks of other programs.
    package var exportedFeatures: [JSONObject] {
        let features = self.features.map { feature in
            self.exported(feature, feature.shape, [("type", feature.type.rawValue)])
        }
        let labels = self.vectors.labels.map { label -> JSONObject in
            let own: [(key: String, value: String)] = [
                ("type", "label"), ("class", label.labelClass.rawValue), ("icon", label.pictogram?.id ?? ""),
                ("feature_type", label.feature.type.rawValue), ("rank", "\(label.rank)"),
                ("min_zoom", "\(label.labelClass.zooms.lowerBound)"),
            ]
            let fit = label.fit(label.feature.labels?.text(for: [], archiveLanguage: self.archiveLanguage))
            let sizes = (fit?.properties ?? []).map { (key: $0.key, value: "\($0.value)") }
            return self.exported(label.feature, .points([label.point]), own + sizes)
        }
        return features + labels
    }

    private func exported(
        _ feature: TileFeature, _ shape: WorldShape, _ own: [(key: String, value: String)]
    ) -> JSONObject {
        var members =
            own + [
                ("id", feature.id.description), ("number", "\(feature.number)"), ("category", feature.category ?? ""),
                ("group", feature.group.rawValue),
                ("fill", feature.group.fill.light), ("level_id", self.id.description),
                ("floor_id", self.id.description),
            ]
        if let labels = feature.labels {
            members.append(("name", labels.text(for: [], archiveLanguage: self.archiveLanguage)))
        }
        for name in feature.names where !name.tag.isEmpty { members.append(("name_\(name.tag)", name.text)) }
        var properties = JSONObject(members.map { JSONObject.Member(key: $0.key, value: .string($0.value)) })
        properties["ordinal"] = .number(Double(self.ordinal ?? 0))
        return [
            "type": "Feature", "geometry": .object(shape.geoJSON), "properties": .object(properties),
        ]
    }
}

extension WorldShape {
    fileprivate var geoJSON: JSONObject {
        func position(_ point: WorldPoint) -> JSONValue {
            let position = WebMercator.position(of: .init(x: point.x, y: point.y), zoom: 0, tileSize: 1)
            return .array([.number(position.longitude), .number(position.latitude)])
        }
        func path(_ points: [WorldPoint]) -> JSONValue { .array(points.map(position)) }
        switch self {
        case .points(let points): return ["type": "MultiPoint", "coordinates": path(points)]
        case .lines(let lines): return ["type": "MultiLineString", "coordinates": .array(lines.map(path))]
        case .polygons(let polygons):
            return [
                "type": "MultiPolygon", "coordinates": .array(polygons.map { .array($0.map(path)) }),
            ]
        }
    }
}
