import IMDF
import SyncModel

/// What has to be so for pages to be one change set, told page by page; nothing about them is believed otherwise.
struct PageRules {
    private let venue: VenueKey
    private let from: Int64?
    private var frame: ChangeSetPage.Frame?
    private var cursors: Set<String>
    /// Levels that a block was about.
    private var levels: Set<FeatureID?> = []
    /// The block that goes on on the next page.
    private var open: (level: FeatureID?, kind: ChangeSet.Kind)?

    /// - Parameters:
    ///   - from: The revision that the replica holds; nil when the server is to say everything.
    ///   - cursor: What the first page was asked with.
    init(venue: VenueKey, from: Int64?, cursor: String?) {
        self.venue = venue
        self.from = from
        self.cursors = cursor.map { [$0] } ?? []
    }

    /// - Throws: ``SyncError/contradiction(_:)`` or ``SyncError/malformed(_:)``.
    mutating func check(_ page: ChangeSetPage) throws(SyncError) {
        try self.check(page.frame)
        if !page.isComplete {
            guard self.cursors.insert(page.cursor).inserted else {
                throw .contradiction("a page that was there already")
            }
            guard !page.blocks.isEmpty else { throw .malformed("a page of nothing that is not the last") }
        }
        for (index, block) in page.blocks.enumerated() {
            try self.check(block, isFirst: index == 0, mayGoOn: index == page.blocks.count - 1 && !page.isComplete)
        }
        if page.isComplete, self.open != nil { throw .malformed("a level without an end") }
    }

    private mutating func check(_ frame: ChangeSetPage.Frame) throws(SyncError) {
        if let first = self.frame {
            guard frame == first else { throw .contradiction("pages of several change sets") }
            return
        }
        guard frame.venue == self.venue.description else {
            throw .contradiction("it is about the venue “\(frame.venue.prefix(VenueKey.longest))”")
        }
        guard frame.from == self.from else {
            throw .contradiction("it leads from \(Self.name(frame.from)), and \(Self.name(self.from)) is held")
        }
        guard frame.to >= max(frame.from ?? 1, 1) else { throw .contradiction("it leads back to revision \(frame.to)") }
        self.frame = frame
    }

    private mutating func check(_ block: ChangeSetPage.Block, isFirst: Bool, mayGoOn: Bool) throws(SyncError) {
        if let open = self.open {
            guard isFirst, block.isContinued, block.level == open.level, block.kind == open.kind else {
                throw .contradiction("a page is missing, or stands in the wrong place")
            }
            self.open = nil
        } else {
            guard !block.isContinued else { throw .contradiction("a level goes on that has not begun") }
            guard self.levels.insert(block.level).inserted else { throw .contradiction("a level is told twice") }
        }
        switch block.kind {
        case .gone:
            guard block.digest == nil, block.bodies.isEmpty, block.removed.isEmpty else {
                throw .malformed("a level that is gone and has features")
            }
        case .changes, .snapshot:
            guard self.from != nil || block.kind == .snapshot else {
                throw .contradiction("changes of a level that is not held")
            }
            guard block.digest == nil else { return }
            guard mayGoOn else { throw .malformed("a level without a digest") }
            self.open = (block.level, block.kind)
        }
    }

    private static func name(_ revision: Int64?) -> String { revision.map { "revision \($0)" } ?? "nothing" }
}
