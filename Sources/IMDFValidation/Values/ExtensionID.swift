/// The identifier of an extension: `imdf:extension:provider:name#version`.
enum ExtensionID {
    static func isValid(_ text: String) -> Bool {
        guard text.hasPrefix("imdf:extension:") else { return false }
        let rest = text.dropFirst("imdf:extension:".count)
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let ends = parts[1].split(separator: "#", omittingEmptySubsequences: false)
        return ends.count == 2 && ([parts[0]] + ends).allSatisfy(self.isPart)
    }

    /// Letters and digits, and between them dots, hyphens and underscores.
    private static func isPart(_ part: Substring) -> Bool {
        guard let first = part.utf8.first, let last = part.utf8.last else { return false }
        return first.isLetterOrDigit && last.isLetterOrDigit
            && part.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
    }
}
