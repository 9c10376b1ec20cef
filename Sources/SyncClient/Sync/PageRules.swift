import IMDF
import SyncModel

/// Checks, page by page, that the pages of a change set belong together. Nothing that the server sends is trusted without it.
struct PageRules {
    private let venue: VenueKey
    private let from: Int64?
    private var frame: ChangeSetPage.Frame?
    private var cursors: Set<String>
    /// The levels of the blocks so far.
    private var levels: Set<FeatureID?> = []
    /// The block that continues on the next page.
    private var open: (level: FeatureID?, kind: ChangeSet.Kind)?

    /// - Parameters:
    ///   - from: The revision of the replica; nil for a full snapshot.
    ///   - cursor: The cursor of the first request.
    init(venue: VenueKey, from: Int64?, cursor: String?) {
        self.venue = venue
        self.from = from
        self.cursors = cursor.map { [$0] } ?? []
    }

    /// - Throws: ``SyncError/contradiction(_:)`` or ``SyncError/malformed(_:)``; ``Exchange/LostHistory`` if the change set does not
    ///   continue the revision of the replica.
    mutating func check(_ page: ChangeSetPage) throws {
        try self.check(page.frame)
        if !page.isComplete {
            guard self.cursors.insert(page.cursor).inserted else {
                throw SyncError.contradiction("a repeated page")
            }
            guard !page.blocks.isEmpty else { throw SyncError.malformed("an empty page that is not the last one") }
        }
        for (index, block) in page.blocks.enumerated() {
            try self.check(block, isFirst: index == 0, mayContinue: index == page.blocks.count - 1 && !page.isComplete)
        }
        if page.isComplete, self.open != nil { throw SyncError.malformed("the last page ends inside a level") }
    }

    private mutating func check(_ frame: ChangeSetPage.Frame) throws {
        if let first = self.frame {
            guard frame == first else { throw SyncError.contradiction("pages of different change sets") }
            return
        }
        guard frame.venue == self.venue.description else {
            throw SyncError.contradiction("it belongs to the venue “\(frame.venue.prefix(VenueKey.longest))”")
        }
        guard let from = self.from else {
            guard frame.from == nil else { throw SyncError.contradiction("changes, although everything was requested") }
            guard frame.to >= 1 else { throw SyncError.malformed("a revision before the first one") }
            self.frame = frame
            return
        }
        // No digest covers the number of the revision, and the cursor neither. If those of the replica are wrong, no change set can
        // continue it.
        guard frame.from == from, frame.to >= from else { throw Exchange.LostHistory(restart: nil) }
        self.frame = frame
    }

    private mutating func check(_ block: ChangeSetPage.Block, isFirst: Bool, mayContinue: Bool) throws(SyncError) {
        if let open = self.open {
            guard isFirst, block.isContinued, block.level == open.level, block.kind == open.kind else {
                throw .contradiction("a page is missing or out of order")
            }
            self.open = nil
        } else {
            guard !block.isContinued else { throw .contradiction("a continued level without a beginning") }
            guard self.levels.insert(block.level).inserted else { throw .contradiction("a duplicate level") }
        }
        switch block.kind {
        case .gone:
            guard block.digest == nil, block.bodies.isEmpty, block.removed.isEmpty else {
                throw .malformed("a deleted level with features")
            }
        case .changes, .snapshot:
            guard self.from != nil || block.kind == .snapshot else {
                throw .contradiction("changes of a level that the replica does not hold")
            }
            guard block.digest == nil else { return }
            guard mayContinue else { throw .malformed("a level without a digest") }
            self.open = (block.level, block.kind)
        }
    }
}
