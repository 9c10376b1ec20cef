import IMDF
import IMDFArchive
import IMDFDiff

/// The names in the body of a level, and the buildings that it belongs to.
struct LevelNaming: Sendable {
    /// The short name, or else the name.
    let short: String
    private let full: String?
    /// At most two: names of more would not fit into a sentence.
    let buildings: [FeatureID]

    /// Nil if the level has no name.
    init?(of body: [UInt8], language: String) {
        let properties = (try? JSONReader.value(of: body))?["properties"]
        let names = ["short_name", "name"].map { Self.text(properties?[$0], language: language) }
        guard let short = names[0] ?? names[1] else { return nil }
        self.short = short
        self.full = names[1] == short ? nil : names[1]
        self.buildings = (properties?["building_ids"]?.array ?? []).prefix(2).compactMap {
            $0.string.flatMap { FeatureID($0) }
        }
    }

    /// The name for a sentence; `building` returns the name of a building.
    func name(_ building: (FeatureID) -> String?) -> LevelName {
        let buildings = self.buildings.compactMap(building)
        return LevelName(
            self.short, full: self.full, building: buildings.isEmpty ? nil : buildings.joined(separator: " / "))
    }

    /// The name of a feature, in a length that fits into a sentence.
    static func label(in body: [UInt8], language: String) -> String? {
        self.text((try? JSONReader.value(of: body))?["properties"]?["name"], language: language)
    }

    private static func text(_ labels: JSONValue?, language: String) -> String? {
        Labels(labels)?.text(for: [language]).excerpt(characters: 60, bytes: 240)
    }
}
