/// The address of something that maps load: on another host, by https, or a path on this server.
package struct WebAddress: Hashable, Sendable {
    package let text: String
    /// Scheme, host and port, as a source of a content security policy; nil for a path on this server. Its characters leave no way out of
    /// the policy.
    package let origin: String?

    private static let maximumBytes = 2_000

    /// Nil for other schemes, addresses with a user name or a fragment, and characters that addresses must escape. Braces are permitted.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"#<>\\^`|".utf8.contains($0) })
        else { return nil }
        self.text = text
        // A path that begins with two slashes would name another host.
        if text.hasPrefix("/") {
            guard !text.hasPrefix("//") else { return nil }
            self.origin = nil
            return
        }
        guard let match = text.wholeMatch(of: /https:\/\/([A-Za-z0-9.\-]+)(:[0-9]{1,5})?([\/?].*)?/),
            Self.isHost(match.1.lowercased())
        else { return nil }
        self.origin = "https://\(match.1.lowercased())\(match.2 ?? "")"
    }

    private static func isHost(_ host: String) -> Bool {
        let label = /[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?/
        return host.utf8.count <= 253
            && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
                $0.wholeMatch(of: label) != nil
            }
    }
}
