import SyncModel
import Synchronization

/// Bounds how many connections those who change venues may hold, all together and in each venue: a transaction waits for the rows of
/// its venue with its connection in hand, and others still have to be answered.
final class WriterLimit: Sendable {
    private typealias Waiting = CheckedContinuation<Outcome, Never>

    private enum Outcome {
        case admitted
        case timedOut
        case cancelled
    }

    private struct State {
        var total = 0
        var writing: [VenueKey: Int] = [:]
        /// In the order in which they came.
        var line: [(number: UInt64, venue: VenueKey, waiting: Waiting)] = []
        var lastNumber: UInt64 = 0
    }

    /// Writers of all venues.
    let limit: Int
    /// Writers of one venue.
    let limitPerVenue: Int
    /// Those who may wait for their turn in one venue, and for how long.
    private static let waitingPerVenue = 64
    private let timeout: Duration

    private let state = Mutex(State())

    /// - Parameter connections: How many there are.
    init(connections: Int, timeout: Duration = .seconds(10)) {
        self.limit = max(1, connections * 3 / 4)
        self.limitPerVenue = min(self.limit, max(2, connections / 4))
        self.timeout = timeout
    }

    /// Does the work when it is its turn.
    ///
    /// - Throws: `StoreError.busy` when too many wait already, or for too long; `CancellationError` when it is given up before.
    func pass<Answer>(_ venue: VenueKey, _ work: () async throws -> Answer) async throws -> Answer {
        switch await self.enter(venue) {
        case .admitted: break
        case .timedOut: throw StoreError.busy
        case .cancelled: throw CancellationError()
        }
        defer { self.leave(venue) }
        return try await work()
    }

    private func enter(_ venue: VenueKey) async -> Outcome {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                let outcome = self.state.withLock { state -> Outcome? in
                    if Task.isCancelled { return .cancelled }
                    if self.admit(venue, to: &state) { return .admitted }
                    guard state.line.count(where: { $0.venue == venue }) < Self.waitingPerVenue else {
                        return .timedOut
                    }
                    state.line.append((number, venue, waiting))
                    return nil
                }
                if let outcome { return waiting.resume(returning: outcome) }
                Task {
                    try? await Task.sleep(for: self.timeout)
                    self.endWaiting(number, .timedOut)
                }
            }
        } onCancel: {
            self.endWaiting(number, .cancelled)
        }
    }

    /// Ends the waiting of one who was not admitted.
    private func endWaiting(_ number: UInt64, _ outcome: Outcome) {
        let waiting = self.state.withLock { state in
            state.line.firstIndex { $0.number == number }.map { state.line.remove(at: $0).waiting }
        }
        waiting?.resume(returning: outcome)
    }

    private func leave(_ venue: VenueKey) {
        let next = self.state.withLock { state -> Waiting? in
            state.total -= 1
            let rest = (state.writing[venue] ?? 1) - 1
            state.writing[venue] = rest > 0 ? rest : nil
            // The first who may: those behind a venue that has all it may have do not wait for it.
            guard let index = state.line.firstIndex(where: { self.admit($0.venue, to: &state) }) else { return nil }
            return state.line.remove(at: index).waiting
        }
        next?.resume(returning: .admitted)
    }

    private func admit(_ venue: VenueKey, to state: inout State) -> Bool {
        guard state.total < self.limit, state.writing[venue, default: 0] < self.limitPerVenue else { return false }
        state.total += 1
        state.writing[venue, default: 0] += 1
        return true
    }
}
