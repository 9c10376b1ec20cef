import Foundation

/// Names of the IANA time zone database.
enum TimeZoneName {
    /// Abbreviations and offsets are refused, because they have no daylight saving time.
    static func isKnown(_ name: String) -> Bool {
        (name.contains("/") || name == "UTC") && name.utf8.count <= 64 && name.utf8.allSatisfy(Self.isAllowed)
            && TimeZone(identifier: name) != nil
    }

    /// Foundation stops reading at a NUL and would accept whatever follows.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/_+-".utf8.contains(byte)
        }
    }
}
