import Foundation
import GRDB
import IMDF
import SyncModel

/// A row of the table `edit`.
struct StoredEdit {
    /// Edits are sent in this order.
    let number: Int64
    var edit: VenueEdit
    /// What the person saw of the features, with this device's own edits that were published since; null: not held.
    let seen: [FeatureID: JSONValue]
    /// The request that was sent; nil while the edit is queued.
    let request: String?

    init(_ row: Row) throws {
        guard let id = UUID(uuidString: row["id"]) else { throw SyncError.file("an edit has no id") }
        self.number = row["number"]
        let operations = try JSONValue(parsing: (row["operations"] as String).utf8).array ?? []
        self.edit = VenueEdit(
            id: id, operations: operations.compactMap { VenueEdit.Operation($0) }, message: row["message"],
            until: (row["until"] as Double?).map { Date(timeIntervalSince1970: $0) }, isForced: row["forced"] ?? false,
            base: row["base"],
            madeAt: Date(timeIntervalSince1970: row["made_at"]), state: try Self.state(row))
        guard self.edit.operations.count == operations.count else {
            throw SyncError.file("an edit has an unknown operation")
        }
        self.seen =
            try JSONValue(parsing: (row["seen"] as String).utf8).object?.members.reduce(into: [:]) { seen, member in
                if let id = FeatureID(member.key) { seen[id] = member.value }
            } ?? [:]
        self.request = row["request"]
    }

    private static func state(_ row: Row) throws -> VenueEdit.State {
        func refusal() throws -> EditRefusal {
            try WireJSON.value(EditRefusal.self, from: Data((row["refusal"] as String? ?? "").utf8))
        }
        switch row["state"] as String {
        case "queued": return .queued
        case "sending": return .sending
        case "published": return .published(revision: row["revision"])
        case "refused": return .refused(try refusal())
        case "overtaken": return .overtaken(try refusal())
        case let state: throw SyncError.file("an edit has the unknown state \(state)")
        }
    }

    /// Whether it belongs to the pending view: it is not in the verified state and may yet come into it.
    var isPending: Bool {
        switch self.edit.state {
        case .queued, .sending, .published: true
        case .refused, .overtaken: false
        }
    }

    var isPublished: Bool { if case .published = self.edit.state { true } else { false } }
}

/// Reads edits, and features with edits applied, in one snapshot.
extension ReplicaReader {
    /// In the order in which they were made.
    func storedEdits() throws -> [StoredEdit] {
        try Row.fetchAll(self.db, sql: "SELECT * FROM edit ORDER BY number").map { try StoredEdit($0) }
    }

    func storedEdit(_ id: UUID) throws -> StoredEdit? {
        try Row.fetchOne(self.db, sql: "SELECT * FROM edit WHERE id = ?", arguments: [id.text])
            .map { try StoredEdit($0) }
    }

    func hasUnsettledEdits() throws -> Bool { try self.firstUnsettledEdit() != nil }

    /// The first edit without an outcome.
    func firstUnsettledEdit() throws -> StoredEdit? {
        try Row.fetchOne(
            self.db, sql: "SELECT * FROM edit WHERE state IN ('queued', 'sending') ORDER BY number LIMIT 1"
        ).map { try StoredEdit($0) }
    }

    /// A feature with edits applied; nil if it is neither held nor edited.
    func pendingFeature(_ id: FeatureID, _ stored: [StoredEdit]) throws -> PendingFeature? {
        let edits = stored.filter { $0.isPending && $0.edit.features.contains(id) }
        let verified = try self.feature(id)
        guard verified != nil || !edits.isEmpty else { return nil }
        guard !edits.isEmpty else { return PendingFeature(id: id, verified: verified, body: verified?.body, edits: []) }
        let state = try self.state(of: id, edits)
        return PendingFeature(
            id: id, verified: verified, body: state.value.map { CanonicalJSON.data($0) }, edits: edits.map(\.edit))
    }

    /// The verified feature with these edits applied.
    func state(of id: FeatureID, _ edits: [StoredEdit]) throws -> PendingState {
        var state = PendingState(try self.feature(id).map { try JSONValue(parsing: $0.body) })
        for edit in edits { state.apply(edit.edit.operations, to: id) }
        return state
    }

    /// The verified features with this device's own published edits, which the replica does not have yet.
    func current(_ ids: [FeatureID], _ stored: [StoredEdit]) throws -> [FeatureID: JSONValue] {
        let published = stored.filter(\.isPublished)
        return try ids.reduce(into: [:]) { $0[$1] = try self.state(of: $1, published).value }
    }
}

extension UUID {
    var text: String { self.uuidString.lowercased() }
}
