import NIOCore
import Synchronization

/// Watches over writes to clients, so that one that does not read holds nothing for long.
package final class Stalls: Sendable {
    private struct Write {
        let channel: any Channel
        let deadline: ContinuousClock.Instant
    }

    private let state = Mutex<(writes: [UInt64: Write], lastNumber: UInt64)>(([:], 0))

    /// How long a client may leave what was written to it before it is let go.
    private static let patience = Duration.seconds(30)

    /// A write begins; its channel is closed when it is not over in time.
    func begin(to channel: any Channel) -> UInt64 {
        self.state.withLock { state in
            state.lastNumber += 1
            state.writes[state.lastNumber] = Write(channel: channel, deadline: .now + Self.patience)
            return state.lastNumber
        }
    }

    func end(_ write: UInt64) {
        self.state.withLock { $0.writes[write] = nil }
    }

    func expire(at now: ContinuousClock.Instant) {
        let stalled = self.state.withLock { $0.writes.values.filter { $0.deadline <= now } }
        for write in stalled { write.channel.close(promise: nil) }
    }
}
