import Foundation
import IMDF
import SyncModel

/// Requests the pages of a change set.
extension VenueReplica {
    func requestFirstPage(
        from state: ReplicaState, _ levels: LevelSelection, _ head: SignedHead?
    ) async throws -> [UInt8] {
        try await self.page(
            self.path(since: state.cursor, levels, to: head, form: self.form(from: state, levels)))
    }

    /// Receives a page and reports its progress.
    func page(_ path: String) async throws -> [UInt8] {
        var count = BodyCount()
        var isPlain: Bool?
        let expected = self.expectedFeatures
        return try await self.exchange.bytes(path) { block in
            guard let first = block.first else { return }
            // Bodies in the delta form are counted when they were decoded.
            if isPlain == nil { isPlain = first == UInt8(ascii: "{") }
            if isPlain == true { self.statusCenter.receive(count.read(block), of: expected) }
        }
    }

    /// The path of a synchronization request.
    ///
    /// - Parameters:
    ///   - cursor: Nil: a full snapshot.
    ///   - head: The revision to synchronize to; nil for the newest.
    func path(
        since cursor: String?, _ levels: LevelSelection, to head: SignedHead? = nil, wait: Int? = nil,
        form: SyncForm = .plain
    ) -> String {
        var query: [String] = []
        if let cursor { query.append("since=\(HTTPAddress.escaped(cursor))") }
        // Sorted, so that clients with the same levels send the same URL, which caches can answer.
        query += (levels.names ?? []).map(\.description).sorted().map { "level=\($0)" }
        query.append("limit=\(self.pageLimit)")
        if let head { query.append("to=\(head.statement.revision)") }
        if let wait { query.append("wait=\(wait)") }
        if form == .delta { query.append("form=delta") }
        return "/venues/\(self.venue)/sync?\(query.joined(separator: "&"))"
    }

    /// Reads the first page.
    func readFirstPage(_ bytes: [UInt8], of download: inout ChangeSetDownload) async throws -> ScannedPage {
        let page = try await self.read(
            bytes, since: download.cursor, from: download.state, download.levels, download.head, &download.report)
        try await download.check(page, held: self.store.featureCount)
        return try await ScannedPage(page)
    }

    /// Applies the pages, each while the next one is received. At most two pages are in memory.
    ///
    /// - Returns: The last page.
    func apply(
        from first: ScannedPage, of download: inout ChangeSetDownload, to transaction: inout ReplicaTransaction
    ) async throws -> ChangeSetPage {
        var current = first
        while !current.page.isComplete {
            try Task.checkCancellation()
            let (page, progress) = (current, download)
            // If the page cannot be applied, this request is cancelled, and its outcome is ignored.
            async let next = self.nextPage(after: page.page, of: progress)
            transaction = try await self.store.apply(page, to: transaction)
            (current, download) = try await next
        }
        transaction = try await self.store.apply(current, to: transaction)
        return current.page
    }

    /// Requests the next page, with retries, because a failure would lose the pages before it.
    private func nextPage(
        after page: ChangeSetPage, of download: ChangeSetDownload
    ) async throws -> (ScannedPage, ChangeSetDownload) {
        var download = download
        let (state, levels, head) = (download.state, download.levels, download.head)
        let path = self.path(since: page.cursor, levels, to: head, form: self.form(from: state, levels))
        let next = try await self.exchange.retrying(self.exchange.policy.attempts) {
            try await self.read(
                self.page(path), since: page.cursor, from: state, levels, head, &download.report)
        }
        try await download.check(next, held: self.store.featureCount)
        download.report.requests += 1
        return (try await ScannedPage(next), download)
    }
}
