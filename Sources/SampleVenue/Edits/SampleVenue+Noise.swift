import IMDF

extension SampleVenue {
    /// Changes the formatting of everything without changing its content, as another export of the same data would.
    ///
    /// Coordinates are first rounded to seven decimals and then jittered, so that repeated noise does not accumulate.
    mutating func reformat(using random: inout some RandomNumberGenerator) {
        var order = self.indices { _ in true }
        random.shuffle(&order)
        self.features = order.map { self.features[$0] }
        for index in self.features.indices {
            var noise = Noise(random: SplitMix64(seed: random.next()))
            self.features[index] = noise.reformat(self.features[index])
        }
        let day = String(101 + random.number(in: 0..<28)).dropFirst()
        self.manifest["created"] = .string("2025-0\(random.number(in: 4...9))-\(day)T10:30:00+09:00")
        self.style.memberOrder = .shuffled(seed: random.next())
        self.style.layout = random.element(of: [.compact, .featurePerLine, .indented])
        self.style.carriageReturns.toggle()
        self.style.minimumDecimals = random.number(in: 8...12)
        self.style.escapesNonASCII.toggle()
        self.style.namesCollections.toggle()
        self.style.fileOrder = random.next()
    }
}

/// Changes the formatting of one feature.
private struct Noise {
    var random: SplitMix64

    private static let sets: Set<String> = [
        "unit_ids", "building_ids", "level_ids", "parents", "accessibility", "access_control",
    ]

    /// Members for which null means the same as absence.
    private static let optional: [FeatureType: [String]] = [
        .address: ["postal_code_ext", "postal_code_vanity", "unit"],
        .amenity: ["accessibility", "alt_name", "website"],
        .anchor: ["address_id"], .fixture: ["alt_name", "anchor_id"], .kiosk: ["alt_name", "anchor_id"],
        .level: ["address_id", "restriction"], .occupant: ["correlation_id", "validity"],
        .opening: ["access_control", "alt_name", "name"], .section: ["accessibility", "correlation_id"],
        .unit: ["accessibility", "alt_name", "restriction"], .venue: ["alt_name", "restriction"],
    ]

    mutating func reformat(_ feature: SampleFeature) -> SampleFeature {
        var feature = feature
        feature.geometry = self.reformat(geometry: feature.geometry)
        var properties = feature.properties
        for member in properties.members {
            if Self.sets.contains(member.key), var elements = member.value.array {
                self.random.shuffle(&elements)
                properties[member.key] = .array(elements)
            } else if member.key == "display_point", self.random.chance(50) {
                properties[member.key] = self.jitter(member.value)
            } else if member.value.isNull, self.random.chance(60) {
                properties[member.key] = nil
            }
        }
        for key in Self.optional[feature.type] ?? [] where properties[key] == nil && self.random.chance(40) {
            properties[key] = .null
        }
        feature.properties = properties
        return feature
    }

    private mutating func reformat(geometry: JSONValue) -> JSONValue {
        guard var object = geometry.object, let type = object["type"]?.string else { return geometry }
        if self.random.chance(60), let moved = self.jitter(geometry).object { object = moved }
        guard var coordinates = object["coordinates"]?.array else { return geometry }
        switch type {
        case "Polygon": coordinates = self.reformat(polygon: coordinates)
        case "MultiPolygon":
            coordinates = coordinates.map { part in .array(self.reformat(polygon: part.array ?? [])) }
            self.random.shuffle(&coordinates)
        case "MultiLineString", "MultiPoint": self.random.shuffle(&coordinates)
        default: break
        }
        object["coordinates"] = .array(coordinates)
        if ["Polygon", "LineString", "Point"].contains(type) {
            if self.random.chance(30) {
                object["type"] = .string("Multi\(type)")
                object["coordinates"] = [.array(coordinates)]
            }
        } else if type.hasPrefix("Multi"), coordinates.count == 1, self.random.chance(50) {
            object["type"] = .string(String(type.dropFirst(5)))
            object["coordinates"] = coordinates[0]
        }
        return .object(object)
    }

    private mutating func reformat(polygon rings: [JSONValue]) -> [JSONValue] {
        let rotated = rings.map { self.rotate($0) }
        guard let outer = rotated.first else { return rotated }
        var holes = Array(rotated.dropFirst())
        self.random.shuffle(&holes)
        return [outer] + holes
    }

    /// Rotates the start of a ring, and sometimes reverses its direction.
    private mutating func rotate(_ ring: JSONValue) -> JSONValue {
        guard var points = ring.array, points.count > 3, points.first == points.last else { return ring }
        points.removeLast()
        let start = self.random.number(in: 0..<points.count)
        points = Array(points[start...] + points[..<start])
        if self.random.chance(40) { points.reverse() }
        return .array(points + points.prefix(1))
    }

    /// Moves every position by at most 1.5·10⁻⁸ degrees; equal positions are moved equally.
    private mutating func jitter(_ geometry: JSONValue) -> JSONValue {
        var random = self.random
        var moved: [GeoPoint: GeoPoint] = [:]
        let result = geometry.mappingPositions { point in
            if let known = moved[point] { return known }
            func near(_ degrees: Double, _ step: Int) -> Double {
                (degrees * 1e7).rounded() / 1e7 + Double(step) * 1e-9
            }
            let new = GeoPoint(
                near(point.longitude, random.number(in: -15...15)), near(point.latitude, random.number(in: -15...15)))
            moved[point] = new
            return new
        }
        self.random = random
        return result
    }
}
