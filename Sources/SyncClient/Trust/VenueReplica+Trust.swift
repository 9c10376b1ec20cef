import Foundation
import IMDF
import SyncModel

/// Verifies that the operator signed what the server, or a cache before it, sends.
///
/// Every synchronization begins with the signed head. It says which revision is the newest one, until when, and which digests its
/// levels have. The change set is then requested up to this revision, and is stored only if all held levels have these digests.
extension VenueReplica {
    /// Requests the signed head of the venue and verifies it; nil if the app trusts no keys.
    ///
    /// - Throws: ``SyncError/untrusted(_:)`` if it is wrongly signed, expired, about another venue, or older than what is known.
    func signedHead(for state: ReplicaState) async throws -> SignedHead? {
        guard let keys = self.trustedKeys else { return nil }
        let response = try await self.exchange.response("/venues/\(self.venue)/head")
        let document = try await Exchange.collect(response.body, upTo: SignedStatement.maximumSize)
        let head: SignedHead
        do {
            head = try SignedHead(document, of: self.venue, trusting: keys)
            try head.checkValidity(at: self.exchange.policy.now())
            if let stored = state.signedHead, let known = try? SignedHead(stored, of: self.venue, trusting: keys) {
                try head.checkSuccession(to: known)
            }
            if let known = self.newestHead { try head.checkSuccession(to: known) }
        } catch let error as StatementError {
            throw SyncError.untrusted(error.description)
        }
        self.newestHead = head
        return head
    }

    /// Whether the newest head that was received counts for another while, so that a long poll without changes needs no other one.
    private var isHeadRecent: Bool {
        guard let head = self.newestHead else { return false }
        let remaining = head.expires.timeIntervalSince(self.exchange.policy.now())
        return (RevisionStatement.lifetime / 2...RevisionStatement.lifetime * 2).contains(remaining)
    }

    /// Whether the response to a long poll is that nothing has changed, and the last head still counts. Anything else in the response
    /// is not used: a long poll is only the signal to request the next head.
    func isUnchanged(
        _ response: [UInt8], from state: ReplicaState, _ selection: LevelSelection, _ report: inout SyncReport
    ) async throws -> Bool {
        guard self.isHeadRecent, let head = self.newestHead else { return false }
        let page = try await self.read(response, since: state.cursor, from: state, selection, head, &report)
        return page.isComplete && page.blocks.isEmpty && page.cursor == state.cursor
            && page.frame.to == state.revision && page.frame.about == state.about
            && head.statement.revision == state.revision
    }

    /// Checks the digests of all levels that the replica already holds, if they were stored without a statement.
    func verifyHeld(_ state: ReplicaState, _ head: SignedHead) async throws {
        guard state.revision == head.statement.revision, state.digest == head.statement.digest else {
            throw SyncError.untrusted("the server sends no newer revision than \(state.revision ?? 0)")
        }
        guard state.signedHead == nil else { return }
        try await self.store.read { reader in
            try head.check(reader.digests(), state.selection ?? .everything, reader)
        }
    }
}

/// A verified statement about the newest revision of a venue.
struct SignedHead: Sendable {
    let statement: RevisionStatement
    let document: [UInt8]
    let asOf: Date
    let expires: Date
    private let digests: [FeatureID?: Digest]

    /// Reads a document and verifies its signature.
    ///
    /// - Throws: ``StatementError``.
    init(_ document: [UInt8], of venue: VenueKey, trusting keys: [PublicKey]) throws {
        let signed = try SignedStatement(document)
        try signed.verify(trusting: keys)
        guard signed.statement.venue == venue else {
            throw StatementError("the statement is about the venue \(signed.statement.venue)")
        }
        guard let validity = signed.statement.validity else {
            throw StatementError("the statement does not say until when its revision is the newest one")
        }
        self.statement = signed.statement
        self.document = document
        self.asOf = validity.asOf
        self.expires = validity.expires
        self.digests = Dictionary(uniqueKeysWithValues: signed.statement.levels.map { ($0.id, $0.digest) })
    }

    func checkValidity(at now: Date) throws {
        guard now < self.expires else {
            let time = Timestamp.text(of: self.expires)
            throw StatementError("the statement about the newest revision expired at \(time)")
        }
    }

    /// Until when this head confirms what was synchronized to it.
    func confirmation(at now: Date) -> Date { min(now, self.expires) }

    /// Checks that this head can follow another one: no older revision of the same epoch, and no earlier epoch.
    ///
    /// Two servers may send heads of the same epoch in another order than they were signed.
    func checkSuccession(to known: SignedHead) throws {
        guard self.statement.epoch == known.statement.epoch else {
            guard self.asOf > known.asOf else { throw StatementError("the statement is about an earlier history") }
            return
        }
        let (number, last) = (self.statement.revision, known.statement.revision)
        guard number >= last else {
            throw StatementError("the statement is about revision \(number), which is older than \(last)")
        }
        guard number > last || self.statement.digest == known.statement.digest else {
            throw StatementError("revision \(last) has two digests")
        }
    }

    /// Checks that a replica which holds these digests has exactly the levels of its selection, as they were signed.
    ///
    /// - Throws: ``SyncError/untrusted(_:)``.
    func check(_ held: [FeatureID?: Digest], _ selection: LevelSelection, _ reader: ReplicaReader) throws {
        for (level, digest) in held where self.digests[level] != digest {
            throw SyncError.untrusted("the statement has another digest of \(Self.name(level))")
        }
        let ordinals = selection.names == nil ? [:] : try reader.ordinals()
        for level in self.digests.keys where held[level] == nil {
            let isSelected = level.map { selection.includes(level: $0, ordinal: ordinals[$0]) } ?? true
            if isSelected { throw SyncError.untrusted("the server leaves out \(Self.name(level))") }
        }
    }

    /// Checks a page of a change set before anything of it is stored.
    func check(_ page: ChangeSetPage) throws {
        guard page.frame.to == self.statement.revision, page.frame.digest == self.statement.digest else {
            throw SyncError.untrusted("the change set does not lead to the signed revision \(self.statement.revision)")
        }
        for block in page.blocks {
            guard let expected = block.digest else { continue }
            if let digest = self.digests[block.level], expected.matches(digest) { continue }
            throw SyncError.untrusted("the statement has another digest of \(Self.name(block.level))")
        }
    }

    private static func name(_ level: FeatureID?) -> String { level.map { "level \($0)" } ?? "the venue-wide part" }
}
