import Foundation

/// The files of the console that are made of the cartography of the server, so that the console draws floors as tiles do.
struct CartographyFiles {
    private struct Document: Decodable {
        let palette: [String: Shades]
        let groups: [Group]
        let categories: [String: Category]
        let pictograms: [String: String]
        let labels: [String: LabelRule]
    }

    private struct LabelRule: Codable {
        let priority: Int
        let groups: [String: Double]?
    }

    private struct Shades: Decodable {
        let light: String
        let dark: String
    }

    private struct Group: Codable {
        let id: String
        let name: [String: String]
        let units: [String]
        let occupants: [String]
    }

    private struct Category: Decodable {
        let icon: String?
        let marksUnits: Bool?
        let namesUnits: Bool?

        private enum CodingKeys: String, CodingKey {
            case icon
            case marksUnits = "marks_units"
            case namesUnits = "names_units"
        }
    }

    /// What the modules of the map need. The names of categories are in the client.
    private struct Module: Encodable {
        let groups: [Group]
        /// Names of pictograms by category.
        let icons: [String: String]
        /// Whether units have the pictogram, too, by category.
        let marksUnits: [String: Bool]
        /// Whether the names of units are shown, by category. They are if nothing is said.
        let namesUnits: [String: Bool]
        /// Paths by name.
        let pictograms: [String: String]
        /// The priorities of labels by class.
        let labels: [String: LabelRule]
    }

    private let document: Document

    /// - Parameter json: `GET /cartography.json`.
    init(json: [UInt8]) throws {
        self.document = try JSONDecoder().decode(Document.self, from: Data(json))
    }

    /// By the names that the console imports.
    func files() throws -> [String: [UInt8]] {
        ["css/palette.css": Array(self.styleSheet.utf8), "map/cartography.js": Array(try self.module.utf8)]
    }

    /// The colours as custom properties, for both modes.
    private var styleSheet: String {
        func rule(_ shade: (Shades) -> String) -> String {
            let colors = self.document.palette.sorted { $0.key < $1.key }
            return ":root {\n\(colors.map { "    --map-\($0.key): \(shade($0.value));\n" }.joined())}\n"
        }
        return rule(\.light) + "@media (prefers-color-scheme: dark) {\n\(rule(\.dark))}\n"
    }

    private var module: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let content = Module(
                groups: self.document.groups, icons: self.document.categories.compactMapValues(\.icon),
                marksUnits: self.document.categories.compactMapValues(\.marksUnits),
                namesUnits: self.document.categories.compactMapValues(\.namesUnits),
                pictograms: self.document.pictograms, labels: self.document.labels)
            return "export const cartography = \(String(decoding: try encoder.encode(content), as: UTF8.self));\n"
        }
    }
}
