import Compression
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// Features of revisions as FeatureCollections. None of them ever changes.
final class CollectionReplies: Sendable {
    private struct Question: Hashable {
        let venue: Int64
        let epoch: Int64
        let revision: Int64
        let filter: FeatureFilter
        let isStrict: Bool

        /// Bytes that it takes to keep the question.
        var cost: Int {
            let types = self.filter.types?.reduce(0) { $0 + 32 + $1.rawValue.utf8.count } ?? 0
            return 1 << 10 + 16 * (self.filter.levels?.count ?? 0) + types
        }
    }

    private let renditions = EncodedResponseCache<Question>(bytes: 16 << 20)
    private let cache: PieceCache

    init(cache: PieceCache) {
        self.cache = cache
    }

    /// - Parameters:
    ///   - isStrict: Only what a strict decoder can take.
    ///   - history: Of the node, from before it was asked what the venue is.
    func reply(
        of revision: RevisionRecord, of venue: VenueRecord, where filter: FeatureFilter, isStrict: Bool,
        of history: Int, in coding: ContentCoding?, from node: Node
    ) async throws -> RenditionReply {
        let question = Question(
            venue: venue.id, epoch: venue.epoch, revision: revision.number, filter: filter, isStrict: isStrict)
        let selection = CollectionSelection(
            venue: venue, revision: revision.number, filter: filter, isStrict: isStrict, node: node)
        return try await self.renditions.reply(to: question, of: history, cost: question.cost, in: coding) {
            let source = Piece.Source(venue: venue, revision: revision.number)
            let (versions, headers) = try await selection.versions()
            return .paged(
                PagedReply(
                    headers: headers, tag: revision.tag,
                    pieces: PieceCutter.pieces(of: versions, from: source, history: history), cache: self.cache
                ) {
                    PieceCutter.pieces(of: try await selection.versions().kept, from: source, history: history)
                })
        }
    }
}
