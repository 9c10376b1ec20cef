internal import CSimdjson
internal import IMDF

/// The limits of members.
extension FeatureCollector {
    /// Blocks properties that are too long, and other members that are: beside the properties and in the geometry.
    mutating func checkMembers(_ known: KnownMembers, _ tape: Tape, _ feature: FeatureName) {
        self.checkMembers(of: 0, tape, "member", feature) { name, _ in
            ["properties", "geometry"].contains(name)
        }
        if let properties = known[.properties] {
            self.checkMembers(of: properties, tape, "property", feature, position: self.position(in: feature.type))
        }
        if let geometry = known[.geometry] { self.checkGeometry(geometry, tape, feature) }
    }

    private mutating func checkGeometry(_ geometry: Int, _ tape: Tape, _ feature: FeatureName) {
        var parts: [Int] = []
        self.checkMembers(of: geometry, tape, "member of the geometry", feature) { name, value in
            guard tape.tag(at: value) == .array else { return false }
            if name == "geometries" { parts.append(value) }
            return name == "coordinates" || name == "geometries"
        }
        for list in parts {
            var part = list + 1
            while part < tape.end(of: list) {
                self.checkGeometry(part, tape, feature)
                part = tape.end(of: part)
            }
        }
    }

    private mutating func checkMembers(
        of object: Int, _ tape: Tape, _ kind: String, _ feature: FeatureName, position: ReferencePosition = .nowhere,
        except isExempt: (String, Int) -> Bool = { _, _ in false }
    ) {
        guard tape.tag(at: object) == .object else { return }
        var key = object + 1
        while key < tape.end(of: object) {
            let value = tape.end(of: key)
            let name = String(
                decoding: (tape.string(at: key) ?? .init(start: nil, count: 0)).prefix(256), as: UTF8.self)
            if !isExempt(name, value) {
                let position = position.member(tape.utf8(of: tape.words[key]))
                if self.writer.length(ofMember: key, tape, at: value, position: position) > self.limits.memberBytes {
                    let shown = name.excerpt(characters: 64, bytes: 256)
                    self.block(
                        "ST-02",
                        "The feature's \(kind) “\(shown)” is longer than \(ZipInflater.size(self.limits.memberBytes)).",
                        feature)
                }
            }
            key = tape.end(of: value)
        }
    }

    /// Blocks the archive once: no feature after this one is read.
    mutating func blockGrowth(_ feature: FeatureName) {
        guard !self.exceedsGrowth else { return }
        self.exceedsGrowth = true
        self.block(
            "ST-02",
            "References to features whose ids were replaced are longer by \(ZipInflater.size(self.limits.referenceGrowthBytes)), which is the limit; the features need UUIDs of their own.",
            feature)
    }

    /// The position of the properties of a feature.
    func position(in type: FeatureType) -> ReferencePosition { type == .address ? .nowhere : .properties }
}
