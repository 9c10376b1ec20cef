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

    private static func cell(_ text: String) -> String {
        // A spreadsheet would take the text for a formula.
        let text = text.first.map { "=+-@\t\r".contains($0) } == true ? "'\(text)" : text
        guard text.contains(where: { ",\"\r\n".contains($0) || $0 == "\r\n" }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
