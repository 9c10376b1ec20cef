import Foundation
import Hummingbird
import IMDF
import IMDFDiff
import RevisionStore
import SyncModel

/// Taking a bad revision back.
struct RollbackRoutes {
    let store: RevisionStore
    let gate: Gate

    func add(to router: Router<VenueContext>) {
        router.post("venues/{venue}/rollback", use: self.rollBack)
    }

    private struct Wish: Decodable {
        let to: Int64?
        let levels: [String]?
        let message: String?
        let dryRun: Bool?

        enum CodingKeys: String, CodingKey {
            case to, levels, message
            case dryRun = "dry_run"
        }
    }

    private struct Plan: Encodable {
        let venue: VenueKey
        let from: Int64
        let restores: Int64
        let changes: ChangeSummary
    }

    /// Publishes that come in between make the rollback look again, so often at most.
    private static let tries = 10

    /// `POST /venues/{venue}/rollback` `{"to", "message", "dry_run"}`: a new revision that is equal to an earlier one.
    @Sendable func rollBack(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (_, caller) = try await self.gate.changeable(request, context)
        let wish = try await request.json(Wish.self)
        guard let target = wish.to, target > 0 else { throw Problem.body("“to” takes the number of a revision") }
        guard wish.levels == nil else { throw Problem.body("this server rolls whole venues back, without “levels”") }
        let message = try wish.message.map { try QueryValues.checked($0, "message") }
        for _ in 0..<Self.tries {
            let (venue, _) = try await self.gate.changeable(request, context)
            guard venue.head > 0 else { throw StoreError.unknownRevision(target) }
            let restoration = try await self.restoration(of: venue, to: target, by: caller.name, message: message)
            let words = ChangeWords(store: self.store, language: request.preferredLanguage)
            if wish.dryRun == true {
                var changes = try WireJSON.value(ChangeSummary.self, from: Data(restoration.changes.utf8))
                changes.words = try await words.words(of: restoration.facts, in: venue, at: venue.head)
                return try Response.json(
                    Plan(venue: venue.key, from: venue.head, restores: target, changes: changes)
                ).cached("no-store", isPublic: false)
            }
            do {
                let number = try await self.store.publish(restoration)
                let entry = try await self.store.logEntry(number, of: venue)
                var response = try await Response.json(words.told(entry, of: venue), status: .created)
                    .cached("no-store", isPublic: false)
                response.headers[.location] = "/venues/\(venue.key)/revisions/\(number)"
                return response
            } catch StoreError.headMoved {
                continue
            }
        }
        throw StoreError.headMoved
    }

    private func restoration(
        of venue: VenueRecord, to target: Int64, by author: String, message: String?
    ) async throws -> Restoration {
        let now = try await self.store.revision(venue.head, of: venue)
        guard try await self.store.revision(target, of: venue).digest != now.digest else {
            throw StoreError.nothingToRestore
        }
        let comparison = RevisionComparison(store: self.store, venue: venue, from: venue.head, to: target)
        let (facts, counts) = try await comparison.summary()
        return Restoration(
            venue: venue, base: venue.head, restores: target, author: author, message: message,
            changes: String(decoding: try WireJSON.data(counts), as: UTF8.self),
            facts: String(decoding: try WireJSON.data(facts), as: UTF8.self))
    }
}
