import Foundation
import IMDF
import SyncModel

/// Overrides as comma-separated values (RFC 4180).
enum OverrideTable {
    private static let columns = [
        "id", "feature", "feature_type", "level_id", "name", "kind", "pointer", "state", "base", "value", "source",
        "author", "message", "since", "until",
    ]

    static let header = Self.line(Self.columns)

    static func line(of entry: OverrideEntry) -> String {
        self.line([
            entry.id.description, entry.feature.description, entry.type.rawValue, entry.level?.description ?? "",
            Labels(entry.name)?.text() ?? "", entry.kind.rawValue, entry.pointer, entry.state.rawValue,
            Self.json(entry.base), Self.json(entry.value), Self.json(entry.source), entry.author, entry.message ?? "",
            Timestamp.text(of: entry.since), entry.until.map(Timestamp.text(of:)) ?? "",
        ])
    }

    private static func json(_ value: JSONValue?) -> String {
        value.map { String(decoding: CanonicalJSON.data($0), as: UTF8.self) } ?? ""
    }

    private static func line(_ cells: [String]) -> String {
        cells.map(Self.cell).joined(separator: ",") + "\r\n"
    }

    /// Bytes because of which a cell is quoted.
    private static let quoted = Array(",\"\r\n".utf8)

    private static func startsFormula(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "\t", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }

    private static func cell(_ text: String) -> String {
        // A spreadsheet would take the text for a formula.
        let text = text.unicodeScalars.first.map(Self.startsFormula) == true ? "'\(text)" : text
        // By bytes: a quotation mark and a combining mark after it are one Character.
        guard text.utf8.contains(where: Self.quoted.contains) else { return text }
        let quote = UInt8(ascii: "\"")
        var bytes = [quote]
        for byte in text.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        return String(decoding: bytes + [quote], as: UTF8.self)
    }
}
