package import Foundation
import IMDF

/// Encodes and decodes the JSON documents of the HTTP API. Feature bodies are not re-encoded and do not pass through it.
package enum WireJSON {
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(of: date))
        }
        return try encoder.encode(value)
    }

    /// Refuses texts with more combining marks in a row than any language needs: the decoder hashes the names of members.
    package static func value<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        guard !CombiningMarks.areTooMany(inJSON: data) else {
            let reason = "more than \(CombiningMarks.most) combining marks in a row"
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: reason))
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let date = Timestamp.date(of: text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is not an RFC 3339 time"))
            }
            return date
        }
        return try decoder.decode(type, from: data)
    }
}

/// RFC 3339 times: written in UTC with milliseconds, read with any offset.
package enum Timestamp {
    package static func text(of date: Date) -> String {
        // Formatting truncates to milliseconds.
        date.addingTimeInterval(self.roundingMargin(at: date))
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Milliseconds since 1970 that `text(of:)` writes, for formats that store a number.
    package static func milliseconds(of date: Date) -> Int {
        Int(((date.timeIntervalSince1970 + self.roundingMargin(at: date)) * 1_000).rounded(.down))
    }

    /// Seconds that keep a time whose double is just below its millisecond: half a microsecond, or more after 2106, when doubles are
    /// further apart than microseconds. Of such times only milliseconds are exact.
    private static func roundingMargin(at date: Date) -> TimeInterval {
        max(0.000_000_5, date.timeIntervalSince1970.ulp)
    }

    package static func date(of text: String) -> Date? {
        // Foundation would parse 30 February as 2 March.
        let parts = /(\d{4})-(\d{2})-(\d{2})T(\d{2}):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}:\d{2})/
        let text = text.uppercased()
        guard let match = text.wholeMatch(of: parts), let year = Int(match.1), let month = Int(match.2),
            let day = Int(match.3), let hour = Int(match.4), hour < 24,
            DateComponents(calendar: Calendar(identifier: .gregorian), year: year, month: month, day: day).isValidDate
        else { return nil }
        return (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
    }
}

/// An optional member that is encoded as `null` instead of being left out.
@propertyWrapper
public struct OrNull<Value: Codable & Sendable>: Codable, Sendable {
    public var wrappedValue: Value?

    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value = self.wrappedValue { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension OrNull: Equatable where Value: Equatable {}
extension OrNull: Hashable where Value: Hashable {}

extension KeyedDecodingContainer {
    /// A member that is missing counts as null.
    public func decode<Value>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
        try self.decodeIfPresent(type, forKey: key) ?? OrNull(wrappedValue: nil)
    }
}
