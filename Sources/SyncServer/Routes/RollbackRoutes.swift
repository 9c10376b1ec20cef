import Foundation
import Hummingbird
import IMDF
import IMDFDiff
import RevisionStore
import SyncModel

/// Taking a bad revision back.
struct RollbackRoutes {
    let store: RevisionStore
    let authorizer: Authorizer

    func add(to router: Router<VenueContext>) {
        router.post("venues/{venue}/rollback", use: self.rollBack)
    }

    private struct Wish: Decodable {
        let to: Int64?
        let levels: [String]?
        let message: String?
        let dryRun: Bool?
        /// The revision that is believed to be the newest, as a dry run tells it.
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

    /// Publishes and prunes that come in between make the rollback look again, so often at most.
    private static let tries = 10

    /// `POST /venues/{venue}/rollback` `{"to", "levels", "message", "dry_run", "base"}`: a new revision that is equal to an
    /// earlier one, all of it or on these levels.
    @Sendable func rollBack(_ request: Request, _ context: VenueContext) async throws -> Response {
        let begun = try await self.authorizer.changeable(request, context).venue
        let wish = try await request.json(Wish.self)
        guard let target = wish.to, target > 0 else { throw Problem.body("“to” takes the number of a revision") }
        let names = try wish.levels.map { try LevelNames($0) }
        let message = try wish.message.map { try QueryValues.checked($0, "message") }
        let words = ChangeDescriptions(store: self.store, language: request.preferredLanguage)
        for _ in 0..<Self.tries {
            let (venue, authorization) = try await self.authorizer.changeable(request, context)
            guard venue.epoch == begun.epoch else { throw StoreError.venueReplaced }
            guard venue.head > 0 else { throw StoreError.unknownRevision(target) }
            if let base = wish.base, base != venue.head { throw StoreError.headMoved }
            let number: Int64
            do {
                let restoration: any PlannedRollback
                switch try await self.work(venue, to: target, levels: names, message: message) {
                case .possible(let found): restoration = found
                case .entangled(let entanglement):
                    return try Response.json(
                        entanglement.refusal(to: target), status: .conflict, type: "application/problem+json"
                    ).cached("no-store", isPublic: false)
                }
                if wish.dryRun == true {
                    var changes = try WireJSON.value(ChangeSummary.self, from: Data(restoration.changes.utf8))
                    let facts = try WireJSON.value([Fact].self, from: Data(restoration.facts.utf8))
                    changes.words = try await words.words(of: facts, in: venue, at: venue.head)
                    return try Response.json(
                        Plan(
                            venue: venue.key, from: venue.head, restores: target, levels: restoration.restoredLevels,
                            changes: changes)
                    ).cached("no-store", isPublic: false).toldByLanguage
                }
                number = try await restoration.publish(to: self.store, by: authorization)
            } catch let error as StoreError where error == .headMoved || error.invalidatesHead(of: venue) {
                continue
            }
            let entry = try await self.store.logEntry(number, of: venue)
            var response = try await Response.json(words.told(entry, of: venue), status: .created)
                .cached("no-store", isPublic: false).toldByLanguage
            response.headers[.location] = "/venues/\(venue.key)/revisions/\(number)"
            return response
        }
        throw StoreError.headMoved
    }

    private enum Work {
        case possible(any PlannedRollback)
        case entangled(LevelEntanglement)
    }

    private func work(
        _ venue: VenueRecord, to target: Int64, levels names: LevelNames?, message: String?
    ) async throws -> Work {
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
        case .plan(let found): plan = found
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

    /// The head's, and those of types that come back.
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

/// A rollback that is worked out, of the whole venue or of some levels.
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
