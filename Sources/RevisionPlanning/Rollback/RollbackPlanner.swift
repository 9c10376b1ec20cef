package import IMDF
package import RevisionStore
package import SyncModel

/// A requested rollback: a new revision that is equal to an earlier one, for the whole venue or for some levels.
package struct RollbackPlanner: Sendable {
    package struct Request: Sendable {
        /// The revision to restore.
        package var target: Int64
        /// Nil for the whole venue.
        package var levels: RollbackLevels?
        package var message: String?
        /// The revision that the client believes to be the newest; nil when any will do.
        package var base: Int64?
        /// Whether nothing is published.
        package var isDryRun: Bool

        package init(target: Int64, levels: RollbackLevels?, message: String?, base: Int64?, isDryRun: Bool) {
            self.target = target
            self.levels = levels
            self.message = message
            self.base = base
            self.isDryRun = isDryRun
        }
    }

    /// What a rollback would change.
    package struct Preview: Sendable {
        package let head: Int64
        package let target: Int64
        /// By id; nil for the whole venue.
        package let levels: [FeatureID]?
        package let changes: ChangeSummary
    }

    package enum Outcome: Sendable {
        case published(Revision)
        /// The outcome of a dry run.
        case planned(Preview)
        case entangled(LevelEntanglement, target: Int64)
    }

    let revisions: RevisionReader
    let request: Request
    private let describer: ChangeDescriber

    package init(_ request: Request, in revisions: RevisionReader, describer: ChangeDescriber) {
        self.revisions = revisions
        self.request = request
        self.describer = describer
    }

    /// Plans the rollback against the newest revision and publishes it, again when another revision was published meanwhile.
    ///
    /// - Parameters:
    ///   - requested: the venue as it was when the request arrived.
    ///   - authorize: reads the venue and checks that the client may change it; called for every attempt.
    /// - Throws: `nothingToRestore`, `unknownRevision`, `revisionPruned`, `headMoved`, `venueReplaced`, or a
    ///   ``RollbackLevels/Refusal``.
    package func run(
        in requested: VenueRecord, authorize: () async throws -> (VenueRecord, Authorization)
    ) async throws -> Outcome {
        let attempt: Attempt = try await PublicationAttempts.run(in: requested, authorize: authorize) { venue in
            guard venue.head > 0 else { throw StoreError.unknownRevision(self.request.target) }
            if let base = self.request.base, base != venue.head { throw StoreError.headMoved }
            return nil
        } _: { venue, authorization in
            switch try await self.plan(for: venue) {
            case .entangled(let entanglement): return .ended(.entangled(entanglement, target: self.request.target))
            case .possible(let plan) where self.request.isDryRun:
                return .ended(.planned(try await self.preview(of: plan, in: venue)))
            case .possible(let plan):
                return .published(try await plan.publish(to: self.revisions.store, by: authorization), venue)
            }
        }
        switch attempt {
        case .ended(let outcome): return outcome
        case .published(let number, let venue):
            let entry = try await self.revisions.store.logEntry(number, of: venue)
            return .published(try await self.describer.described(entry, of: venue))
        }
    }

    private enum Attempt {
        case ended(Outcome)
        case published(Int64, VenueRecord)
    }

    private func preview(of plan: Plan, in venue: VenueRecord) async throws -> Preview {
        var changes = plan.changes
        changes.words = try await self.describer.sentences(of: plan.facts, in: venue, at: venue.head)
        return Preview(
            head: venue.head, target: self.request.target, levels: plan.levels, changes: changes)
    }
}
