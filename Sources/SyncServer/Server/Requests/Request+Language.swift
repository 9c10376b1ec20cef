import Foundation
import Hummingbird

extension Request {
    /// The one of the supported languages that the client prefers (`Accept-Language`, RFC 9110 §12.5.4).
    var preferredLanguage: String {
        let preferences = (self.headers[.acceptLanguage] ?? "").split(separator: ",").map {
            preference -> (tag: String, weight: Double) in
            let parts = preference.split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (parts.first.map { $0.lowercased() } ?? "", weight)
        }
        func weight(of language: String) -> Double {
            preferences.filter { $0.tag == language || $0.tag.hasPrefix("\(language)-") }.map(\.weight).max() ?? 0
        }
        return weight(of: "ja") > weight(of: "en") ? "ja" : "en"
    }
}
