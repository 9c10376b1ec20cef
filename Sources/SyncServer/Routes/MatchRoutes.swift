import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// What an archive's ids were taken for.
struct MatchRoutes {
    let store: RevisionStore
    let uploads: UploadRoutes

    func add(to router: Router<VenueContext>) {
        router.get("uploads/{id}/matches", use: self.list)
    }

    /// `GET /uploads/{id}/matches?kind=alias|exact|near&limit=`: which feature each id was taken for, and why.
    @Sendable func list(_ request: Request, _ context: VenueContext) async throws -> Response {
        let upload = try await self.uploads.visible(request, context)
        let query = QueryValues(request)
        let kind = try query.text("kind").map { text in
            guard let kind = IdentityMatch.Kind(rawValue: text) else {
                throw Problem.parameter(
                    "kind", "It takes one of \(IdentityMatch.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return kind
        }
        let limit = try query.limit(default: 1_000, most: 10_000)
        let place = try query.number("from", in: 0...Int64(Int32.max)) ?? 0
        let page = try await self.store.matches(
            of: UploadRoutes.id(context), kind: kind, from: Int(place), limit: limit)
        var matches = JSONPage()
        for (_, match) in page.matches { guard try matches.append(match) else { break } }
        let last = matches.count < page.matches.count ? page.matches[matches.count].offset : page.next
        let next = last.map {
            request.address(with: ["from": "\($0)", "limit": "\(limit)"], at: "/uploads/\(upload.id)/matches")
        }
        return try matches.response("matches", beside: NextPage(next: next)).cached("no-store", isPublic: false)
    }
}
