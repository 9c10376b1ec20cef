import Foundation
import HTTPTypes
import Hummingbird

/// What a client prefers of what there is (RFC 9110 §12.5).
extension Request {
    /// The one of the supported languages that the client prefers.
    var preferredLanguage: String {
        let preferences = self.preferences(.acceptLanguage)
        func weight(of language: String) -> Double {
            preferences.filter { $0.value == language || $0.value.hasPrefix("\(language)-") }.map(\.weight).max() ?? 0
        }
        return weight(of: "ja") > weight(of: "en") ? "ja" : "en"
    }

    /// Whether the client prefers one of some media types over all others. Without a preference it does not.
    func prefers(_ types: Set<String>, over others: Set<String>) -> Bool {
        let preferences = self.preferences(.accept)
        func weight(of types: Set<String>) -> Double {
            preferences.filter { types.contains($0.value) }.map(\.weight).max() ?? 0
        }
        return weight(of: types) > weight(of: others)
    }

    private func preferences(_ name: HTTPField.Name) -> [(value: String, weight: Double)] {
        (self.headers[name] ?? "").lowercased().split(separator: ",").map { preference in
            let parts = preference.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (parts.first ?? "", weight ?? 1)
        }
    }
}
