import IMDF

/// The name that identifies a venue in URLs, chosen by its operator, such as `mall` or `mall.staging`.
///
/// Groups of `a`–`z`, `0`–`9` and `-`, separated by single dots; 1 to 64 characters; not a UUID. A key is valid in a path, a log line
/// and a host name, and cannot be mistaken for the id of a feature.
public struct VenueKey: Hashable, Comparable, Sendable, LosslessStringConvertible, Codable {
    public let description: String

    public static let longest = 64

    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), FeatureID(text) == nil else { return nil }
        for group in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard !group.isEmpty, group.allSatisfy(Self.isAllowed) else { return nil }
        }
        self.description = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }

    public static func < (left: VenueKey, right: VenueKey) -> Bool { left.description < right.description }

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let key = VenueKey(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is not a venue key"))
        }
        self = key
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}
