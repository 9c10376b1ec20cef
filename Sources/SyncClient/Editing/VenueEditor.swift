public import Foundation
public import IMDF
import SyncModel

/// Edits features of a replica, with or without a network.
///
///     let editor = VenueEditor(replica: replica, key: "vsk_…")
///     try await editor.edit(shop, ["properties": ["name": ["ja": "喫茶みなと"]]], message: "New sign")
///     let pending = try await editor.feature(shop)           // as it will be, beside what is verified
///     try await editor.follow()                              // sends in order, now and whenever there is a network
///
/// An edit is in the replica's file before the call that makes it returns, and it is shown as pending at once. The verified features
/// of the replica, and its digests, stay those of the server. Edits are sent in the order in which they were made, one after the
/// other. Each ends as published, refused or overtaken: somebody else has changed what it changes.
///
/// What happens to an edit is written to the file before and after it is sent. If the app is killed, the same request is sent again,
/// and the server publishes it once. A published edit is deleted when the replica has its revision; the other outcomes stay until
/// they are dismissed.
public final class VenueEditor: Sendable {
    /// How often the base of an edit may turn out to be outdated in one call of ``send()``.
    private static let maximumMoves = 5

    private let replica: VenueReplica
    private let exchange: Exchange
    private let mutex = AsyncMutex()

    /// - Parameter key: A key with the role `publish`; nil: the key of the replica. The server, the transport and the retry policy are
    ///   those of the replica.
    public init(replica: VenueReplica, key: String? = nil) {
        self.replica = replica
        let exchange = replica.exchange
        self.exchange = Exchange(
            server: key.map { exchange.server.with(key: $0) } ?? exchange.server, transport: exchange.transport,
            policy: exchange.policy)
    }

    private var store: ReplicaStore { self.replica.store }

    // MARK: - Making edits

    /// Queues changes of several features, which become one revision, or none.
    ///
    /// While a large change set is written to the file, the call waits.
    ///
    /// - Parameters:
    ///   - message: For the revision log.
    ///   - until: When the change ends by itself.
    ///   - isForced: Whether the server publishes the changes although the rule book finds errors that they cause. Without it, the edit is
    ///     refused, and ``EditRefusal/canBeForced`` says whether the same changes are accepted if they are forced.
    /// - Throws: ``EditingError``, or ``SyncError`` if the file cannot be written.
    @discardableResult
    public func edit(
        _ operations: [VenueEdit.Operation], message: String? = nil, until: Date? = nil, isForced: Bool = false
    ) async throws -> VenueEdit {
        guard !operations.isEmpty else { throw EditingError.notEditable("") }
        return try await self.store.append(
            try operations.map { try $0.checked() }, id: UUID(), message: message, until: until,
            isForced: isForced, madeAt: self.exchange.policy.now())
    }

    /// Queues a change of one feature; see ``edit(_:message:until:isForced:)``.
    ///
    /// - Parameter patch: A JSON merge patch (RFC 7396) of `geometry` and members of `properties`: null removes a member.
    @discardableResult
    public func edit(
        _ feature: FeatureID, _ patch: JSONObject, message: String? = nil, until: Date? = nil, isForced: Bool = false
    ) async throws -> VenueEdit {
        try await self.edit([.change(feature, patch)], message: message, until: until, isForced: isForced)
    }

    /// Queues a new feature; see ``edit(_:message:until:isForced:)``.
    ///
    /// - Parameter feature: A GeoJSON Feature with `feature_type` and `properties`. Without an `id` it gets a random one.
    @discardableResult
    public func add(
        _ feature: JSONObject, message: String? = nil, until: Date? = nil, isForced: Bool = false
    ) async throws -> VenueEdit {
        try await self.edit([.add(feature)], message: message, until: until, isForced: isForced)
    }

    /// Queues that a feature is hidden; see ``edit(_:message:until:isForced:)``.
    @discardableResult
    public func hide(_ feature: FeatureID, message: String? = nil, until: Date? = nil) async throws -> VenueEdit {
        try await self.edit([.hide(feature)], message: message, until: until)
    }

    /// Queues that a hidden feature is shown again; see ``edit(_:message:until:isForced:)``.
    @discardableResult
    public func show(_ feature: FeatureID, message: String? = nil, until: Date? = nil) async throws -> VenueEdit {
        try await self.edit([.show(feature)], message: message, until: until)
    }

    /// Queues that a feature goes back to what the uploaded archive says; see ``edit(_:message:until:isForced:)``.
    ///
    /// - Parameter pointer: One part of the feature, such as `/properties/name/ja` (RFC 6901); nil: all of it.
    @discardableResult
    public func revert(
        _ feature: FeatureID, _ pointer: String? = nil, message: String? = nil
    ) async throws -> VenueEdit {
        try await self.edit([.revert(feature, pointer: pointer)], message: message)
    }

    /// Deletes an edit that was not sent yet.
    ///
    /// - Throws: ``EditingError/alreadySent``, or ``SyncError`` if the file cannot be written.
    public func withdraw(_ edit: VenueEdit.ID) async throws {
        try await self.store.withdraw(edit)
    }

    /// Deletes an edit that has an outcome.
    ///
    /// - Throws: ``EditingError/unfinished``, or ``SyncError`` if the file cannot be written.
    public func dismiss(_ edit: VenueEdit.ID) async throws {
        try await self.store.dismiss(edit)
    }

