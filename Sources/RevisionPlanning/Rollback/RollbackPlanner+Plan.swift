import IMDF
import IMDFDiff
import RevisionStore
import SyncModel

extension RollbackPlanner {
    /// A rollback that is ready to be published.
    enum Plan {
        case venue(Restoration)
        case levels(LevelRestoration)

        var changes: ChangeSummary {
            switch self {
            case .venue(let restoration): restoration.changes
            case .levels(let restoration): restoration.changes
            }
        }

        var facts: [Fact] {
            switch self {
            case .venue(let restoration): restoration.facts
            case .levels(let restoration): restoration.facts
            }
        }

        /// Nil for the whole venue.
        var levels: [FeatureID]? {
            switch self {
            case .venue: nil
            case .levels(let restoration): restoration.levels
            }
        }

        /// - Returns: The new revision's number.
        func publish(to store: RevisionStore, by authorization: Authorization) async throws -> Int64 {
            switch self {
            case .venue(let restoration): try await store.publish(restoration, by: authorization)
            case .levels(let restoration): try await store.publish(restoration, by: authorization)
            }
        }
    }

    enum Planning {
        case possible(Plan)
        case entangled(LevelEntanglement)
    }

    func plan(for venue: VenueRecord) async throws -> Planning {
        let target = self.request.target
        let head = try await self.revisions.revision(venue.head, of: venue)
        let restored = try await self.revisions.revision(target, of: venue)
        let comparison = RevisionComparison(revisions: self.revisions, venue: venue, from: venue.head, to: target)
        guard let names = self.request.levels else {
            guard restored.digest != head.digest else { throw StoreError.nothingToRestore }
            let (facts, changes) = try await comparison.summary()
            return .possible(
                .venue(
                    Restoration(
                        venue: venue, base: venue.head, restores: target, message: self.request.message,
                        changes: changes, facts: facts)))
        }
        let levels = try names.levels(in: head, or: restored)
        let rollback = try await LevelRollback(of: levels, in: venue, to: target, from: self.revisions.store)
        let plan: LevelRollbackPlan
        switch rollback.outcome() {
        case .entangled(let entanglement): return .entangled(entanglement)
        case .plan(let found): plan = found
        }
        guard !plan.changed.isEmpty else { throw StoreError.nothingToRestore }
        let (facts, changes) = try await comparison.summary(of: plan.changed, on: levels)
        let store = self.revisions.store
        let overrides = rollback.overrides(
            now: try await store.overrides(of: venue, at: venue.head),
            then: try await store.overrides(of: venue, at: target))
        return .possible(
            .levels(
                LevelRestoration(
                    venue: venue, base: venue.head, restores: target, levels: levels.sorted(), versions: plan.versions,
                    removed: plan.removed, features: plan.features, venueFeature: plan.venueFeature,
                    fileNames: try await self.fileNames(for: plan, of: venue), message: self.request.message,
                    changes: changes, facts: facts, overrides: overrides)))
    }

    /// The file names of the head, and those of the types that are restored.
    private func fileNames(
        for plan: LevelRollbackPlan, of venue: VenueRecord
    ) async throws -> [FeatureType: String] {
        let earlier = try await self.revisions.store.manifest(of: venue, at: self.request.target).fileNames
        return try await self.revisions.store.manifest(of: venue, at: venue.head).fileNames
            .merging(earlier.filter { plan.restoredTypes.contains($0.key) }) { current, _ in current }
    }
}
