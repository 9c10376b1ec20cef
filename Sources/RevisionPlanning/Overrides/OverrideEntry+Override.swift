import IMDF
import IMDFArchive
import IMDFDiff
package import SyncModel

extension OverrideEntry {
    /// The number of overrides in a response that is about something else, and of bytes of their values.
    private static let shownOverrides = 1_000
    private static let shownBytes = 1 << 20

    /// The first overrides.
    static func first(of overrides: [Override]) throws -> [OverrideEntry] {
        var bytes = 0
        let shown = overrides.prefix(Self.shownOverrides).prefix { override in
            bytes += Self.bytes(of: override)
            return bytes <= Self.shownBytes
        }
        return try shown.map { try OverrideEntry($0) }
    }

    private static func bytes(of override: Override) -> Int {
        [override.base, override.value, override.source].reduce(0) { $0 + ($1?.count ?? 0) }
            + override.covered.reduce(0) { $0 + Self.bytes(of: $1) }
    }

    init(_ override: Override) throws {
        let reader = JSONReader()
        self.init(
            id: override.id, feature: override.feature, type: override.witness.type, level: override.level,
            name: try override.witness.name.map { try reader.value(of: $0) },
            kind: override.isAddition ? .added : override.isHiding ? .hidden : .value,
            pointer: override.pointer.description, state: State(rawValue: override.state.rawValue) ?? .quiet,
            base: try override.base.map { try reader.value(of: $0) },
            value: try override.value.map { try reader.value(of: $0) },
            source: try override.source.map { try reader.value(of: $0) }, author: override.author,
            message: override.message, since: override.since, until: override.until,
            covered: try override.covered.map { try OverrideEntry($0) })
    }

    /// The entity tag: another one whenever anything about the override is different, including what the source says.
    package var tag: String {
        get throws { Digest(of: Array(try WireJSON.data(self))).tag }
    }
}
