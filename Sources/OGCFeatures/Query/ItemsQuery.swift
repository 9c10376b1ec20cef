package import Foundation
import SyncModel

/// A query parameter that cannot be used.
package struct InvalidParameter: Error, Hashable {
    package let name: String
    package let detail: String
}

/// The parameters of a request for the features of a collection, except for those that depend on the venue.
package struct ItemsQuery: Sendable {
    package static let defaultLimit = 100
    /// The most features of a page. Larger limits are clamped, because some clients always request more.
    package static let maximumLimit = 10_000

    package let boxes: [GeographicBox]?
    package let crs: CoordinateSystem
    package let limit: Int
    package let offset: Int
    package let datetime: DateTimeInterval?

    /// - Parameter text: The value of a parameter; nil if it is absent or empty.
    package init(_ text: (String) throws -> String?) throws {
        self.crs = try Self.system("crs", text)
        let boxCRS = try Self.system("bbox-crs", text)
        self.boxes = try text("bbox").map { try Self.boxes($0, in: boxCRS) }
        self.limit = try Self.limit(text)
        self.offset = try Self.number("offset", from: 0, text) ?? 0
        self.datetime = try text("datetime").map { try DateTimeInterval($0) }
    }

    private static func limit(_ text: (String) throws -> String?) throws -> Int {
        if let value = try text("limit"), Int(value) == nil, value.utf8.allSatisfy(Self.isDigit) {
            return self.maximumLimit
        }
        return min(try self.number("limit", from: 1, text) ?? self.defaultLimit, self.maximumLimit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func number(_ name: String, from first: Int, _ text: (String) throws -> String?) throws -> Int? {
        guard let value = try text(name) else { return nil }
        guard let number = Int(value), number >= first else {
            throw InvalidParameter(name: name, detail: "It must be a whole number from \(first) on.")
        }
        return number
    }

    private static func system(_ name: String, _ text: (String) throws -> String?) throws -> CoordinateSystem {
        guard let value = try text(name) else { return .crs84 }
        guard let system = CoordinateSystem(uri: value) else {
            let known = CoordinateSystem.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidParameter(name: name, detail: "It must be one of \(known).")
        }
        return system
    }

    /// Reads four numbers, or six with heights, which are ignored. A box whose west is greater than its east crosses the antimeridian
    /// and becomes two.
    private static func boxes(_ text: String, in system: CoordinateSystem) throws -> [GeographicBox] {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(part.trimmingCharacters(in: .whitespaces)).flatMap { $0.isFinite ? $0 : nil }
        }
        let values = numbers.compactMap(\.self)
        guard values.count == numbers.count, [4, 6].contains(values.count) else {
            throw InvalidParameter(name: "bbox", detail: "It must be four or six numbers, separated by commas.")
        }
        let upper = values.count / 2
        let (west, south) = system.geographic(values[0], values[1])
        let (east, north) = system.geographic(values[upper], values[upper + 1])
        guard south <= north else {
            throw InvalidParameter(name: "bbox", detail: "The second latitude must not be less than the first.")
        }
        guard west > east else { return [GeographicBox(west: west, south: south, east: east, north: north)] }
        return [
            GeographicBox(west: west, south: south, east: .infinity, north: north),
            GeographicBox(west: -.infinity, south: south, east: east, north: north),
        ]
    }
}

/// The parameter `datetime`: an RFC 3339 time, or an interval of two, of which one may be open (`..` or nothing).
package struct DateTimeInterval: Hashable, Sendable {
    /// The end; nil if it is open.
    package let end: Date?

    /// The most bytes of a time. An RFC 3339 time of nanoseconds has 35.
    private static let maxLength = 64

    init(_ text: String) throws {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2 else { throw Self.invalid }
        // Before they are parsed, which takes long for long texts.
        guard parts.allSatisfy({ $0.utf8.count <= Self.maxLength }) else {
            throw InvalidParameter(name: "datetime", detail: "A time has \(Self.maxLength) bytes at most.")
        }
        let times = try parts.map { part -> Date? in
            if parts.count == 2, ["", ".."].contains(part) { return nil }
            guard let date = Timestamp.date(of: part) else { throw Self.invalid }
            return date
        }
        self.end = times[times.count - 1]
        if let start = times[0], let end = self.end, start > end { throw Self.invalid }
    }

    private static let invalid = InvalidParameter(
        name: "datetime",
        detail:
            "It must be an RFC 3339 time, or an interval such as 2024-01-01T00:00:00Z/.. whose start is not after its end."
    )
}
