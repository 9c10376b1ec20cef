import IMDF
import SyncModel

/// The download of one change set: what it is requested from, and what was checked and counted of its pages so far.
///
/// It is passed from one page to the next, so every page is checked after the one before it, also while that one is still written.
struct ChangeSetDownload: Sendable {
    /// The state that the change set is applied to.
    let state: ReplicaState
    let levels: LevelSelection
    /// What the replica has to be at the end; nil if the app trusts no keys.
    let head: SignedHead?
    /// The cursor of the first request; nil for a full snapshot.
    let cursor: String?
    var report: SyncReport
    private var rules: PageRules
    private var limit: DownloadLimit

    /// - Parameter isSnapshot: The change set is a full snapshot that replaces the replica.
    init(
        to state: ReplicaState, _ levels: LevelSelection, _ head: SignedHead?, isSnapshot: Bool
    ) {
        let (revision, cursor) = isSnapshot ? (nil, nil) : (state.revision, state.cursor)
        self.state = state
        self.levels = levels
        self.head = head
        self.cursor = cursor
        self.report = SyncReport(from: state.revision, to: state.revision ?? 0, requests: 1)
        self.rules = PageRules(venue: state.venue, from: revision, cursor: cursor)
        self.limit = DownloadLimit(head)
    }

    /// Checks the next page before anything of it is stored.
    ///
    /// - Parameter held: The number of features before the change set.
    mutating func check(_ page: ChangeSetPage, held: () async throws -> Int) async throws {
        try self.rules.check(page)
        try self.head?.check(page)
        try await self.limit.receive(page, held: held)
        self.report.to = page.frame.to
    }

    /// Whether the page says that the replica is up to date.
    func isUnchanged(by page: ChangeSetPage) -> Bool {
        page.isComplete && page.blocks.isEmpty && page.cursor == self.state.cursor
            && self.levels == self.state.selection && page.frame.digest == self.state.digest
            && page.frame.about == self.state.about
    }
}
