import IMDF
import SyncModel

/// Describes overrides to people.
enum OverrideReport {
    /// An override with who made it, until when it holds, and what holds then.
    static func lines(of override: OverrideEntry) -> [String] {
        let until = override.until.map { ", until \(Timestamp.text(of: $0))" } ?? ""
        let message = override.message.map { "  “\($0)”" } ?? ""
        var lines = [
            "\(override.id)  \(override.state.rawValue)  \(Self.part(of: override))",
            "  by \(override.author), \(Timestamp.text(of: override.since))\(until)\(message)",
        ]
        if override.kind == .value { lines += Self.sides(of: override) }
        lines += override.covered.filter { $0.kind == .value }.map { "  then:   \(Self.text($0.value))" }
        return lines
    }

    /// What an override is about, and what it and the source say.
    static func values(of override: OverrideEntry) -> [String] {
        [Self.part(of: override)] + (override.kind == .value ? Self.sides(of: override) : [])
    }

    private static func part(of override: OverrideEntry) -> String {
        let name = Labels(override.name).map { " “\($0.text(for: [Terminal.language]))”" } ?? ""
        let part = override.kind == .value ? override.pointer : override.kind.rawValue
        return "\(override.type.rawValue)\(name)  \(part)"
    }

    private static func sides(of override: OverrideEntry) -> [String] {
        var lines = ["  base:   \(Self.text(override.base))", "  edit:   \(Self.text(override.value))"]
        if override.source != override.base { lines.append("  source: \(Self.text(override.source))") }
        return lines
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let value else { return "–" }
        return value.string ?? String(String(decoding: CanonicalJSON.data(value), as: UTF8.self).prefix(200))
    }
}
