public import IMDF

/// How a FeatureCollection is written for the map library that draws it.
public struct CollectionOptions: Hashable, Sendable {
    /// The name of a property that repeats the feature's id, for MapLibre's `promoteId`; nil for none. It replaces a property of that
    /// name.
    public var idProperty: String?
    /// Whether features without a geometry are left out instead of being written with a null geometry.
    public var needsGeometry = false
    /// Whether a MultiPolygon is written as one feature for each polygon, for apps that draw polygons only. Their ids are the feature's
    /// id followed by `#1`, `#2` …, in the order of the polygons.
    public var splitsMultiPolygons = false

    public init(idProperty: String? = nil, needsGeometry: Bool = false, splitsMultiPolygons: Bool = false) {
        self.idProperty = idProperty
        self.needsGeometry = needsGeometry
        self.splitsMultiPolygons = splitsMultiPolygons
    }
}

extension VenueMap {
    /// A FeatureCollection of the features of one type on one level, as UTF-8. A map needs one source for each collection.
    ///
    /// Strict parsers such as MapKit's accept it: every member is a Feature with a string as id, an object as properties, and a
    /// geometry that is null if it cannot be drawn. Bodies that need no change are copied byte for byte. Features are ordered by id.
    ///
    /// - Parameter level: Nil for features that belong to no level.
    /// - Complexity: O(*n*) in the number of bytes.
    public func collection(
        of type: FeatureType, on level: FeatureID?, options: CollectionOptions = CollectionOptions()
    ) -> [UInt8] {
        self.collection(of: self.features(of: type, on: level), options)
    }

    func collection(of features: [MapFeature], _ options: CollectionOptions) -> [UInt8] {
        var writer = CollectionWriter(options)
        for feature in features { writer.append(feature) }
        return writer.finish()
    }
}

/// Writes a FeatureCollection.
private struct CollectionWriter {
    private let options: CollectionOptions
    private let reader = FeatureReader.foundation
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

    /// Copies a body byte for byte, with the id property in front of the others if there is one; false if the body has to be rewritten.
    private mutating func copy(_ feature: MapFeature) -> Bool {
        guard let key = self.options.idProperty else {
            self.separate()
            self.output += feature.body
            return true
        }
        guard feature.properties[key] == nil, let offset = feature.propertiesOffset else { return false }
        self.separate()
        self.output += feature.body[..<offset]
        CanonicalJSON.append(.string(key), to: &self.output)
        self.output.append(UInt8(ascii: ":"))
        CanonicalJSON.append(.string(feature.id.description), to: &self.output)
        if !feature.properties.members.isEmpty { self.output.append(UInt8(ascii: ",")) }
        self.output += feature.body[offset...]
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

    /// The content with the members that a strict parser requires.
    private func strictContent(of feature: MapFeature) -> JSONObject? {
        guard var content = self.reader.content(feature.body) else { return nil }
        content["type"] = "Feature"
        content["properties"] = .object(feature.properties)
        if !feature.hasGeometry { content["geometry"] = .some(.null) }
        return content
    }
}

extension MapFeature {
    /// The number of polygons of a MultiPolygon; nil for any other geometry.
    fileprivate var partCount: Int? {
        guard case .polygons(let polygons) = self.shape, self.isMultiPolygon else { return nil }
        return polygons.count
    }

    /// The offset after the opening brace of the properties, in a canonical body.
    fileprivate var propertiesOffset: Int? {
        let opening = Array("\"properties\":{".utf8)
        var depth = 0
        var offset = 0
        while offset < self.body.count {
            switch self.body[offset] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                if depth == 1, self.body[offset...].starts(with: opening) { return offset + opening.count }
                offset += 1
                while offset < self.body.count, self.body[offset] != UInt8(ascii: "\"") {
                    offset += self.body[offset] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: break
            }
            offset += 1
        }
        return nil
    }
}
