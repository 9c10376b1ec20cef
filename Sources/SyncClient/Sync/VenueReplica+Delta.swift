import DeltaForm
import IMDF
import SyncModel

extension VenueReplica {
    /// When change sets are requested in the delta form.
    package enum DeltaUse: Sendable {
        /// If the selection is unchanged. The bodies of levels that are added compress better in the plain form.
        case automatic
        /// Whenever the replica has a cursor.
        case always
        case never
    }

    package func use(delta: DeltaUse) {
        self.deltaUse = delta
    }

    /// The form of the requests from a state.
    func form(from state: ReplicaState, _ levels: LevelSelection) -> SyncForm {
        switch self.deltaUse {
        case .automatic: state.cursor != nil && levels == state.selection ? .delta : .plain
        case .always: state.cursor == nil ? .plain : .delta
        case .never: .plain
        }
    }

    /// Reads a page in either form. If a page in the delta form is damaged or does not fit the replica, the same page is requested
    /// once in the plain form.
    ///
    /// - Parameter cursor: That of the request.
    func read(
        _ bytes: [UInt8], since cursor: String?, from state: ReplicaState, _ levels: LevelSelection,
        _ head: SignedHead?, _ report: inout SyncReport
    ) async throws -> ChangeSetPage {
        guard DeltaDocument.begins(bytes) else { return try ChangeSetPage(bytes) }
        do {
            let page = try await self.store.read { reader in
                // The ranks are those of the replica before the change set. A transaction that is open has not changed it.
                guard try reader.state().commits == state.commits else { throw ReplicaStore.Conflict() }
                return try ChangeSetPage(delta: bytes, since: cursor, replacing: ReplicaDeltaBase(reader))
            }
            self.statusCenter.receive(page.blocks.reduce(0) { $0 + $1.bodies.count }, of: self.expectedFeatures)
            return page
        } catch SyncError.malformed {
            let plain = try await self.page(self.path(since: cursor, levels, to: head))
            report.requests += 1
            guard !DeltaDocument.begins(plain) else {
                throw SyncError.malformed("the delta form, although the plain form was requested")
            }
            return try ChangeSetPage(plain)
        }
    }
}
