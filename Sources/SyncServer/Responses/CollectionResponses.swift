import Compression
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// What a FeatureCollection of a revision depends on. It never changes.
struct CollectionQuery: Hashable, Sendable {
    let venue: Int64
    let epoch: Int64
    let revision: Int64
    let filter: FeatureFilter
    let isStrict: Bool

    /// The bytes that it takes to keep the query.
    var cost: Int {
        let types = self.filter.types?.reduce(0) { $0 + 32 + $1.rawValue.utf8.count } ?? 0
        return 1 << 10 + 16 * (self.filter.levels?.count ?? 0) + types
    }
}

/// Features of revisions as FeatureCollections.
struct CollectionResponses: Sendable {
    let readModel: ReadModel
    let responses: ResponseCache
    let chunks: ChunkCache

    /// - Parameters:
    ///   - isStrict: Whether features that a strict decoder rejects are left out.
    ///   - history: The history of the read model before the venue was read from it.
    func response(
        of revision: RevisionRecord, of venue: VenueRecord, where filter: FeatureFilter, isStrict: Bool, history: Int,
        encoding: ContentCoding?
    ) async throws -> CachedResponse {
        let query = CollectionQuery(
            venue: venue.id, epoch: venue.epoch, revision: revision.number, filter: filter, isStrict: isStrict)
        let selection = CollectionSelection(
            venue: venue, revision: revision.number, filter: filter, isStrict: isStrict, readModel: self.readModel)
        let chunks = self.chunks
        return try await self.responses.response(to: .collection(query), history: history, encoding: encoding) {
            let source = ResponseChunk.Source(venue: venue, revision: revision.number)
            let (versions, headers) = try await selection.versions()
            return .streamed(
                StreamedResponse(
                    headers: headers, tag: revision.tag,
                    chunks: ResponseChunker.chunks(of: versions, from: source, history: history), cache: chunks
                ) {
                    ResponseChunker.chunks(of: try await selection.versions().kept, from: source, history: history)
                })
        }
    }
}
