package import IMDF

extension FeatureType {
    package static let attraction = FeatureType(rawValue: "attraction")
}

extension VenueGenerator {
    /// Adds what producers add to the standard: a type in a file with another name, undeclared references and unknown members.
    mutating func addExtension() {
        self.fileNames[.attraction] = "attractions.geojson"
        self.manifest["extensions"] = ["imdf:extension:example.jp:attractions#1.0.0"]
        self.manifest["origin"] = FeatureID.random(using: &self.random).value
        var numbered = 0
        var walkways: [(point: JSONValue, unit: FeatureID)] = []
        for index in self.features.indices where self.features[index].type == .unit {
            if self.features[index]["category"] == "walkway", let point = self.features[index]["display_point"] {
                walkways.append((point, self.features[index].id))
            }
            numbered += 1
            guard numbered.isMultiple(of: 7) else { continue }
            self.features[index]["area_code"] = .string("Z\(numbered)")
            self.features[index]["meta"] = [
                "floor_finish": "tile", "rent": .number(Double(numbered) * 12.5), "tags": [],
            ]
        }
        for (number, walkway) in walkways.enumerated() {
            let next = walkways[(number + 1) % walkways.count].unit
            self.add(
                .attraction, walkway.point,
                [
                    "name": Label("Sculpture \(number + 1)", "彫刻\(number + 1)").value,
                    "nearest_unit": walkway.unit.value,
                    "rotation": .number(Double(self.random.number(in: 0..<3_600)) / 10),
                    "tour": ["stops": [walkway.unit.value, next.value], "title": "Art Walk"],
                ])
        }
    }
}
