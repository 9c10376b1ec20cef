import Foundation
import IMDF
import VenueMap

/// The cartography with the outlines of its pictograms, for consoles and apps that draw floors themselves.
package enum CartographyDocument {
    /// `cartography.json` with the member `pictograms`: the path of each, on a square of 16 units, to be filled by the non-zero rule.
    package static let json: [UInt8] = {
        let text = String(decoding: Cartography.json, as: UTF8.self)
        let end = text.lastIndex(of: "}") ?? text.endIndex
        let pictograms = JSONObject(
            Pictogram.all.map { JSONObject.Member(key: $0.id, value: .string($0.path)) })
        let added = String(decoding: CanonicalJSON.data(.object(pictograms)), as: UTF8.self)
        return Array(
            "\(text[..<end].trimmingCharacters(in: .whitespacesAndNewlines)),\n  \"pictograms\": \(added)\n}\n".utf8)
    }()
}
