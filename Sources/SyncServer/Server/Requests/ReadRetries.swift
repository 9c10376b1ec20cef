import RevisionStore

/// When a read is repeated, and how often.
struct ReadRetries {
    private let readModel: ReadModel
    private var remaining = RevisionStore.readAttempts - 1
    private var hasFailedOver = false

    init(readModel: ReadModel) {
        self.readModel = readModel
    }

    /// Prepares another attempt: with the present state if the one that was read has changed meanwhile, and once without the replica if a
    /// database has failed.
    ///
    /// - Throws: The error of the last attempt, if there is no other one.
    mutating func prepare(after error: any Error) async throws {
        let cause: any Error = (error as? OutdatedRead)?.cause ?? error
        guard self.remaining > 0 else { throw cause }
        self.remaining -= 1
        if error is OutdatedRead || cause as? StoreError == .historyChanged {
            try await self.readModel.refresh()
        } else if RevisionStore.isOutage(cause), self.readModel.replica != nil, !self.hasFailedOver {
            self.hasFailedOver = true
            await self.readModel.noteOutage()
        } else {
            throw cause
        }
    }
}

/// A read has found that what it was applied to does not exist any more, which its error alone does not tell.
struct OutdatedRead: Error {
    let cause: StoreError
}

extension VenueRecord {
    /// Reads from the newest revision. If that was superseded and pruned meanwhile, the request is repeated; see ``ReadRetries``.
    func readHead<Result>(_ read: () async throws -> Result) async throws -> Result {
        do {
            return try await read()
        } catch let error as StoreError where error.invalidatesHead(of: self) {
            throw OutdatedRead(cause: error)
        }
    }
}
