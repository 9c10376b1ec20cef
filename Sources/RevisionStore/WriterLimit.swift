import SyncModel
import Synchronization

/// Bounds how many connections transactions that change venues may hold, in total and for each venue: a transaction holds its
/// connection while it waits for the rows of its venue, and other requests need connections, too.
final class WriterLimit: Sendable {
    private typealias Waiter = CheckedContinuation<Outcome, Never>

    private enum Outcome {
        case admitted
        case timedOut
        case cancelled
    }

    private struct State {
        var total = 0
        var writers: [VenueKey: Int] = [:]
        /// In the order of their arrival.
        var queue: [(number: UInt64, venue: VenueKey, waiter: Waiter)] = []
        var lastNumber: UInt64 = 0
    }

    /// The maximum number of writers of all venues.
    let limit: Int
    /// The maximum number of writers of one venue.
    let limitPerVenue: Int
    /// The maximum number of writers that wait for one venue.
    private static let waitersPerVenue = 64
    /// How long a writer waits.
    private let timeout: Duration

    private let state = Mutex(State())

    /// - Parameter connections: The size of the connection pool.
    init(connections: Int, timeout: Duration = .seconds(10)) {
        self.limit = max(1, connections * 3 / 4)
        self.limitPerVenue = min(self.limit, max(2, connections / 4))
        self.timeout = timeout
    }

    /// Waits for a permit, runs the body and returns the permit.
    ///
    /// - Throws: `StoreError.busy` if too many writers are waiting already, or after the timeout; `CancellationError`.
    func withPermit<Result>(for venue: VenueKey, _ body: () async throws -> Result) async throws -> Result {
        switch await self.enter(venue) {
        case .admitted: break
        case .timedOut: throw StoreError.busy
        case .cancelled: throw CancellationError()
        }
        defer { self.leave(venue) }
        return try await body()
    }

    private func enter(_ venue: VenueKey) async -> Outcome {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let outcome = self.state.withLock { state -> Outcome? in
                    if Task.isCancelled { return .cancelled }
                    if self.admit(venue, to: &state) { return .admitted }
                    guard state.queue.count(where: { $0.venue == venue }) < Self.waitersPerVenue else {
                        return .timedOut
                    }
                    state.queue.append((number, venue, waiter))
                    return nil
                }
                if let outcome { return waiter.resume(returning: outcome) }
                Task {
                    try? await Task.sleep(for: self.timeout)
                    self.endWaiting(number, .timedOut)
                }
            }
        } onCancel: {
            self.endWaiting(number, .cancelled)
        }
    }

    /// Ends the waiting of a writer that was not admitted.
    private func endWaiting(_ number: UInt64, _ outcome: Outcome) {
        let waiter = self.state.withLock { state in
            state.queue.firstIndex { $0.number == number }.map { state.queue.remove(at: $0).waiter }
        }
        waiter?.resume(returning: outcome)
    }

    private func leave(_ venue: VenueKey) {
        let next = self.state.withLock { state -> Waiter? in
            state.total -= 1
            let remaining = (state.writers[venue] ?? 1) - 1
            state.writers[venue] = remaining > 0 ? remaining : nil
            // The first one that can be admitted: writers of other venues do not wait for a venue that has reached its limit.
            guard let index = state.queue.firstIndex(where: { self.admit($0.venue, to: &state) }) else { return nil }
            return state.queue.remove(at: index).waiter
        }
        next?.resume(returning: .admitted)
    }

    private func admit(_ venue: VenueKey, to state: inout State) -> Bool {
        guard state.total < self.limit, state.writers[venue, default: 0] < self.limitPerVenue else { return false }
        state.total += 1
        state.writers[venue, default: 0] += 1
        return true
    }
}
