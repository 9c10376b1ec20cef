import Foundation
import Logging
import RevisionPlanning
import RevisionStore
import SyncModel

/// Ends overrides whose time is over, by edits in the name of those who set the time.
struct OverrideExpiry {
    let store: RevisionStore
    let logger: Logger

    private let indexes = ReferenceIndexCache()

    init(store: RevisionStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    private static let message = "The end of an edit was reached."

    /// Ends the overrides of all venues. A venue in which that fails is left out; the next signal tries again.
    ///
    /// - Parameter time: Another time than that of the database's clock.
    func endAll(at time: Date? = nil) async throws {
        var failed: Set<VenueKey> = []
        while !Task.isCancelled, let expired = try await self.store.expiredOverrides(at: time, outside: failed) {
            do {
                guard try await !self.end(expired) else { continue }
            } catch let error as CancellationError {
                throw error
            } catch {
                let level: Logger.Level = error is StoreError ? .info : .error
                self.logger.log(
                    level: level, "Overrides could not be ended",
                    metadata: ["venue": "\(expired.venue)", "error": "\(error)"])
            }
            failed.insert(expired.venue)
        }
    }

    /// Ends overrides of one venue and one author; false if none of them ended.
    private func end(_ expired: ExpiredOverrides) async throws -> Bool {
        var request = EditRequest(
            expired.ids.map { .init(.resolve($0, .expired(by: expired.time)), path: "") }, message: Self.message,
            author: expired.author)
        request.isAutomatic = true
        let edit = FeatureEdit(
            request, in: RevisionReader(store: self.store),
            describer: ChangeDescriber(store: self.store, language: "en"), indexes: self.indexes)
        let result = try await edit.run(in: self.store.venue(expired.venue)) {
            (try await self.store.venue(expired.venue), .maintenance)
        }
        guard !result.ended.isEmpty || !result.overrides.isEmpty else { return false }
        self.logger.info(
            "Ended overrides",
            metadata: [
                "venue": "\(expired.venue)", "revision": "\(result.revision ?? 0)",
                "overrides": "\(result.ended.count)",
            ])
        return true
    }
}
