import Logging
import RevisionPlanning
import RevisionStore
import SyncModel

/// Ends overrides whose time is over, by edits in the name of those who set the time.
struct OverrideExpiry {
    let store: RevisionStore
    let logger: Logger

    private static let message = "The end of an edit was reached."

    /// Ends the overrides of one venue and one author; false if there were none.
    func endNext() async throws -> Bool {
        guard let expired = try await self.store.expiredOverrides() else { return false }
        var request = EditRequest(
            expired.ids.map { .init(.resolve($0, .expired(by: expired.time)), path: "") }, message: Self.message,
            author: expired.author)
        request.isAutomatic = true
        let edit = FeatureEdit(
            request, in: RevisionReader(store: self.store),
            describer: ChangeDescriber(store: self.store, language: "en"))
        let outcome: FeatureEdit.Outcome
        do {
            outcome = try await edit.run(in: self.store.venue(expired.venue)) {
                (try await self.store.venue(expired.venue), .maintenance)
            }
        } catch let error as StoreError {
            // The venue is being changed or was deleted; the next signal finds what is left.
            self.logger.info("Overrides could not be ended", metadata: ["error": "\(error)"])
            return false
        }
        if case .done(let result) = outcome, !result.ended.isEmpty {
            self.logger.info(
                "Ended overrides",
                metadata: [
                    "venue": "\(expired.venue)", "revision": "\(result.revision ?? 0)",
                    "overrides": "\(result.ended.count)",
                ])
        }
        return true
    }
}
