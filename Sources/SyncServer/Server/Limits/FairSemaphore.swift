import Dispatch
import Synchronization

/// A semaphore with fairness between keys, for work that takes much memory or a core: the requests of one key delay those of
/// another one by at most one unit of work, or one turn if the work calls ``giveTurn(of:)``.
///
/// Permits are given to waiting keys round robin, and within a key in the order of the requests. One key never holds all permits,
/// unless there is only one. The queue is bounded, in total and for each key.
///
/// Work that is paused between its turns keeps its thread, so the number of paused works is bounded, too. Work that gives its turn away is
/// paused for new work only while fewer are paused; otherwise it takes the place of the paused work that goes on. So at any time
/// ``maximumThreads`` threads suffice: one for each paused work, and one for each permit.
///
/// While fewer works are paused than the maximum, a request whose key has no other work and no other request waits for at most as many
/// turns as keys wait, and the one that goes on: `turns` has every waiting key once, a permit goes to the first key that may have one,
/// and a key that has had its turn follows those that wait already. When the maximum is paused, a request waits until a work ends. So the
/// maximum has to exceed the number of works that few keys, such as those of one venue, can begin.
package final class FairSemaphore<Key: Hashable & Sendable>: Sendable {
    private struct Waiter {
        let id: UInt64
        /// Whether the work has begun and occupies a thread.
        let isPaused: Bool
        let resume: @Sendable (_ hasPermit: Bool) -> Void
    }

    private struct State {
        var available: Int
        /// The number of permits that each key holds.
        var held: [Key: Int] = [:]
        var queues: [Key: [Waiter]] = [:]
        /// Keys with waiting requests, the next one first.
        var turns: [Key] = []
        var waiting = 0
        /// How many of the waiting requests are paused.
        var paused = 0
        var lastID: UInt64 = 0

        mutating func take(for key: Key) {
            self.available -= 1
            self.held[key, default: 0] += 1
        }

        mutating func giveBack(from key: Key) {
            self.available += 1
            let rest = (self.held[key] ?? 1) - 1
            self.held[key] = rest > 0 ? rest : nil
        }

        mutating func append(_ waiter: Waiter, for key: Key) {
            if self.queues[key] == nil { self.turns.append(key) }
            self.queues[key, default: []].append(waiter)
            self.waiting += 1
        }

        /// Makes work that has begun the first of its key, and the key the last of all.
        mutating func prepend(_ waiter: Waiter, for key: Key) {
            self.queues[key, default: []].insert(waiter, at: 0)
            self.turns.removeAll { $0 == key }
            self.turns.append(key)
            self.waiting += 1
            self.paused += 1
        }

        /// Gives a permit to the next request, if one is available.
        ///
        /// - Parameter isEligible: Whether a request of the key may have it.
        mutating func next(permitsPerKey: Int, where isEligible: (Key, Waiter?) -> Bool = { _, _ in true }) -> Waiter? {
            guard self.available > 0,
                let index = self.turns.firstIndex(where: { key in
                    self.held[key, default: 0] < permitsPerKey && isEligible(key, self.queues[key]?.first)
                })
            else { return nil }
            let key = self.turns.remove(at: index)
            guard let waiter = self.queues[key]?.removeFirst() else { return nil }
            self.waiting -= 1
            if waiter.isPaused { self.paused -= 1 }
            // The key's next request waits until all others had a turn.
            if self.queues[key]?.isEmpty ?? true { self.queues[key] = nil } else { self.turns.append(key) }
            self.take(for: key)
            return waiter
        }

        /// Removes a cancelled request from the queue.
        mutating func remove(_ id: UInt64, of key: Key) -> Waiter? {
            guard let index = self.queues[key]?.firstIndex(where: { $0.id == id }) else { return nil }
            self.waiting -= 1
            let waiter = self.queues[key]?.remove(at: index)
            if self.queues[key]?.isEmpty ?? true {
                self.queues[key] = nil
                self.turns.removeAll { $0 == key }
            }
            return waiter
        }
    }

    private let state: Mutex<State>
    private let permitsPerKey: Int
    private let queueLimit: Int
    private let queueLimitPerKey: Int
    private let maximumPaused: Int
    /// How many threads the work in turns occupies at most.
    package let maximumThreads: Int

    /// - Parameters:
    ///   - queueLimit: The maximum number of waiting requests.
    ///   - queueLimitPerKey: The maximum number of waiting requests of one key.
    ///   - permitsPerKey: The permits that one key may hold; nil for all but one.
    ///   - maximumPaused: How many works may be paused. When as many are, no further work begins in the turns of others.
    package init(
        permits: Int, permitsPerKey: Int? = nil, queueLimit: Int = .max, queueLimitPerKey: Int = .max,
        maximumPaused: Int = 10
    ) {
        self.state = Mutex(State(available: permits))
        self.maximumPaused = maximumPaused
        self.maximumThreads = maximumPaused + permits
        self.permitsPerKey = permitsPerKey ?? max(1, permits - 1)
        self.queueLimit = queueLimit
        self.queueLimitPerKey = queueLimitPerKey
    }

    /// Runs the work as soon as there is a permit for the key.
    ///
    /// - Parameter mayBeRefused: False for a response that has begun, which waits however many others do.
    /// - Throws: ``SemaphoreQueueFull`` when too many wait already, `CancellationError` when the task is cancelled while it waits.
    package func withPermit<Value>(
        for key: Key, mayBeRefused: Bool = true, _ work: () async throws -> Value
    ) async throws -> Value {
        guard try await self.acquire(for: key, mayBeRefused: mayBeRefused) else { throw CancellationError() }
        defer { self.release(from: key) }
        return try await work()
    }

    /// The number of waiting requests.
    package var waiting: Int { self.state.withLock(\.waiting) }

    private enum Decision {
        case decided(Bool)
        case queueFull
        case queued
    }

    private func acquire(for key: Key, mayBeRefused: Bool) async throws -> Bool {
        let id = self.state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let outcome: Bool? = await withTaskCancellationHandler {
            var isFull = false
            let hasPermit = await withCheckedContinuation { continuation in
                let waiter = Waiter(id: id, isPaused: false) { continuation.resume(returning: $0) }
                switch self.enqueue(waiter, for: key, mayBeRefused: mayBeRefused) {
                case .decided(let hasPermit): continuation.resume(returning: hasPermit)
                case .queueFull:
                    isFull = true
                    continuation.resume(returning: false)
                case .queued: break
                }
            }
            return isFull ? nil : hasPermit
        } onCancel: {
            self.state.withLock { $0.remove(id, of: key) }?.resume(false)
        }
        guard let outcome else { throw SemaphoreQueueFull() }
        return outcome
    }

    private func enqueue(_ waiter: Waiter, for key: Key, mayBeRefused: Bool) -> Decision {
        self.state.withLock { state in
            if Task.isCancelled { return .decided(false) }
            // If a permit is available although requests wait, those are of keys that hold their maximum: none is overtaken.
            if state.available > 0, state.held[key, default: 0] < self.permitsPerKey {
                state.take(for: key)
                return .decided(true)
            }
            let hasRoom = state.waiting < self.queueLimit && state.queues[key]?.count ?? 0 < self.queueLimitPerKey
            guard hasRoom || !mayBeRefused else { return .queueFull }
            state.append(waiter, for: key)
            return .queued
        }
    }

    private func release(from key: Key) {
        let next = self.state.withLock { state in
            state.giveBack(from: key)
            var next: [Waiter] = []
            while let waiter = state.next(permitsPerKey: self.permitsPerKey) { next.append(waiter) }
            return next
        }
        for waiter in next { waiter.resume(true) }
    }

    /// Gives a permit that the key holds to a waiting request of another key, if there is one, and blocks the thread until the key has a
    /// permit again. The caller must hold no lock that other work needs.
    package func giveTurn(of key: Key) {
        let returned = DispatchSemaphore(value: 0)
        let next = self.state.withLock { state -> Waiter? in
            let pausedOnly = state.paused >= self.maximumPaused
            state.giveBack(from: key)
            let next = state.next(permitsPerKey: self.permitsPerKey) { other, waiter in
                other != key && (!pausedOnly || waiter?.isPaused == true)
            }
            guard let next else {
                state.take(for: key)
                return nil
            }
            state.lastID += 1
            state.prepend(Waiter(id: state.lastID, isPaused: true) { _ in returned.signal() }, for: key)
            return next
        }
        guard let next else { return }
        next.resume(true)
        returned.wait()
    }
}

/// Too many requests wait for a semaphore.
package struct SemaphoreQueueFull: Error, Hashable, Sendable {
    package init() {}
}
