import Foundation

/// The seeds of a randomised test: one, or with `VENUE_LONG_TESTS` set, many.
enum Seeds {
    static func upTo(_ many: UInt64) -> ClosedRange<UInt64> {
        ProcessInfo.processInfo.environment["VENUE_LONG_TESTS"] == nil ? 1...1 : 1...many
    }
}
