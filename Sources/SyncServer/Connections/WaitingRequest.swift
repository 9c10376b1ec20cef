import HTTPTypes
import NIOCore

/// A request that waits for a change without a task.
final class WaitingRequest {
    let wait: LongPolls.Wait
    let arrival = ContinuousClock.now
    /// Ends the wait; nil before it has begun.
    var end: (@Sendable () -> Void)?
    private var head: HTTPRequest

    var deadline: ContinuousClock.Instant { self.arrival + self.wait.timeout }

    /// Nil for a request whose address does not name the time once, and in plain text.
    init?(_ head: HTTPRequest, _ wait: LongPolls.Wait) {
        guard Self.replacing(0, in: head.path ?? "") != nil else { return nil }
        self.head = head
        self.wait = wait
    }

    /// The request as it is answered: with the time that is left, or, if it must not wait any more, none.
    func head(after outcome: LongPolls.Outcome) -> HTTPRequest {
        let left = outcome == .changed ? max(0, (self.deadline - .now) / .seconds(1)) : 0
        self.head.path = Self.replacing(Int(left.rounded(.up)), in: self.head.path ?? "")
        return self.head
    }

    /// An address with another value of the parameter `wait`.
    private static func replacing(_ seconds: Int, in path: String) -> String? {
        guard let start = path.firstIndex(of: "?") else { return nil }
        var items = path[path.index(after: start)...].split(separator: "&", omittingEmptySubsequences: false)
        let positions = items.indices.filter { items[$0].hasPrefix("wait=") }
        guard let position = positions.first, positions.count == 1 else { return nil }
        items[position] = "wait=\(seconds)"
        return "\(path[...start])\(items.joined(separator: "&"))"
    }
}
