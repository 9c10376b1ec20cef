import Foundation

/// The web origins whose scripts may read responses.
package enum AllowedOrigins: Hashable, Sendable {
    case none
    case any
    case these(Set<String>)

    /// Parses `*`, or origins separated by commas: `https://maps.example.com, http://localhost:5173`. Nil for anything else: an
    /// origin has a scheme and a host, and no path.
    package init?(_ text: String) {
        let origins = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        if origins.isEmpty {
            self = .none
        } else if origins == ["*"] {
            self = .any
        } else {
            guard origins.allSatisfy(Self.isOrigin) else { return nil }
            self = .these(Set(origins.map { $0.lowercased() }))
        }
    }

    /// Whether a text is the origin of an HTTP server.
    package static func isOrigin(_ text: String) -> Bool {
        text.wholeMatch(of: /(?i)https?:\/\/([a-z0-9.\-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?/) != nil
    }

    /// The value of `Access-Control-Allow-Origin` for an origin; nil if it is not allowed.
    func headerValue(for origin: String) -> String? {
        switch self {
        case .none: nil
        case .any: "*"
        case .these(let origins): origins.contains(origin) ? origin : nil
        }
    }
}
