import SyncModel

/// Refuses a body that arrives slower than a kilobyte per second, after the first 30 seconds, because it would occupy a connection
/// for any length of time. (A body that stops ends with the idle timeout of its connection.)
package struct MinimumUploadRate: Sendable {
    private let start: ContinuousClock.Instant

    /// The minimum rate in both directions.
    static let bytesPerSecond: Int64 = 1_024

    package init(start: ContinuousClock.Instant = .now) {
        self.start = start
    }

    /// - Parameter bytes: The bytes that have arrived so far.
    package func check(_ bytes: Int64, now: ContinuousClock.Instant = .now) throws {
        let seconds = (now - self.start) / .seconds(1)
        guard seconds > 30, Double(bytes) < seconds * Double(Self.bytesPerSecond) else { return }
        throw Problem.uploadTooSlow
    }
}
