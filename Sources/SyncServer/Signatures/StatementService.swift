import Caching
import Foundation
import RevisionStore
import SyncModel

/// Statements about revisions, as this node sends them.
///
/// Content is signed where a revision is published. A node signs nothing but what it finds signed with one of its keys:
/// it adds until when a revision counts as the newest, and signs again what was signed with an older key, or in an earlier epoch.
/// So whoever can only write to the database cannot make a node sign something.
struct StatementService: Sendable {
    let readModel: ReadModel
    private let statements = LRUCache<StatementKey, SignedStatement>(cost: 16 << 20)
    private let heads = LRUCache<Int64, Head>(cost: 16 << 20)

    private struct StatementKey: Hashable {
        let venue: Int64
        let epoch: Int64
        let revision: Int64
    }

    private struct Head {
        let epoch: Int64
        let revision: Int64
        let asOf: Date
        let signedAt: ContinuousClock.Instant
        let document: [UInt8]
    }

    /// How long a signed head is sent before it is signed again.
    private static let renewal = Duration.seconds(15)

    private func keys() throws -> (SigningKeys, signerID: String) {
        guard let keys = self.readModel.store.signing, let signerID = keys.signerID else {
            throw Problem.notSigned("This server has no signing key.")
        }
        return (keys, signerID)
    }

    /// The statement about a revision, signed with the present key and in the present epoch.
    ///
    /// - Throws: `not-signed` if the revision has no statement that a key of this server has signed.
    func statement(of number: Int64, in venue: VenueRecord) async throws -> SignedStatement {
        let (keys, signerID) = try self.keys()
        let key = StatementKey(venue: venue.id, epoch: venue.epoch, revision: number)
        if number >= venue.first, let statement = self.statements.value(for: key) { return statement }
        let revision = try await self.readModel.revisions(of: venue, at: number).revision(number, of: venue)
        let stored = try await self.readModel.read(venue, at: number) { try await $0.statement(of: number, of: venue) }
        guard let stored else { throw Problem.notSigned("It was published without a signing key.") }
        guard let signed = try? SignedStatement(stored), (try? signed.verify(trusting: keys.trusted)) != nil,
            signed.statement.venue == venue.key, signed.statement.revision == number,
            signed.statement.digest == revision.digest
        else { throw Problem.notSigned("Its statement is not signed with a key of this server.") }
        let epoch = EpochToken(venue.epoch).description
        let isPresent = signed.statement.epoch == epoch && signed.statement.keyID == signerID
        let statement = isPresent ? signed : try keys.sign(signed.statement.reissued(epoch: epoch, keyID: signerID))
        self.statements.keep(statement, for: key, cost: Self.cost(of: statement))
        return statement
    }

    /// The bytes that a statement takes, at most.
    private static func cost(of statement: SignedStatement) -> Int { 1 << 10 + 64 * statement.statement.levels.count }

    /// The document about the newest revision, and the state of the venue that it is about.
    ///
    /// - Parameter venue: The venue, read again after the read model was refreshed.
    /// - Throws: An outage if the database cannot be reached, and the last document has expired: nobody may say then that the last
    ///   known revision is still the newest one.
    func head(of venue: () async throws -> VenueRecord) async throws -> (document: [UInt8], venue: VenueRecord) {
        let (keys, signerID) = try self.keys()
        var current = try await venue()
        if let head = self.recentHead(of: current) { return (head, current) }
        if self.readModel.confirmedVersion == nil {
            do {
                try await self.readModel.refresh()
            } catch let error where RevisionStore.isOutage(error) {
                guard let head = self.validHead(of: current) else { throw error }
                return (head, current)
            }
            current = try await venue()
        }
        let statement = try await self.statement(of: current.head, in: current).statement
        let now = Date()
        let validity = RevisionStatement.Validity(
            asOf: now, expires: now.addingTimeInterval(RevisionStatement.lifetime))
        let signed = try keys.sign(
            statement.reissued(epoch: statement.epoch, keyID: signerID, validity: validity))
        let head = Head(
            epoch: current.epoch, revision: current.head, asOf: now, signedAt: .now, document: signed.document)
        self.heads.keep(head, for: current.id, cost: head.document.count)
        return (head.document, current)
    }

    private func head(of venue: VenueRecord) -> Head? {
        guard let head = self.heads.value(for: venue.id), head.epoch == venue.epoch, head.revision == venue.head else {
            return nil
        }
        return head
    }

    private func recentHead(of venue: VenueRecord) -> [UInt8]? {
        guard let head = self.head(of: venue), head.signedAt + Self.renewal > .now else { return nil }
        return head.document
    }

    private func validHead(of venue: VenueRecord) -> [UInt8]? {
        guard let head = self.head(of: venue), Date() < head.asOf.addingTimeInterval(RevisionStatement.lifetime) else {
            return nil
        }
        return head.document
    }
}
