public import IMDF

/// How features are written for whom they are drawn by.
public struct CollectionOptions: Hashable, Sendable {
    /// The property that repeats the feature's id, as MapLibre's `promoteId` wants it; nil for none. It takes the place of one
    /// of that name.
    public var idProperty: String?
    /// Whether features without a geometry are left out, instead of being written with null.
    public var needsGeometry = false
    /// Whether a MultiPolygon becomes as many features, for apps that draw polygons only. Their ids are the feature's with
    /// `#1`, `#2` … behind, in the order of the parts.
    public var splitsMultiPolygons = false

    public init(idProperty: String? = nil, needsGeometry: Bool = false, splitsMultiPolygons: Bool = false) {
        self.idProperty = idProperty
        self.needsGeometry = needsGeometry
        self.splitsMultiPolygons = splitsMultiPolygons
    }
}

extension VenueMap {
    /// A FeatureCollection of one type on one level, as UTF-8: one source of a map each, instead of one for every feature.
    ///
    /// It is what strict readers take, MapKit's among them: every member is a Feature with its id as text, an object for
    /// properties, and a geometry that is null where it could not be drawn. Nothing else differs from what was sent; bodies that
    /// need no change are copied. Features are in the order of their ids.
    ///
    /// - Parameter level: Nil for what belongs to no level.
    /// - Complexity: O(bytes).
    public func collection(
        of type: FeatureType, on level: FeatureID?, options: CollectionOptions = CollectionOptions()
    ) -> [UInt8] {
        var writer = CollectionWriter(options)
        for feature in self.features(of: type, on: level) { writer.append(feature) }
        return writer.finish()
    }
}

/// Writes a FeatureCollection.
private struct CollectionWriter {
    private let options: CollectionOptions
    private let reader = FeatureReader()
    private var output = Array("{\"features\":[".utf8)
    private var isEmpty = true

    init(_ options: CollectionOptions) {
        self.options = options
    }

    mutating func append(_ feature: MapFeature) {
        guard feature.hasGeometry || !self.options.needsGeometry else { return }
        let parts = self.options.splitsMultiPolygons ? feature.partCount : nil
        if feature.isStrict, parts == nil, self.copy(feature) { return }
        guard let content = self.strictContent(of: feature) else { return }
        guard let parts else { return self.append(content, id: feature.id.description) }
        for part in 0..<parts {
            var content = content
            let coordinates = content["geometry"]?["coordinates"]?.array?[part] ?? .null
            content["geometry"] = ["coordinates": coordinates, "type": "Polygon"]
            self.append(content, id: "\(feature.id)#\(part + 1)")
        }
    }

    /// Writes a body byte for byte, with one more property in front if asked for; false when there is no place for that.
    private mutating func copy(_ feature: MapFeature) -> Bool {
        guard let key = self.options.idProperty else {
            self.separate()
            self.output += feature.body
            return true
        }
        guard feature.properties[key] == nil, let place = feature.placeOfProperties else { return false }
        self.separate()
        self.output += feature.body[..<place]
        CanonicalJSON.append(.string(key), to: &self.output)
        self.output.append(UInt8(ascii: ":"))
        CanonicalJSON.append(.string(feature.id.description), to: &self.output)
        if !feature.properties.members.isEmpty { self.output.append(UInt8(ascii: ",")) }
        self.output += feature.body[place...]
        return true
    }

    mutating func finish() -> [UInt8] {
        self.output += Array("],\"type\":\"FeatureCollection\"}".utf8)
        return self.output
    }

    private mutating func append(_ content: JSONObject, id: String) {
        var content = content
        content["id"] = .string(id)
        if let key = self.options.idProperty {
            var properties = content["properties"]?.object ?? [:]
            properties[key] = .string(id)
            content["properties"] = .object(properties)
        }
        self.separate()
        CanonicalJSON.append(content, to: &self.output)
    }

    private mutating func separate() {
        if !self.isEmpty { self.output.append(UInt8(ascii: ",")) }
        self.isEmpty = false
    }

    /// The content with what a strict reader asks for.
    private func strictContent(of feature: MapFeature) -> JSONObject? {
        guard var content = self.reader.content(of: feature.body) else { return nil }
        content["type"] = "Feature"
        content["properties"] = .object(feature.properties)
        if !feature.hasGeometry { content["geometry"] = .some(.null) }
        return content
    }
}

extension MapFeature {
    /// How many polygons a MultiPolygon has; nil for any other geometry.
    fileprivate var partCount: Int? {
        guard case .polygons(let polygons) = self.shape, self.isMultiPolygon else { return nil }
        return polygons.count
    }

    /// The place right behind the brace that opens the properties, in a canonical body.
    fileprivate var placeOfProperties: Int? {
        let opening = Array("\"properties\":{".utf8)
        var depth = 0
        var place = 0
        while place < self.body.count {
            switch self.body[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                if depth == 1, self.body[place...].starts(with: opening) { return place + opening.count }
                place += 1
                while place < self.body.count, self.body[place] != UInt8(ascii: "\"") {
                    place += self.body[place] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: break
            }
            place += 1
        }
        return nil
    }
}
