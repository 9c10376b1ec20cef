import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// What becomes of an upload that is held back: it is looked at, then published or discarded.
struct StagingRoutes {
    let store: RevisionStore
    let uploads: UploadRoutes

    func add(to router: Router<VenueContext>) {
        router.get("uploads/{id}/changes", use: self.changes)
        router.post("uploads/{id}/publish", use: self.publish)
        router.delete("uploads/{id}", use: self.discard)
    }

    /// `GET /uploads/{id}/changes?bodies=&level=&limit=`: what a staged upload would change, or what a published one did.
    @Sendable func changes(_ request: Request, _ context: VenueContext) async throws -> Response {
        let upload = try await self.uploads.visible(request, context)
        let query = try DiffQuery(request)
        let words = ChangeDescriptions(store: self.store, language: request.preferredLanguage)
        return try await self.uploads.live.comparisons.withPermit(for: upload.venue) {
            let page: DiffPage
            switch (upload.state, upload.revision) {
            case (.staged, _):
                let venue = try await self.store.venue(upload.venue)
                let comparison = try await StagedComparison(of: UploadRoutes.id(context), in: venue, store: self.store)
                page = try await comparison.page(query, words: words)
            case (.published, let number?):
                let venue = try await self.store.venue(upload.venue)
                let comparison = RevisionComparison(
                    store: self.store, venue: venue, from: upload.base ?? number - 1, to: number)
                page = try await comparison.page(query, words: words)
            default: throw StoreError.wrongState(upload.state)
            }
            return try page.response(to: request, at: "/uploads/\(upload.id)/changes")
                .cached("no-store", isPublic: false).toldByLanguage
        }
    }

    private struct Wish: Decodable {
        let base: Int64?
        let confirm: [String]?
    }

    /// `POST /uploads/{id}/publish?wait=30` `{"base", "confirm"}`: has a worker compare the upload with the newest revision once
    /// more and publish it, and waits for that.
    @Sendable func publish(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (before, authorization) = try await self.uploads.changeable(request, context)
        let seconds = try QueryValues(request).number("wait", in: 0...30) ?? 30
        let wish = try await request.json(Wish.self)
        if let base = wish.base {
            guard base >= 0 else { throw Problem.body("“base” takes the number of a revision, or 0 before the first") }
            guard try await base <= self.store.venue(before.venue).head else { throw StoreError.unknownRevision(base) }
        }
        let confirmed = Set(wish.confirm ?? [])
        if let unknown = confirmed.first(where: { Upload.Reason(rawValue: $0) == nil }) {
            let known = Upload.Reason.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.body("“confirm” takes some of \(known), not “\(unknown.prefix(100))”")
        }
        let id = try UploadRoutes.id(context)
        try await self.store.requestPublication(
            of: id, Job.PublishRequest(base: wish.base, confirmed: confirmed), by: authorization)
        let words = ChangeDescriptions(store: self.store, language: request.preferredLanguage)
        let upload = try await words.told(self.uploads.settled(id, within: .seconds(seconds), context))
        switch upload.state {
        case .published, .unchanged:
            return try Response.json(upload).cached("no-store", isPublic: false).toldByLanguage
        case .received, .processing:
            var response = try Response.json(upload, status: .accepted).cached("no-store", isPublic: false)
                .toldByLanguage
            response.headers[.location] = "/uploads/\(upload.id)"
            return response
        case .staged: return try RestagedProblem(upload).response()
        case .rejected, .failed, .discarded: throw StoreError.wrongState(upload.state)
        }
    }

    /// `DELETE /uploads/{id}`: of one that waits, in the queue or for a decision.
    @Sendable func discard(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (_, authorization) = try await self.uploads.changeable(request, context)
        try await self.store.discard(UploadRoutes.id(context), by: authorization)
        return Response(status: .noContent)
    }
}

/// A problem that says why an upload was not published, and what would change now.
private struct RestagedProblem: Encodable {
    let type: String
    let title: String
    let status: Int
    let detail: String?
    let reasons: [String]
    let base: Int64
    let changes: ChangeSummary?
    let href: String

    init(_ upload: Upload) {
        let hasMoved = upload.reasons.contains(Upload.Reason.headMoved.rawValue)
        let problem =
            hasMoved
            ? Problem(
                "head-moved", status: 409, title: "Somebody else published meanwhile",
                detail: "Look at what would change now, and publish with the new base.")
            : Problem(
                "guarded", status: 409, title: "This needs to be confirmed",
                detail: "Publish with {\"confirm\": [\(upload.reasons.map { "\"\($0)\"" }.joined(separator: ", "))]}.")
        self.type = problem.type
        self.title = problem.title
        self.status = problem.status
        self.detail = problem.detail
        self.reasons = upload.reasons
        self.base = upload.base ?? 0
        self.changes = upload.changes
        self.href = "/uploads/\(upload.id)/changes"
    }

    func response() throws -> Response {
        try Response.json(self, status: .conflict, type: "application/problem+json").cached("no-store", isPublic: false)
    }
}
