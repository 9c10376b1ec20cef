import Foundation

/// How often a test that plays with chance is played. With `VENUE_LONG_TESTS` set, as often as it is worth.
enum Seeds {
    static func upTo(_ many: UInt64) -> ClosedRange<UInt64> {
        ProcessInfo.processInfo.environment["VENUE_LONG_TESTS"] == nil ? 1...1 : 1...many
    }
}
