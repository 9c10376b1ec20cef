import SyncModel

/// Refuses a body that trickles in, which would keep a connection busy for as long as somebody likes. A kilobyte a second is
/// enough, and in the first half minute nothing at all. (A body that stops is given up with its connection.)
package struct MinimumUploadRate: Sendable {
    private let start: ContinuousClock.Instant

    /// What nobody is allowed to be slower than, in either direction.
    static let bytesPerSecond: Int64 = 1_024

    package init(start: ContinuousClock.Instant = .now) {
        self.start = start
    }

    /// - Parameter bytes: that have come so far.
    package func check(_ bytes: Int64, now: ContinuousClock.Instant = .now) throws {
        let seconds = (now - self.start) / .seconds(1)
        guard seconds > 30, Double(bytes) < seconds * Double(Self.bytesPerSecond) else { return }
        throw Problem(
            "too-slow", status: 408, title: "The body takes too long", detail: "Send a kilobyte a second at least.")
    }
}
