/// The address of something that maps load: on another host, by https, or a path on this server.
package struct WebAddress: Hashable, Sendable {
    package let text: String
    /// Scheme, host and port as browsers write them, as a source of a content security policy; nil for a path on this server. Its characters
    /// leave no way out of the policy.
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
            Self.isHost(match.1.lowercased()), let port = Self.port(match.2?.dropFirst())
        else { return nil }
        self.origin = "https://\(match.1.lowercased())\(port)"
    }

    /// The port behind its colon, or nothing for the usual one; nil for a number that no port has.
    private static func port(_ digits: Substring?) -> String? {
        guard let digits else { return "" }
        guard let number = UInt16(digits), number > 0 else { return nil }
        return number == 443 ? "" : ":\(number)"
    }

    private static func isHost(_ host: String) -> Bool {
        let label = /[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?/
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return host.utf8.count <= 253 && labels.allSatisfy { $0.wholeMatch(of: label) != nil }
            && (labels.last?.wholeMatch(of: /[0-9]+|0x[0-9a-f]*/) == nil || Self.isIPv4(labels))
    }

    /// Browsers read a host whose last label is a number as an IPv4 address (WHATWG URL §3.5), and write it as four decimal numbers. Other
    /// forms, such as `2130706433`, would become another origin.
    private static func isIPv4(_ labels: [Substring]) -> Bool {
        labels.count == 4 && labels.allSatisfy { UInt8($0).map { "\($0)" } == String($0) }
    }
}