    // MARK: - Reading

    /// The edits that are not in the replica, newest last: those without an outcome, those that are published in a later revision, and
    /// those that were refused or overtaken and not dismissed.
    public func edits() async throws -> [VenueEdit] {
        try await self.store.read { try $0.storedEdits().map(\.edit) }
    }

    /// A feature as it will be, with the edits in it; nil if it is neither in the replica nor edited.
    public func feature(_ id: FeatureID) async throws -> PendingFeature? {
        try await self.store.read { try $0.pendingFeature(id, $0.storedEdits()) }
    }

    /// The features that differ from the verified ones, as they will be; by id.
    public func pending() async throws -> [PendingFeature] {
        try await self.store.read { reader in
            let stored = try reader.storedEdits()
            let ids = Set(stored.filter(\.isPending).flatMap(\.edit.features))
            return try ids.sorted().compactMap { try reader.pendingFeature($0, stored) }
        }
    }

    /// ``edits()`` now, after every change of them, and whenever the replica has a new revision, until the replica is closed. A slow
    /// reader skips states, but not the last one. Changes by other processes are not noticed.
    public func updates() -> AsyncStream<[VenueEdit]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { observer in
            let task = Task {
                for await _ in self.store.editObservers.changes() {
                    guard let edits = try? await self.edits() else { break }
                    observer.yield(edits)
                }
                observer.finish()
            }
            observer.onTermination = { _ in task.cancel() }
        }
    }

    // MARK: - Sending

    /// Synchronizes the replica, and then sends the edits that have no outcome, in order.
    ///
    /// - Returns: The edits that have an outcome now.
    /// - Throws: ``SyncError`` if the server cannot be reached or does not accept the key, or `CancellationError`. The other edits stay
    ///   in the queue.
    @discardableResult
    public func send() async throws -> [VenueEdit] {
        try await self.mutex.withLock {
            guard try await self.store.read({ try $0.hasUnsettledEdits() }) else { return [] }
            var head = try await self.catchUp()
            var (settled, moves): ([VenueEdit], Int) = ([], 0)
            while true {
                try Task.checkCancellation()
                switch try await self.store.nextEdit(at: head) {
                case nil: return settled
                case .settled(let edit): settled.append(edit)
                case .send(let edit, let request, let isFirst):
                    switch try await self.post(edit.id, request, isFirst: isFirst) {
                    case .headMoved:
                        try await self.store.requeue(edit.id, after: request)
                        moves += 1
                        guard moves < Self.maximumMoves else {
                            throw SyncError.unavailable(status: 409, retryAfter: nil)
                        }
                        head = try await self.catchUp()
                    case .published(let revision, let isNew):
                        settled += try await self.settle(edit.id, as: .published(revision: revision), isNew, request)
                        head = head.map { max($0, revision) }
                    case .refused(let refusal):
                        settled += try await self.settle(edit.id, as: .refused(refusal), false, request)
                    case .overtaken(let refusal):
                        settled += try await self.settle(edit.id, as: .overtaken(refusal), false, request)
                    }
                }
            }
        }
    }

    /// Sends edits now and whenever one is made, until the task is cancelled or the replica is closed. Failures are retried as by
    /// ``VenueReplica/follow(adding:_:)``, also after a key that is not accepted; a pause ends early when the replica has reached the
    /// server. For what becomes of the edits see ``updates()``.
    ///
    /// - Parameter failed: Is called before every pause after a failure.
    /// - Throws: `CancellationError`, ``SyncError/configuration(_:)`` or ``SyncError/file(_:)``.
    public func follow(_ failed: @Sendable (SyncError, _ pause: Duration) -> Void = { _, _ in }) async throws {
        /// Ends a loop that otherwise goes on until it fails.
        struct Sent: Error {}
        let loop = FollowLoop(
            policy: self.exchange.policy, status: self.replica.statusCenter, ownsStatus: false)
        for await _ in self.store.editObservers.changes() {
            do {
                try await loop.run(failed: failed) { _ in
                    try await self.send()
                    throw Sent()
                }
            } catch is Sent {}
        }
        try Task.checkCancellation()
    }

    /// Brings the replica to the newest revision and returns its number. This request changes nothing, so that edits stay withdrawable
    /// without a network, and what others changed is known before an edit is sent. Nil for a replica that was never synchronized.
    private func catchUp() async throws -> Int64? {
        guard try await self.store.state().selection != nil else { return nil }
        try await self.replica.sync()
        return try await self.store.state().revision
    }

    private func post(_ id: UUID, _ request: String, isFirst: Bool) async throws -> EditResponse {
        do {
            let response = try await self.exchange.send(
                "/venues/\(self.replica.venue)/edits", method: "POST", type: "application/json",
                body: .bytes(Array(request.utf8)))
            return try await EditResponse(response, self.exchange.policy)
        } catch let error as SyncError where isFirst && error.excludesChange {
            try await self.store.requeue(id, after: request)
            throw error
        }
    }

    private func settle(
        _ id: UUID, as state: VenueEdit.State, _ isNew: Bool, _ request: String
    ) async throws -> [VenueEdit] {
        let edit = try await self.store.settle(id, as: state, isNew: isNew, after: request)
        return edit.map { [$0] } ?? []
    }
}
