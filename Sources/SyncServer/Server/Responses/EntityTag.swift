import IMDF

enum EntityTag {
    /// A tag that differs when any of these texts does.
    static func of(_ parts: [String]) -> String {
        String(Digest(of: Array(parts.joined(separator: "\n").utf8)).hex.prefix(32))
    }
}
