import Foundation
import Hummingbird
import IMDF
import IMDFDiff
import RevisionStore
import SyncModel

/// Rollbacks of a venue or of some of its levels.
struct RollbackRoutes: Sendable {
    let store: RevisionStore
    let authorizer: Authorizer

    func add(to routes: RouteGroups) {
        routes.publishers.post("venues/{venue}/rollback", use: self.rollBack)
    }

    private struct RollbackRequest: Decodable {
        let to: Int64?
        let levels: [String]?
        let message: String?
        let dryRun: Bool?
        /// The newest revision as the client knows it, from a dry run.
        let base: Int64?

        enum CodingKeys: String, CodingKey {
            case to, levels, message, base
            case dryRun = "dry_run"
        }
    }

    private struct Plan: Encodable {
        let venue: VenueKey
        let from: Int64
        let restores: Int64
        @OrNull var levels: [FeatureID]?
        let changes: ChangeSummary
    }

    /// How often the rollback is planned anew because another revision was published or pruned meanwhile.
    private static let attempts = 10

    /// `POST /venues/{venue}/rollback` `{"to", "levels", "message", "dry_run", "base"}`: a new revision that is equal to an
    /// earlier one, as a whole or on these levels.
    @Sendable func rollBack(_ request: Request, _ context: PublisherContext) async throws -> Response {
        let rollback = try await request.json(RollbackRequest.self)
        guard let target = rollback.to, target > 0 else { throw Problem.body("“to” must be the number of a revision") }
        let names = try rollback.levels.map { try LevelNames($0) }
        let message = try rollback.message.map { try QueryValues.checked($0, "message") }
        let descriptions = ChangeDescriptions(store: self.store, language: request.preferredLanguage)
        for _ in 0..<Self.attempts {
            let access = try await self.authorizer.writer(request, context.parent, .publish)
            let (venue, authorization) = (access.venue, access.authorization)
            guard venue.epoch == context.venue.epoch else { throw StoreError.venueReplaced }
            guard venue.head > 0 else { throw StoreError.unknownRevision(target) }
            if let base = rollback.base, base != venue.head { throw StoreError.headMoved }
            let number: Int64
            do {
                let restoration: any PlannedRollback
                switch try await self.plan(venue, to: target, levels: names, message: message) {
                case .possible(let planned): restoration = planned
                case .entangled(let entanglement):
                    return try Response.json(
                        entanglement.refusal(to: target), status: .conflict, type: "application/problem+json"
                    ).cached("no-store", isPublic: false)
                }
                if rollback.dryRun == true {
                    var changes = try WireJSON.value(ChangeSummary.self, from: Data(restoration.changes.utf8))
                    let facts = try WireJSON.value([Fact].self, from: Data(restoration.facts.utf8))
                    changes.words = try await descriptions.words(of: facts, in: venue, at: venue.head)
                    return try Response.json(
                        Plan(
                            venue: venue.key, from: venue.head, restores: target, levels: restoration.restoredLevels,
                            changes: changes)
                    ).cached("no-store", isPublic: false).varyingByLanguage
                }
                number = try await restoration.publish(to: self.store, by: authorization)
            } catch let error as StoreError where error == .headMoved || error.saysGone(venue) {
                continue
            }
            let entry = try await self.store.logEntry(number, of: venue)
            var response = try await Response.json(descriptions.described(entry, of: venue), status: .created)
                .cached("no-store", isPublic: false).varyingByLanguage
            response.headers[.location] = "/venues/\(venue.key)/revisions/\(number)"
            return response
        }
        throw StoreError.headMoved
    }

    private enum Planning {
        case possible(any PlannedRollback)
        case entangled(LevelEntanglement)
    }

    private func plan(
        _ venue: VenueRecord, to target: Int64, levels names: LevelNames?, message: String?
    ) async throws -> Planning {
        let now = try await self.store.revision(venue.head, of: venue)
        let then = try await self.store.revision(target, of: venue)
        guard let names else {
            guard then.digest != now.digest else { throw StoreError.nothingToRestore }
            let comparison = RevisionComparison(store: self.store, venue: venue, from: venue.head, to: target)
            let (facts, counts) = try await comparison.summary()
            return .possible(
                Restoration(
                    venue: venue, base: venue.head, restores: target, message: message,
                    changes: try Self.text(counts), facts: try Self.text(facts)))
        }
        let levels = try names.levels(in: now, or: then)
        let rollback = try await LevelRollback(of: levels, in: venue, to: target, from: self.store)
        let plan: LevelPlan
        switch rollback.outcome() {
        case .entangled(let entanglement): return .entangled(entanglement)
        case .plan(let levels): plan = levels
        }
        guard !plan.changed.isEmpty else { throw StoreError.nothingToRestore }
        let comparison = RevisionComparison(store: self.store, venue: venue, from: venue.head, to: target)
        let (facts, counts) = try await comparison.summary(of: plan.changed, on: levels)
        return .possible(
            LevelRestoration(
                venue: venue, base: venue.head, restores: target, levels: levels.sorted(), versions: plan.versions,
                removed: plan.removed, features: plan.features, venueFeature: plan.venueFeature,
                fileNames: try await self.fileNames(for: plan, of: venue, at: target), message: message,
                changes: try Self.text(counts), facts: try Self.text(facts)))
    }

    /// The file names of the head, and of feature types that the rollback brings back.
    private func fileNames(
        for plan: LevelPlan, of venue: VenueRecord, at target: Int64
    ) async throws -> [FeatureType: String] {
        let old = try await self.store.manifest(of: venue, at: target).fileNames
        return try await self.store.manifest(of: venue, at: venue.head).fileNames
            .merging(old.filter { plan.restoredTypes.contains($0.key) }) { now, _ in now }
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.data(value), as: UTF8.self)
    }
}

/// A rollback of the whole venue or of some levels, ready to be published.
private protocol PlannedRollback {
    var changes: String { get }
    var facts: String { get }
    var restoredLevels: [FeatureID]? { get }
    func publish(to store: RevisionStore, by authorization: Authorization) async throws -> Int64
}

extension Restoration: PlannedRollback {
    fileprivate var restoredLevels: [FeatureID]? { nil }
    fileprivate func publish(to store: RevisionStore, by authorization: Authorization) async throws -> Int64 {
        try await store.publish(self, by: authorization)
    }
}

extension LevelRestoration: PlannedRollback {
    fileprivate var restoredLevels: [FeatureID]? { self.levels }
    fileprivate func publish(to store: RevisionStore, by authorization: Authorization) async throws -> Int64 {
        try await store.publish(self, by: authorization)
    }
}
