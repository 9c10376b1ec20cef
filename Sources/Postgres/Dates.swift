#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A `timestamptz`: microseconds since 2000-01-01, to which a date is rounded. `infinity` and `-infinity` are dates with an infinite
/// time interval.
extension Date: PostgresEncodable, PostgresDecodable {
    /// Seconds from 2000-01-01, the epoch of PostgreSQL, to 2001-01-01, the reference date of Foundation.
    private static let offset: TimeInterval = 366 * 86_400

    package static var postgresType: PostgresType { .timestamptz }

    package func encode(into bytes: inout [UInt8]) {
        let seconds = self.timeIntervalSinceReferenceDate
        let microseconds = ((seconds + Self.offset) * 1_000_000).rounded()
        if seconds == .infinity {
            bytes.append(bigEndian: Int64.max)
        } else if seconds == -.infinity {
            bytes.append(bigEndian: Int64.min)
        } else {
            // A date out of range becomes one that the server rejects, and not infinity.
            bytes.append(bigEndian: Int64(exactly: microseconds) ?? .max - 1)
        }
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Date {
        guard type == PostgresType.timestamptz.oid, bytes.count == 8 else { throw .mismatch(type, Self.self) }
        switch bytes.bigEndian(Int64.self) {
        case .max: return Date(timeIntervalSinceReferenceDate: .infinity)
        case .min: return Date(timeIntervalSinceReferenceDate: -.infinity)
        case let value: return Date(timeIntervalSinceReferenceDate: Double(value) / 1_000_000 - Self.offset)
        }
    }
}
