import Foundation

/// Names of the IANA time zone database.
enum TimeZoneName {
    /// Abbreviations and offsets are refused: they say nothing about summer.
    static func isKnown(_ name: String) -> Bool {
        (name.contains("/") || name == "UTC") && name.utf8.count <= 64 && TimeZone(identifier: name) != nil
    }
}
