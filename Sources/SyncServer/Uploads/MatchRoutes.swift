import Hummingbird
import IMDF
import IMDFDiff
import RevisionStore
import SyncModel

/// The matches of an upload.
struct MatchRoutes: Sendable {
    let store: RevisionStore

    func add(to routes: RouteGroups) {
        routes.uploads.get("uploads/{id}/matches", use: self.list)
    }

    /// `GET /uploads/{id}/matches?kind=alias|exact|near&limit=`: the stored feature for each id of the archive, and why.
    @Sendable func list(_ request: Request, _ context: UploadContext) async throws -> Response {
        let query = QueryValues(request)
        let kind = try query.text("kind").map { text in
            guard let kind = IdentityMatch.Kind(rawValue: text) else {
                throw Problem.parameter(
                    "kind", "It must be one of \(IdentityMatch.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return kind
        }
        let limit = try query.limit(default: 1_000, max: 10_000)
        let start = try query.number("from", in: 0...Int64(Int32.max)) ?? 0
        let page = try await self.store.matches(
            of: context.id, kind: kind, from: Int(start), limit: limit)
        var matches = JSONPage()
        for (_, match) in page.matches { guard try matches.append(match) else { break } }
        let next = matches.count < page.matches.count ? page.matches[matches.count].offset : page.next
        let address = next.map {
            request.address(with: ["from": "\($0)", "limit": "\(limit)"], at: "/uploads/\(context.upload.id)/matches")
        }
        return try matches.response("matches", beside: NextPage(next: address)).cached("no-store", isPublic: false)
    }
}
