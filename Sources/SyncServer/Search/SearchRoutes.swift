import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel
import VenueMap

/// Search over the newest revision of a venue.
struct SearchRoutes: Sendable {
    let indexes: SearchIndexes
    let readModel: ReadModel

    func add(to routes: RouteGroups) {
        routes.readers.get("venues/{venue}/search", use: self.find)
    }

    /// `GET /venues/{venue}/search?q=&lang=&type=&level=&category=&open_at=&near=&near_level=&limit=`
    @Sendable func find(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let search = try SearchRequest(QueryValues(request))
        let (venue, generation) = (context.venue, context.permission.generation)
        return try await venue.readHead {
            let revision = try await self.readModel.revisions(of: venue, at: venue.head)
                .revision(venue.head, of: venue)
            let timeZone = venue.settings.timeZone.flatMap { TimeZone(identifier: $0) }
            // Checked before the index is made.
            _ = try search.conditions(in: revision, at: nil, timeZone: timeZone)
            let index = try await self.indexes.content(of: venue, at: revision, generation: generation)
            var instant = search.openAt?.time
            var control = "no-cache"
            if let openAt = search.openAt, openAt.isNow {
                let steady = index.steadyTime(around: openAt.time)
                instant = steady.lowerBound
                // Rounded down, so that the response is not used after the next change.
                control = "max-age=\(max(0, Int(steady.upperBound.timeIntervalSince(openAt.time))))"
            }
            let query = search.json(at: instant)
            let tag = EntityTag.of([
                "\(SearchIndex.edition) \(venue.key) \(revision.number) \(revision.digest.hex)",
                revision.about.language ?? "", venue.settings.timeZone ?? "",
                String(decoding: CanonicalJSON.data(query), as: UTF8.self),
            ])
            let unchanged = Response(status: .ok).cached(control, isPublic: context.isPublic)
                .tagged(tag, for: request)
            guard unchanged.status == .ok else { return unchanged }
            let conditions = try search.conditions(in: revision, at: instant, timeZone: timeZone)
            let body = try await self.indexes.response(tagged: tag, of: venue, generation: generation) { shouldStop in
                let document = SearchDocument(index, conditions, search, shouldStop: shouldStop)
                return CanonicalJSON.data(
                    document.json(venue: "\(venue.key)", revision: revision.number, query: query))
            }
            return try Response(
                status: .ok, headers: [.contentType: "application/json"], body: .held(body)
            ).cached(control, isPublic: context.isPublic).tagged(tag, for: request)
        }
    }
}
