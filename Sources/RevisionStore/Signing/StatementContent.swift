import Foundation
import IMDF
import SyncModel

/// What a statement says about a revision, besides its digest and its time.
struct StatementContent {
    let venue: VenueRecord
    let number: Int64
    let manifest: String?
    /// The venue-wide part first, then all levels by id.
    let states: [LevelState]

    /// Checks that the states of the levels make up the digest of the revision.
    ///
    /// - Throws: `notSignable`.
    func check(_ digest: Digest) throws {
        guard RevisionStore.digest(of: self.states, manifest: self.manifest.map { Array($0.utf8) }) == digest else {
            throw StoreError.notSignable(.altered)
        }
    }

    /// Checks that the levels which this revision does not change are those of the last statement: they were not altered past this
    /// program.
    ///
    /// - Throws: `notSignable`.
    func check(against base: RevisionStatement, except changed: Set<FeatureID?>) throws {
        guard base.venue == self.venue.key, base.revision == self.number - 1 else {
            throw StoreError.notSignable(.unverifiedBase)
        }
        let signed = Dictionary(uniqueKeysWithValues: base.levels.map { ($0.id, $0.digest) })
        let empty = LevelDigest().finalize()
        for state in self.states where !changed.contains(state.level) {
            // The digest of a level that is new and has no features yet is not stored.
            guard state.digest == signed[state.level] ?? empty else { throw StoreError.notSignable(.altered) }
        }
    }
}

extension SigningKeys {
    /// The signed document about a revision.
    func document(of content: StatementContent, digest: Digest, at publishedAt: Date) throws -> String {
        guard let signerID else { throw StoreError.notSignable(.noKey) }
        let statement = RevisionStatement(
            venue: content.venue.key, epoch: EpochToken(content.venue.epoch).description, revision: content.number,
            digest: digest, levels: content.states.map { .init(id: $0.level, digest: $0.digest) },
            manifestDigest: content.manifest.map { Digest(of: $0.utf8) },
            bytes: content.states.reduce(0) { $0 + $1.bytes }, publishedAt: publishedAt, keyID: signerID)
        return String(decoding: try self.sign(statement).document, as: UTF8.self)
    }
}
