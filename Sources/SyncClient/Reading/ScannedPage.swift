import IMDF

/// A checked page with everything that can be computed before it is written: ids, types and digests.
struct ScannedPage: Sendable {
    struct Block: Sendable {
        let block: ChangeSetPage.Block
        let features: FeatureLines
        /// The digest of the features, which belongs to the level if their ids are unique. Nil unless the block is a whole level of a
        /// full snapshot: only then can it be used, and keeping the parts of a level would keep their pages in memory.
        let receivedDigest: Digest?
    }

    let page: ChangeSetPage
    let blocks: [Block]

    /// - Throws: ``SyncError/malformed(_:)`` for a body that is not a feature.
    @concurrent init(_ page: ChangeSetPage) async throws {
        self.page = page
        self.blocks = try page.blocks.map { block in
            let features = try FeatureLines(block.bodies, of: page.text)
            let isWholeLevel = page.frame.from == nil && !block.isContinued && block.digest != nil
            return Block(
                block: block, features: features, receivedDigest: isWholeLevel ? features.levelDigest() : nil)
        }
    }
}
