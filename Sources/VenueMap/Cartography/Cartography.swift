import CMapFiles
import Foundation

/// What determines how maps look: the content of `cartography.json`, the only place of colours, icons, names and zooms.
package struct Cartography: Decodable, Sendable {
    /// A text in the languages of the map.
    package struct Text: Decodable, Hashable, Sendable {
        package let en: String
        package let ja: String
    }

    /// A colour of the palette.
    private struct Shades: Decodable {
        let light: String
        let dark: String
    }

    /// A group of categories. A category belongs to the group with the longest prefix of it.
    package struct Group: Decodable, Sendable {
        package let id: String
        package let name: Text
        /// The names of colours of the palette.
        package let fill: String
        package let outline: String
        /// Prefixes of the categories of units and of all types besides occupants and kiosks.
        package let units: [String]
        /// Prefixes of the categories of occupants and kiosks.
        package let occupants: [String]
    }

    /// How features of a type are drawn.
    package struct TypeRule: Decodable, Sendable {
        /// The name of a colour, or `group` for that of the category; nil without an area.
        package let fill: String?
        package let outline: String?
        package let labelPriority: Int
        /// The zoom, for tiles of 512 pixels, from which apps show it.
        package let minimumZoom: Double
        /// The zoom, for tiles of 256 pixels, from which image tiles show it; nil if they never do.
        package let tilesFrom: Int?

        private enum CodingKeys: String, CodingKey {
            case fill, outline
            case labelPriority = "label_priority"
            case minimumZoom = "minimum_zoom"
            case tilesFrom = "tiles_from"
        }
    }

    /// How labels of a class are chosen and set. Zooms are those of tiles of 256 pixels.
    package struct LabelRule: Decodable, Sendable {
        /// Labels with a smaller number are placed first.
        package let priority: Int
        /// The priority of some groups of categories instead: of occupants, visitors come for those with wares, food and services.
        package let groups: [String: Double]?
        /// The first and the last zoom.
        package let zooms: [Int]
        /// The smallest and the largest size of the text in pixels; the largest grows from zoom 18.
        package let text: [Double]
        /// The side of the icon in pixels, by the zoom from which it has that size.
        package let icons: [String: Int]?
    }

    package struct Category: Decodable, Sendable {
        package let en: String
        package let ja: String
        /// The pictogram; nil for that of the category without its last part.
        package let icon: String?
        /// Whether units of the category have the pictogram, too. It replaces their names.
        package let marksUnits: Bool?
        /// False for parts of the structure: units of the category do not show their names.
        package let namesUnits: Bool?

        private enum CodingKeys: String, CodingKey {
            case en, ja, icon
            case marksUnits = "marks_units"
            case namesUnits = "names_units"
        }
    }

    /// Increased with every change.
    package let version: Int
    private let palette: [String: Shades]
    package let groups: [Group]
    /// By feature type; `*` for all others.
    package let types: [String: TypeRule]
    /// The width of lines at zoom 16 in pixels, and by how much each zoom widens them.
    package let lines: [String: [Double]]
    package let labels: [String: LabelRule]
    package let categories: [String: Category]

    /// The bytes of `cartography.json`.
    package static let json: [UInt8] = {
        let file = venuesync_cartography_json()
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }()

    package static let shared: Cartography = {
        do {
            return try JSONDecoder().decode(Cartography.self, from: Data(Self.json))
        } catch {
            // The file is part of the program, and a test reads it.
            preconditionFailure("cartography.json: \(error)")
        }
    }()

    /// All colours, by name.
    package var colors: [String: MapColor] { self.palette.mapValues { MapColor($0.light, $0.dark) } }

    /// A colour of the palette.
    package func color(_ name: String) -> MapColor {
        guard let shades = self.palette[name] else { preconditionFailure("cartography.json has no colour \(name)") }
        return MapColor(shades.light, shades.dark)
    }

    /// The entry of a category, or of the category without its last parts.
    private func first<Value>(of category: String, _ value: (Category) -> Value?) -> Value? {
        for known in CategoryNames.lineage(of: category) {
            if let found = self.categories[known].flatMap(value) { return found }
        }
        return nil
    }

    /// The pictogram of amenities of a category; nil without one.
    package func icon(of category: String) -> String? { self.first(of: category, \.icon) }

    /// The pictogram of units of a category; nil for units that show their name.
    package func unitIcon(of category: String) -> String? {
        self.first(of: category, \.marksUnits) == true ? self.icon(of: category) : nil
    }

    /// Whether units of a category show their names.
    package func namesUnits(of category: String) -> Bool { self.first(of: category, \.namesUnits) ?? true }
}
