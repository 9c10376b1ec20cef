import Foundation
import GRDB
import IMDF
import SyncModel

extension ReplicaStore {
    /// Runs work in a transaction that is on the disk when the call returns, and then notifies the observers of edits. Waits while a
    /// change set is being applied, because its transaction is open on the only connection that writes.
    func writeEdits<Answer: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Answer
    ) async throws -> Answer {
        let answer = try await self.transactionMutex.withLock {
            try await self.write { db in
                // Otherwise a commit in WAL mode survives the end of the process, but not a loss of power.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }
                try db.beginTransaction(.immediate)
                do {
                    let answer = try body(db)
                    try ReplicaChecksums.writeEdits(db)
                    try db.commit()
                    return answer
                } catch {
                    if db.isInsideTransaction { try db.rollback() }
                    throw error
                }
            }
        }
        self.editObservers.notify()
        return answer
    }

    /// Appends an edit to the queue.
    ///
    /// - Throws: ``EditingError/unknownFeature(_:)`` or ``EditingError/featureExists(_:)`` if it does not fit the pending view.
    func append(
        _ operations: [VenueEdit.Operation], id: UUID, message: String?, until: Date?, isForced: Bool, madeAt: Date
    ) async throws -> VenueEdit {
        try await self.writeEdits { db in
            let reader = ReplicaReader(db: db)
            let stored = try reader.storedEdits()
            try Self.check(operations, reader, stored.filter(\.isPending))
            let ids = Set(operations.map(\.feature))
            let current = try reader.current(Array(ids), stored)
            let seen = JSONObject(ids.map { .init(key: $0.description, value: current[$0] ?? .null) })
            try db.execute(
                sql: """
                    INSERT INTO edit (id, operations, seen, base, message, until, forced, made_at, state)
                    VALUES (?, ?, ?, (SELECT revision FROM state), ?, ?, ?, ?, 'queued')
                    """,
                arguments: [
                    id.text, JSONValue.array(operations.map(\.json)).canonicalText,
                    JSONValue.object(seen).canonicalText, message, until?.timeIntervalSince1970,
                    isForced ? true : nil, madeAt.timeIntervalSince1970,
                ])
            guard let edit = try reader.storedEdit(id)?.edit else { throw SyncError.file("an edit is missing") }
            return edit
        }
    }

    private static func check(
        _ operations: [VenueEdit.Operation], _ reader: ReplicaReader, _ pending: [StoredEdit]
    ) throws {
        for (index, operation) in operations.enumerated() {
            let id = operation.feature
            var state = try reader.state(of: id, pending)
            state.apply(Array(operations[..<index]), to: id)
            switch operation {
            case .change, .hide: guard state.value != nil else { throw EditingError.unknownFeature(id) }
            case .add: guard state.value == nil else { throw EditingError.featureExists(id) }
            case .show, .revert: break
            }
        }
    }

    /// Deletes an edit that was not sent.
    func withdraw(_ id: UUID) async throws {
        try await self.writeEdits { db in
            try db.execute(sql: "DELETE FROM edit WHERE id = ? AND state = 'queued'", arguments: [id.text])
            guard db.changesCount > 0 else { throw EditingError.alreadySent }
        }
    }

    /// Deletes an edit that has an outcome.
    func dismiss(_ id: UUID) async throws {
        try await self.writeEdits { db in
            guard let stored = try ReplicaReader(db: db).storedEdit(id) else { return }
            guard stored.edit.state.isFinal else { throw EditingError.unfinished }
            try db.execute(sql: "DELETE FROM edit WHERE number = ?", arguments: [stored.number])
        }
    }
}

// MARK: - Sending

/// What ``ReplicaStore/nextEdit(at:)`` found in the queue.
enum NextEdit: Sendable {
    /// It is recorded as being sent. `isFirst`: the server cannot have received it before.
    case send(VenueEdit, request: String, isFirst: Bool)
    /// It was overtaken, and is not sent.
    case settled(VenueEdit)
}

