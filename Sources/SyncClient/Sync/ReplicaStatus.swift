public import Foundation
import Synchronization

/// Whether a replica is up to date, for display by an app: see ``VenueReplica/status`` and ``VenueReplica/statusUpdates()``.
public struct ReplicaStatus: Hashable, Sendable {
    /// The result of the latest request.
    public enum Connection: Hashable, Sendable {
        /// Nothing keeps the replica up to date: no request was sent yet, ``VenueReplica/follow(adding:_:)`` has ended, or the last
        /// request failed with this error and is not repeated.
        case offline(SyncError?)
        /// A request was sent, and there is no complete response yet.
        case connecting
        /// The replica had the newest revision at ``ReplicaStatus/lastSync``. While ``VenueReplica/follow(adding:_:)`` runs, a new
        /// revision arrives moments after its publication.
        case current
        /// The last request that had a result failed, and ``VenueReplica/follow(adding:_:)`` sends the next one at this time. If it is past, that one
        /// was sent and has no response yet.
        case retrying(SyncError, at: Date)
    }

    /// A download that is under way.
    public struct Progress: Hashable, Sendable {
        /// The number of features that have arrived.
        public var received: Int
        /// The number of features of the download, if it is known: levels are added whose size the replica knows from
        /// ``VenueReplica/summary()``, and no changes of other levels have to be downloaded.
        public var expected: Int?

        public init(received: Int, expected: Int?) {
            self.received = received
            self.expected = expected
        }
    }

    public var connection = Connection.offline(nil)
    /// When the replica last had the newest revision, also in an earlier run of the app; nil if never. See ``ReplicaState/syncedAt``.
    public var lastSync: Date?
    /// Nil while no features arrive.
    public var progress: Progress?
    /// Whether the file was damaged, and what was deleted of it is to be downloaded again; ``connection`` tells why it is not yet. See
    /// ``ReplicaState/isDamaged``.
    public var isDamaged: Bool

    public init(
        connection: Connection = .offline(nil), lastSync: Date? = nil, progress: Progress? = nil,
        isDamaged: Bool = false
    ) {
        self.connection = connection
        self.lastSync = lastSync
        self.progress = progress
        self.isDamaged = isDamaged
    }
}

/// The status of a replica, and those who observe it.
final class ReplicaStatusCenter: Sendable {
    private struct State {
        var status = ReplicaStatus()
        /// Running calls of `follow`. While there is one, other calls leave the report of failures to it.
        var followers = 0
        var observers: [UUID: AsyncStream<ReplicaStatus>.Continuation] = [:]
        /// Those who pause after a failure, and whether the server asked for the pause.
        var pauses: [UUID: (end: AsyncStream<Void>.Continuation, isRequested: Bool)] = [:]
    }

    private let state = Mutex(State())

    init(lastSync: Date?, isDamaged: Bool = false) {
        self.state.withLock { $0.status = ReplicaStatus(lastSync: lastSync, isDamaged: isDamaged) }
    }

    var status: ReplicaStatus { self.state.withLock { $0.status } }

    /// Begins with the current status. A slow reader skips states.
    func updates() -> AsyncStream<ReplicaStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { observer in
            let id = UUID()
            observer.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
            }
            self.state.withLock { state in
                state.observers[id] = observer
                observer.yield(state.status)
            }
        }
    }

    /// Ends all observations.
    func close() {
        let observers = self.state.withLock { state in
            defer { state.observers = [:] }
            return state.observers.values.map(\.self)
        }
        for observer in observers { observer.finish() }
    }

    private func update(_ change: (inout State) -> Void) {
        self.state.withLock { state in
            let old = state.status
            change(&state)
            guard state.status != old else { return }
            for observer in state.observers.values { observer.yield(state.status) }
        }
    }

    /// A pause that begins now. Whoever takes it misses nothing that ends it.
    ///
    /// - Parameter isRequested: Whether the server asked for it. Then another network is no reason to ask again.
    func beginPause(isRequested: Bool) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { pause in
            let id = UUID()
            pause.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.pauses.removeValue(forKey: id) }
            }
            self.state.withLock { $0.pauses[id] = (pause, isRequested) }
        }
    }

    /// Ends pauses, because the next attempt may succeed where the last one failed.
    func endPauses(alsoRequested: Bool) {
        let pauses = self.state.withLock { Array($0.pauses.values) }
        for pause in pauses where alsoRequested || !pause.isRequested { pause.end.yield() }
    }

    func beginFollowing() {
        self.update { $0.followers += 1 }
        self.connect()
    }

    /// - Parameter error: The error that ended `follow`; nil if it was cancelled.
    func endFollowing(_ error: SyncError?) {
        self.update { state in
            state.followers -= 1
            if state.followers == 0 { state.status.connection = .offline(error) }
        }
    }

    /// A request is sent. What was known before stays until there is a response: what an app shows does not blink.
    func connect() {
        self.update { state in
            guard case .offline = state.status.connection else { return }
            state.status.connection = .connecting
        }
    }

    /// The replica has the newest revision.
    func succeed(at date: Date) {
        self.update { state in
            state.status.connection = .current
            state.status.lastSync = date
            state.status.progress = nil
            state.status.isDamaged = false
        }
        self.endPauses(alsoRequested: true)
    }

    func note(isDamaged: Bool) {
        self.update { $0.status.isDamaged = isDamaged }
    }

    /// A request failed that is not repeated by `follow`. Nil: it was cancelled.
    func fail(_ error: SyncError?) {
        self.update { state in
            state.status.progress = nil
            guard state.followers == 0 else { return }
            if error != nil || state.status.connection != .current { state.status.connection = .offline(error) }
        }
    }

    func retry(after error: SyncError, at date: Date) {
        self.update { state in
            state.status.progress = nil
            state.status.connection = .retrying(error, at: date)
        }
    }

    /// More features have arrived.
    func receive(_ count: Int, of expected: Int?) {
        guard count > 0 else { return }
        self.update { state in
            // The server responds.
            if case .retrying = state.status.connection { state.status.connection = .connecting }
            let received = (state.status.progress?.received ?? 0) + count
            // A newer revision may have more features than the summary says.
            state.status.progress = .init(received: received, expected: expected.flatMap { $0 < received ? nil : $0 })
        }
    }
}

extension VenueReplica {
    /// The status now.
    public nonisolated var status: ReplicaStatus { self.statusCenter.status }

    /// The status now and after every change, until the replica is closed. A slow reader skips states, but not the last one.
    ///
    ///     for await status in replica.statusUpdates() { banner.show(status.connection) }
    public nonisolated func statusUpdates() -> AsyncStream<ReplicaStatus> { self.statusCenter.updates() }
}
