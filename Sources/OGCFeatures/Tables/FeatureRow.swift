package import IMDF
package import IMDFArchive

/// What queries need of a feature: everything but its body.
package struct FeatureRow: Sendable {
    let id: FeatureID
    let type: FeatureType
    /// Of the canonical body.
    let bytes: Int
    /// The levels that a feature of the venue-wide part touches.
    let touches: [FeatureID]
    let category: String?
    let columns: [String]
    var outline = Outline()

    /// - Parameter reader: Reads one body after the other.
    package init(
        id: FeatureID, type: FeatureType, touches: [FeatureID] = [], body: [UInt8], by reader: JSONReader = .init()
    ) throws {
        let value = try reader.value(of: body)
        let properties = value["properties"]?.object ?? [:]
        self.id = id
        self.type = type
        self.bytes = body.count
        self.touches = touches
        self.category = properties["category"]?.string
        self.columns = FeatureColumns.names(of: properties)
        self.outline.append(value["geometry"] ?? .null)
    }
}

/// The positions of a geometry: paths that are points, lines or rings.
struct Outline: Sendable {
    enum Kind: UInt8, Sendable {
        case points, line, ring
    }

    /// Longitude and latitude of each position.
    var ordinates: [Double] = []
    /// For each path its kind and the index after its last position.
    var paths: [(kind: Kind, end: Int)] = []

    /// Appends a geometry, or the geometries of a collection. What cannot be read is left out.
    mutating func append(_ geometry: JSONValue) {
        if geometry["type"] == "GeometryCollection" {
            for part in geometry["geometries"]?.array ?? [] { self.append(part) }
            return
        }
        var reader = GeoJSONReader()
        guard !geometry.isNull, let geometry = reader.read(geometry) else { return }
        let kind: Kind =
            switch geometry.kind {
            case .points: .points
            case .lines: .line
            case .polygons: .ring
            }
        for path in geometry.paths {
            for index in path {
                let position = geometry.position(at: index)
                self.ordinates.append(position.longitude)
                self.ordinates.append(position.latitude)
            }
            self.paths.append((kind, self.ordinates.count / 2))
        }
    }

    var box: GeographicBox {
        var box = GeographicBox.empty
        for index in stride(from: 0, to: self.ordinates.count, by: 2) {
            box.extend(x: self.ordinates[index], y: self.ordinates[index + 1])
        }
        return box
    }

    var longitudes: LongitudeSpan {
        var span = LongitudeSpan()
        for index in stride(from: 0, to: self.ordinates.count, by: 2) { span.extend(self.ordinates[index]) }
        return span
    }
}