extension ReplicaStore {
    /// Takes the first edit without an outcome, and records that it is sent, before it is.
    ///
    /// - Parameter head: The newest revision: that of the replica, or a later one of this device's own edits. Nil: not known.
    func nextEdit(at head: Int64?) async throws -> NextEdit? {
        try await self.writeEdits { db in
            let reader = ReplicaReader(db: db)
            guard let next = try reader.firstUnsettledEdit() else { return nil }
            if let request = next.request { return .send(next.edit, request: request, isFirst: false) }
            let current = try reader.current(next.edit.features, reader.storedEdits())
            var base = next.edit.base
            switch EditCheck(next.edit.operations, seen: next.seen, current: current) {
            case .unchanged: base = head ?? base
            case .unknown where base == head: break
            case .unknown: return .settled(try Self.settle(next, as: .overtaken(.featureUnknown), db))
            case .overtaken(let pointer):
                return .settled(try Self.settle(next, as: .overtaken(.featureChanged(at: pointer)), db))
            }
            let request = next.edit.request(base: base)
            try db.execute(
                sql: "UPDATE edit SET state = 'sending', base = ?, request = ? WHERE number = ?",
                arguments: [base, request, next.number])
            return .send(next.edit, request: request, isFirst: true)
        }
    }

    /// Records that the server does not have a request and will not accept it later.
    func requeue(_ id: UUID, after request: String) async throws {
        try await self.writeEdits { db in
            try db.execute(
                sql:
                    "UPDATE edit SET state = 'queued', request = NULL WHERE id = ? AND request = ? AND state = 'sending'",
                arguments: [id.text, request])
        }
    }

    /// Records the outcome of a request.
    ///
    /// - Parameter isNew: Whether the edit made the revision that it is published in.
    /// - Returns: Nil if another process was faster.
    func settle(_ id: UUID, as state: VenueEdit.State, isNew: Bool, after request: String) async throws -> VenueEdit? {
        try await self.writeEdits { db in
            guard let stored = try ReplicaReader(db: db).storedEdit(id), stored.request == request,
                stored.edit.state == .sending
            else { return nil }
            if case .published(let revision) = state, isNew { try Self.carry(stored, into: revision, db) }
            return try Self.settle(stored, as: state, db)
        }
    }

    /// The edits that were made after a published one assume it.
    private static func carry(_ published: StoredEdit, into revision: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE edit SET base = ? WHERE number > ? AND request IS NULL AND base = ? - 1",
            arguments: [revision, published.number, revision])
        for later in try ReplicaReader(db: db).storedEdits() where later.number > published.number {
            var seen: JSONObject = [:]
            for (id, value) in later.seen {
                var state = PendingState(value.isNull ? nil : value)
                state.apply(published.edit.operations, to: id)
                seen[id.description] = state.value ?? .null
            }
            try db.execute(
                sql: "UPDATE edit SET seen = ? WHERE number = ?",
                arguments: [JSONValue.object(seen).canonicalText, later.number])
        }
    }

    private static func settle(_ stored: StoredEdit, as state: VenueEdit.State, _ db: Database) throws -> VenueEdit {
        var edit = stored.edit
        edit.state = state
        switch state {
        case .published(let revision):
            try db.execute(
                sql: "UPDATE edit SET state = 'published', revision = ? WHERE number = ?",
                arguments: [revision, stored.number])
            try EditRetirement.run(db)
        case .refused(let refusal), .overtaken(let refusal):
            let name = if case .refused = state { "refused" } else { "overtaken" }
            try db.execute(
                sql: "UPDATE edit SET state = ?, refusal = ? WHERE number = ?",
                arguments: [name, String(decoding: try WireJSON.data(refusal), as: UTF8.self), stored.number])
        case .queued, .sending: break
        }
        return edit
    }
}

enum EditRetirement {
    /// Deletes the published edits that are in the replica's revision.
    static func run(_ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM edit WHERE state = 'published' AND revision <= (SELECT revision FROM state)")
    }
}
