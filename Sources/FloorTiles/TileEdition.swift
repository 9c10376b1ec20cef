import CGEOS
import CPango
import Foundation
import IMDF
import VenueMap

/// The fonts of labels.
package enum TileFonts {
    /// Where Debian and its relatives install fonts that have Latin, Greek, Cyrillic, Chinese, Japanese and Korean characters. The first
    /// that has a character is used.
    private static let paths = [
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    ]

    /// The fonts that are installed.
    package static let installed = paths.filter { FileManager.default.isReadableFile(atPath: $0) }
}

enum TileEdition {
    /// Increased with every change of this program that changes tiles: drawing, placement, encoding.
    static let version = 13

    static func digest(fonts: [String]) -> Digest {
        var parts = [
            "\(self.version)", "cartography \(Digest(of: Cartography.json + Pictogram.document).hex)",
            "png \(PNGEncoder.edition)", String(cString: cairo_version_string()),
            String(cString: pango_version_string()), String(cString: GEOSversion()), "\(FcGetVersion())",
        ]
        for font in fonts {
            let content = FileManager.default.contents(atPath: font) ?? Data()
            parts.append(Digest(of: Array(content)).hex)
        }
        return Digest(of: Array(parts.joined(separator: "\n").utf8))
    }
}
