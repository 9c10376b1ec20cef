package import RevisionStore
import Synchronization

/// The requests that wait for a change.
///
/// A waiting request is one entry in a table; one clock serves all deadlines. Requests wait only while a ``ChangeNotifier`` runs, because
/// without one nothing would wake them.
package final class LongPolls: Sendable {
    package enum Outcome: Sendable {
        case changed, timedOut
        /// The server shuts down, no notifier runs, or the waiting task was cancelled: respond with what there is.
        case closed
    }

    /// What a request waits for. Each subject has its own sequence of numbers, which only grow.
    package enum Subject: Hashable, Sendable {
        /// A change of the venue with this row number, counted in change numbers.
        case venue(Int64)
        /// Any change of a venue or a key, counted in change numbers.
        case anyChange
        /// A new revision of any venue, counted in the catalogue positions of one generation.
        case revisions(generation: Int)
        /// A change of the state of one upload, counted in notifications about any upload.
        case upload(UploadID)
    }

    /// What a request waits for, and for how long.
    package struct Wait: Sendable {
        let subject: Subject
        /// The number of the subject that the request has already.
        let number: Int64
        let timeout: Duration
        /// The key that permits the request; nil if it needs none.
        let key: KeyID?

        package init(subject: Subject, number: Int64, timeout: Duration, key: KeyID? = nil) {
            self.subject = subject
            self.number = number
            self.timeout = timeout
            self.key = key
        }
    }

    private struct Waiter {
        let after: Int64
        let deadline: ContinuousClock.Instant
        let key: KeyID?
        let wake: @Sendable (Outcome) -> Void
    }

    private struct State {
        var isOpen = false
        var isClosed = false
        /// The newest number of each subject but the uploads.
        var latest: [Subject: Int64] = [:]
        /// One number for all uploads, so that uploads which nobody waits for take no memory.
        var latestUpload: Int64 = 0
        var waiters: [Subject: [UInt64: Waiter]] = [:]
        var lastWaiterID: UInt64 = 0
        var count = 0

        func latest(_ subject: Subject) -> Int64 {
            if case .upload = subject { self.latestUpload } else { self.latest[subject, default: -1] }
        }

        /// Removes the waiters of a subject that match.
        mutating func remove(from subject: Subject, where matches: (Waiter) -> Bool) -> [Waiter] {
            guard let waiters = self.waiters[subject] else { return [] }
            let removed = waiters.filter { matches($0.value) }
            guard !removed.isEmpty else { return [] }
            self.waiters[subject] = removed.count == waiters.count ? nil : waiters.filter { removed[$0.key] == nil }
            self.count -= removed.count
            return Array(removed.values)
        }

        /// Removes one waiter. A subject without waiters takes no memory.
        mutating func remove(_ id: UInt64, from subject: Subject) -> Waiter? {
            guard let waiter = self.waiters[subject]?.removeValue(forKey: id) else { return nil }
            if self.waiters[subject]?.isEmpty ?? false { self.waiters[subject] = nil }
            self.count -= 1
            return waiter
        }

        mutating func removeAll() -> [Waiter] {
            self.waiters.keys.flatMap { self.remove(from: $0) { _ in true } }
        }
    }

    private let state = Mutex(State())
    private let keyExists: @Sendable (KeyID) -> Bool

    /// - Parameter keyExists: Whether a key exists, as far as is known when ``notify(changed:)`` is called with it.
    package init(keyExists: @escaping @Sendable (KeyID) -> Bool = { _ in true }) {
        self.keyExists = keyExists
    }

    /// Whether the server shuts down.
    package var isClosed: Bool { self.state.withLock(\.isClosed) }

    /// How many requests wait.
    package var count: Int { self.state.withLock(\.count) }

    /// The smallest number that a request has already; nil if none waits.
    package var oldestNumber: Int64? {
        self.state.withLock { state in state.waiters.values.joined().map(\.value.after).min() }
    }

    /// The number of the last notification about an upload. Take it before reading the upload's state, and wait for a later one.
    var latestUploadNotification: Int64 { self.state.withLock(\.latestUpload) }

    /// Waits until the subject has a newer number than `number`, until the deadline, or until the client disconnects. May return early.
    func waitForChange(
        of subject: Subject, after number: Int64, until deadline: ContinuousClock.Instant, with key: KeyID? = nil,
        _ connection: DisconnectHandler? = nil
    ) async -> Outcome {
        let id = self.nextID()
        let observer = connection?.addObserver { self.cancel(id, of: subject) }
        defer { if let observer { connection?.removeObserver(observer) } }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                self.add(
                    id, of: subject, after: number, until: deadline, with: key,
                    isCancelled: { Task.isCancelled || connection?.isDisconnected ?? false }
                ) {
                    continuation.resume(returning: $0)
                }
            }
        } onCancel: {
            self.cancel(id, of: subject)
        }
    }

    /// Waits without a task: calls `wake` once, possibly before this returns.
    ///
    /// - Returns: The id for ``cancel(_:of:)``.
    func waitForChange(
        of subject: Subject, after number: Int64, until deadline: ContinuousClock.Instant, with key: KeyID? = nil,
        _ wake: @escaping @Sendable (Outcome) -> Void
    ) -> UInt64 {
        let id = self.nextID()
        self.add(id, of: subject, after: number, until: deadline, with: key, isCancelled: { false }, wake)
        return id
    }

    /// Ends a wait, if it has not ended yet.
    func cancel(_ id: UInt64, of subject: Subject) {
        self.state.withLock { $0.remove(id, from: subject) }?.wake(.closed)
    }

    private func nextID() -> UInt64 {
        self.state.withLock { state in
            state.lastWaiterID += 1
            return state.lastWaiterID
        }
    }

    private func add(
        _ id: UInt64, of subject: Subject, after number: Int64, until deadline: ContinuousClock.Instant,
        with key: KeyID?, isCancelled: () -> Bool, _ wake: @escaping @Sendable (Outcome) -> Void
    ) {
        let outcome = self.state.withLock { state -> Outcome? in
            if !state.isOpen || isCancelled() { return .closed }
            if deadline <= .now { return .timedOut }
            if state.latest(subject) > number { return .changed }
            // The key may have been revoked since the request was authorized, before it could be woken for that.
            if let key, !self.keyExists(key) { return .changed }
            state.waiters[subject, default: [:]][id] = Waiter(
                after: number, deadline: deadline, key: key, wake: wake)
            state.count += 1
            return nil
        }
        if let outcome { wake(outcome) }
    }

    func open() {
        self.state.withLock { $0.isOpen = true }
    }

    /// Ends all waits, now and from now on.
    package func close() {
        let waiters = self.state.withLock { state in
            state.isOpen = false
            state.isClosed = true
            return state.removeAll()
        }
        for waiter in waiters { waiter.wake(.closed) }
    }

    /// Wakes the requests that wait for lower numbers of these subjects.
    func notify(_ latest: [Subject: Int64]) {
        let woken = self.state.withLock { state in
            state.latest.merge(latest) { max($0, $1) }
            return latest.flatMap { subject, number in state.remove(from: subject) { $0.after < number } }
        }
        for waiter in woken { waiter.wake(.changed) }
    }

    /// Wakes the requests that wait for this upload.
    func notifyUpload(_ id: UploadID) {
        let woken = self.state.withLock { state in
            state.latestUpload += 1
            return state.remove(from: .upload(id)) { _ in true }
        }
        for waiter in woken { waiter.wake(.changed) }
    }

    /// Wakes the requests that wait with keys which were changed or revoked, so that they are authorized again.
    ///
    /// - Complexity: O(waiting requests).
    func notify(changed keys: Set<KeyID>) {
        guard !keys.isEmpty else { return }
        let woken = self.state.withLock { state in
            state.waiters.keys.flatMap { state.remove(from: $0) { $0.key.map(keys.contains) ?? false } }
        }
        for waiter in woken { waiter.wake(.changed) }
    }

    /// Wakes all requests because the database is another copy, whose numbers begin anew.
    func reset() {
        let waiters = self.state.withLock { state in
            state.latest = [:]
            return state.removeAll()
        }
        for waiter in waiters { waiter.wake(.changed) }
    }

    /// Ends the waits whose deadline has passed.
    package func expire(at now: ContinuousClock.Instant) {
        let expired = self.state.withLock { state in
            state.waiters.keys.flatMap { state.remove(from: $0) { $0.deadline <= now } }
        }
        for waiter in expired { waiter.wake(.timedOut) }
    }
}
