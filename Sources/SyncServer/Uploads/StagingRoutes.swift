import HTTPTypes
import Hummingbird
import IMDF
import RevisionPlanning
import RevisionStore
import SyncModel

/// Staged uploads: their changes, and whether they are published or discarded.
struct StagingRoutes: Sendable {
    let revisions: RevisionReader
    let uploadWaiter: UploadWaiter
    let comparisonPermits: FairSemaphore<VenueKey>

    private var store: RevisionStore { self.revisions.store }

    func add(to routes: RouteGroups) {
        routes.uploads.get("uploads/{id}/changes", use: self.changes)
        routes.uploads.post("uploads/{id}/publish", use: self.publish)
        routes.uploads.delete("uploads/{id}", use: self.discard)
    }

    /// `GET /uploads/{id}/changes?bodies=&level=&limit=`: what a staged upload would change, or the newest that the rule book rejected, or
    /// what a published one did.
    @Sendable func changes(_ request: Request, _ context: UploadContext) async throws -> Response {
        let upload = context.upload
        let query = try DiffQuery(request)
        let describer = ChangeDescriber(store: self.store, language: request.preferredLanguage)
        return try await self.comparisonPermits.withPermit(for: upload.venue) {
            let page: DiffPage
            switch (upload.state, upload.revision) {
            case (.staged, _), (.rejected, _):
                let venue = try await self.store.venue(upload.venue)
                let comparison = try await StagedComparison(of: context.id, in: venue, revisions: self.revisions)
                page = try await DiffPage(query, of: comparison, describer: describer)
            case (.published, let number?):
                let venue = try await self.store.venue(upload.venue)
                let comparison = RevisionComparison(
                    revisions: self.revisions, venue: venue, from: upload.base ?? number - 1, to: number)
                page = try await DiffPage(query, of: comparison, describer: describer, withAuthors: true)
            default: throw StoreError.wrongState(upload.state)
            }
            return try page.response(to: request, at: "/uploads/\(upload.id)/changes")
                .cached("no-store", isPublic: false).varying(by: .acceptLanguage)
        }
    }

    private struct PublishBody: Decodable {
        let base: Int64?
        let confirm: [String]?
    }

    /// `POST /uploads/{id}/publish?wait=30` `{"base", "confirm"}`: a worker compares the upload with the newest revision once more
    /// and publishes it. Waits for the result.
    @Sendable func publish(_ request: Request, _ context: UploadContext) async throws -> Response {
        let query = QueryValues(request)
        try query.refuseUnknown(except: ["wait"])
        let seconds = try query.number("wait", in: 0...30) ?? 30
        let options = try await request.json(PublishBody.self, members: ["base", "confirm"])
        if let base = options.base {
            guard base >= 0 else {
                throw Problem.body("“base” must be the number of a revision, or 0 before the first")
            }
            guard try await base <= self.store.venue(context.upload.venue).head else {
                throw StoreError.unknownRevision(base)
            }
        }
        let confirmed = Set(options.confirm ?? [])
        if let unknown = confirmed.first(where: { Upload.Reason(rawValue: $0) == nil }) {
            let known = Upload.Reason.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.body("“confirm” must be some of \(known), not “\(unknown.prefix(100))”")
        }
        try await self.store.requestPublication(
            of: context.id, Job.PublishRequest(base: options.base, confirmed: confirmed), by: context.authorization)
        let describer = ChangeDescriber(store: self.store, language: request.preferredLanguage)
        let upload = try await describer.described(
            self.uploadWaiter.settled(context.id, within: .seconds(seconds), context.parent.accessDecisions))
        switch upload.state {
        case .published, .unchanged:
            return try Response.json(upload).cached("no-store", isPublic: false).varying(by: .acceptLanguage)
        case .received, .processing:
            var response = try Response.json(upload, status: .accepted).cached("no-store", isPublic: false)
                .varying(by: .acceptLanguage)
            response.headers[.location] = "/uploads/\(upload.id)"
            return response
        case .staged: return try RestagedProblem.response(to: upload)
        case .rejected, .failed, .discarded: throw StoreError.wrongState(upload.state)
        }
    }

    /// `DELETE /uploads/{id}`: discards an upload that waits in the queue or for a decision.
    @Sendable func discard(_ request: Request, _ context: UploadContext) async throws -> Response {
        try await self.store.discard(context.id, by: context.authorization)
        return Response(status: .noContent)
    }
}

/// What the problem document for an upload that was not published says beside that: the reasons, and what it would change now.
private struct RestagedProblem: Encodable {
    let reasons: [String]
    let base: Int64
    let changes: ChangeSummary?
    let href: String

    static func response(to upload: Upload) throws -> Response {
        let hasMoved = upload.reasons.contains(Upload.Reason.headMoved.rawValue)
        let problem: Problem = hasMoved ? .baseMoved : .confirmationRequired(upload.reasons)
        return try problem.response(
            beside: Self(
                reasons: upload.reasons, base: upload.base ?? 0, changes: upload.changes,
                href: "/uploads/\(upload.id)/changes"))
    }
}
