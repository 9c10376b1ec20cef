import IMDF
import SyncModel

/// A change of a feature for people: what it is called, where it is, and which values were replaced by which.
enum ChangeLines {
    private static let shownValues = 20

    static func lines(of change: RevisionDiff.Change, on level: String) -> [String] {
        let body = change.after ?? change.before
        let name = Labels(body?["properties"]?["name"])?.text(for: [Terminal.language])
        let label = (name.map { " “\($0)”" } ?? body?["properties"]?["category"]?.string.map { " (\($0))" }) ?? ""
        let origin = HistoryEntry.Origin.label(change.overrides)
        let head =
            "\(change.kind.rawValue) \(change.type.rawValue)\(label) on \(level)  \(change.id)"
            + (origin.isEmpty ? "" : "  \(origin)")
        guard change.kind == .changed, let before = change.before, let after = change.after else { return [head] }
        let values = Self.values(before, after)
        guard !values.isEmpty else { return [head, "    \(change.classes.joined(separator: ", "))"] }
        let rest = values.count - Self.shownValues
        return [head] + values.prefix(Self.shownValues).map { "    \($0)" } + (rest > 0 ? ["    and \(rest) more"] : [])
    }

    private static func values(_ before: JSONValue, _ after: JSONValue) -> [String] {
        var lines: [String] = []
        if before["geometry"] != after["geometry"] { lines.append("geometry: changed") }
        for (key, old, new) in Self.differences(before["properties"]?.object, after["properties"]?.object) {
            guard key != "display_point" else {
                lines.append("display_point: changed")
                continue
            }
            guard let old = old?.object, let new = new?.object else {
                lines.append("\(key): \(Self.text(old)) → \(Self.text(new))")
                continue
            }
            lines += Self.differences(old, new).map { "\(key).\($0): \(Self.text($1)) → \(Self.text($2))" }
        }
        return lines
    }

    /// The members that differ, with their values.
    private static func differences(
        _ before: JSONObject?, _ after: JSONObject?
    ) -> [(key: String, old: JSONValue?, new: JSONValue?)] {
        JSONObject((before?.members ?? []) + (after?.members ?? [])).members.compactMap { member in
            let (old, new) = (before?[member.key], after?[member.key])
            return (old ?? .null) == (new ?? .null) ? nil : (member.key, old, new)
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let value, !value.isNull else { return "–" }
        return (value.string ?? String(decoding: CanonicalJSON.data(value), as: UTF8.self)).excerpt(
            characters: 80, bytes: 400)
    }
}
