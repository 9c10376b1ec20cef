import IMDF
import VenueMap

/// A feature of a prepared level, as tiles show it. An object, because every tile copies lists of features.
final class TileFeature: Sendable {
    /// The colour of an area instead of that of the cartography.
    struct OwnColor: Sendable {
        /// Its key in the appearance, which vector tiles contain.
        let key: String
        let color: MapColor
    }

    let id: FeatureID
    let type: FeatureType
    let category: String?
    let group: CategoryGroup
    /// By the appearance of the venue.
    let color: OwnColor?
    let shape: WorldShape
    let box: WorldBox
    /// Whether it is a level that is no floor of a building.
    let isOutdoor: Bool
    /// Of a level: the ids of its buildings. Bounded in number.
    let buildings: [FeatureID]
    /// The zoom from which images show features of the type; nil if they never do.
    let firstZoom: Int?
    /// In squares of the world.
    let area: Double
    /// The names by language tag; the empty tag for a plain string. Bounded in number and length.
    let names: [(tag: String, text: String)]
    /// The same names, of which one is chosen by language; nil without any.
    let labels: Labels?
    /// Determines how the feature is drawn in images: type, colours and geometry.
    let drawingDigest: Digest
    /// Determines what vector tiles contain of it in every language.
    let contentDigest: Digest

    init(_ feature: MapFeature, shape: WorldShape, box: WorldBox, group: CategoryGroup, color: OwnColor? = nil) {
        self.id = feature.id
        self.type = feature.type
        self.category = feature.category.map { $0.excerpt(characters: 100, bytes: 400) }
        self.group = group
        self.color = color
        self.shape = shape
        self.box = box
        self.isOutdoor = feature.type == .level && feature["outdoor"]?.bool == true
        let buildings = feature.type == .level ? feature["building_ids"]?.array ?? [] : []
        self.buildings = Array(buildings.prefix(Self.maximumBuildings)).compactMap {
            $0.string.flatMap { FeatureID($0) }
        }
        self.firstZoom = Cartography.shared.types[feature.type.rawValue]?.tilesFrom
        self.area = shape.area
        let names = Self.names(of: feature["name"])
        self.names = names
        self.labels =
            names.isEmpty
            ? nil : Labels(.object(JSONObject(names.map { JSONObject.Member(key: $0.tag, value: .string($0.text)) })))
        var bytes: [UInt8] = []
        bytes.append(counted: feature.type.rawValue)
        bytes.append(counted: group.rawValue)
        if let color {
            bytes.append(counted: color.color.light)
            bytes.append(counted: color.color.dark)
        }
        if self.isOutdoor { bytes.append(counted: "outdoor") }
        shape.append(to: &bytes)
        self.drawingDigest = Digest(of: bytes)
        bytes.append(contentsOf: feature.id.description.utf8)
        bytes.append(counted: self.category ?? "")
        if let color { bytes.append(counted: color.key) }
        for name in self.names {
            bytes.append(counted: name.tag)
            bytes.append(counted: name.text)
        }
        for building in self.buildings { bytes.append(contentsOf: building.description.utf8) }
        self.contentDigest = Digest(of: bytes)
    }

    private static let maximumBuildings = 50
    private static let maximumNames = 50
    private static let maximumNameCharacters = 200

    static func names(of value: JSONValue?) -> [(tag: String, text: String)] {
        switch value {
        case .string(let text): [("", text.excerpt(characters: self.maximumNameCharacters, bytes: 1_000))]
        case .object(let labels):
            self.names(of: labels)
        default: []
        }
    }

    private static func names(of labels: JSONObject) -> [(tag: String, text: String)] {
        var seen: Set<ExactText> = []
        var names: [(tag: String, text: String)] = []
        for member in labels.members where names.count < self.maximumNames {
            guard let text = member.value.string, member.key.utf8.count <= 35 else { continue }
            let tag = LanguageParameter.lowercased(member.key)
            // The first of the tags that differ in case alone.
            guard seen.insert(ExactText(tag)).inserted else { continue }
            names.append((tag, text.excerpt(characters: self.maximumNameCharacters, bytes: 1_000)))
        }
        return names
    }

    /// The integer id of the feature in vector tiles. It is a hash with 53 bits, so that JavaScript can represent it; the property `id`
    /// identifies the feature.
    var number: UInt64 {
        var hash = self.id.high ^ (self.id.low &* 0x9E37_79B9_7F4A_7C15)
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return (hash ^ (hash >> 31)) >> 11
    }
}
