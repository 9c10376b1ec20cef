import RevisionStore

/// Repeats what is planned against the newest revision of a venue and then published, while others publish or prune meanwhile.
package enum PublicationAttempts {
    /// Attempts before a request or an import gives way to others.
    package static let limit = 10

    /// - Parameters:
    ///   - requested: the venue as it was when the request arrived.
    ///   - authorize: reads the venue and checks that the client may change it; called for every attempt.
    ///   - check: refuses a newest revision, or has the outcome already. What it throws ends the attempts.
    ///   - attempt: throws `headMoved` if it has to be repeated.
    /// - Throws: `headMoved` after the last attempt, `venueReplaced`, or what the closures throw.
    static func run<Outcome>(
        in requested: VenueRecord, authorize: () async throws -> (VenueRecord, Authorization),
        check: (VenueRecord) async throws -> Outcome?, _ attempt: (VenueRecord, Authorization) async throws -> Outcome
    ) async throws -> Outcome {
        for _ in 0..<Self.limit {
            let (venue, authorization) = try await authorize()
            guard venue.epoch == requested.epoch else { throw StoreError.venueReplaced }
            if let outcome = try await check(venue) { return outcome }
            do {
                return try await attempt(venue, authorization)
            } catch let error as StoreError where error == .headMoved || error.invalidatesHead(of: venue) {
                continue
            }
        }
        throw StoreError.headMoved
    }
}
