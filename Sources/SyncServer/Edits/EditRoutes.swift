import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import RevisionPlanning
import RevisionStore
import SyncModel

/// Changing features without an archive.
struct EditRoutes: Sendable {
    let runner: EditRunner

    func add(to routes: RouteGroups) {
        routes.publishers.patch("venues/{venue}/features/{id}", use: self.patch)
        routes.publishers.post("venues/{venue}/edits", use: self.edit)
    }

    /// `PATCH /venues/{venue}/features/{id}?message=&until=&base=&dry_run=&force=` `application/merge-patch+json`: changes one
    /// feature.
    @Sendable func patch(_ request: Request, _ context: PublisherContext) async throws -> Response {
        guard let id = context.parameters.get("id").flatMap(FeatureID.init) else { throw StoreError.unknownFeature }
        let query = QueryValues(request)
        try query.refuseUnknown(except: QueryValues.ofEdits)
        let patch = try await request.jsonValue()
        guard patch.object != nil else { throw Problem.body("a merge patch must be an object") }
        let edit = EditRequest(
            [.init(.patch(id, patch), path: "")], message: try query.storedText("message"),
            base: try query.number("base", in: 1...Int64.max), until: try query.until(),
            isDryRun: try query.flag("dry_run"), isForced: try query.flag("force"), tags: request.expectedTags)
        return try await self.runner.run(edit, request, context)
    }

    /// `POST /venues/{venue}/edits` `{"id", "message", "base", "until", "dry_run", "force", "edits"}`: changes several features at once.
    /// With `If-Match`, every feature that is changed or hidden must have one of the entity tags.
    @Sendable func edit(_ request: Request, _ context: PublisherContext) async throws -> Response {
        try QueryValues(request).refuseUnknown(except: [])
        var edit = try EditBody(try await request.jsonValue()).request()
        edit.tags = request.expectedTags
        return try await self.runner.run(edit, request, context)
    }
}

/// Runs edits, with a bound on how many do so at the same time.
struct EditRunner: Sendable {
    let revisions: RevisionReader
    let authorizer: Authorizer
    /// A venue has one edit at a time, because the next one needs its result.
    let permits: FairSemaphore<VenueKey>
    private let indexes = ReferenceIndexCache()

    func run(_ edit: EditRequest, _ request: Request, _ context: PublisherContext) async throws -> Response {
        try await self.run(edit, request, context) { result in
            var response = try Response.json(result, status: result.isPublished ? .created : .ok)
                .cached("no-store", isPublic: false).varying(by: .acceptLanguage)
            if result.isPublished, let revision = result.revision {
                response.headers[.location] = "/venues/\(context.venue.key)/revisions/\(revision)"
            }
            return response
        }
    }

    /// Runs an edit and makes its response; a refusal becomes a problem document.
    func run(
        _ edit: EditRequest, _ request: Request, _ context: PublisherContext,
        response: (EditResult) async throws -> Response
    ) async throws -> Response {
        do {
            return try await response(try await self.result(of: edit, request, context))
        } catch let refusal as RefusedEdit {
            return try EditProblem.response(to: refusal)
        }
    }

    private func result(
        of edit: EditRequest, _ request: Request, _ context: PublisherContext
    ) async throws -> EditResult {
        let describer = ChangeDescriber(store: self.revisions.store, language: request.preferredLanguage)
        let edit = FeatureEdit(edit, in: self.revisions, describer: describer, indexes: self.indexes)
        return try await self.permits.withPermit(for: context.venue.key) {
            try await edit.run(in: context.venue) {
                let access = try await self.authorizer.writer(request, context.parent, .publish)
                return (access.venue, access.authorization)
            }
        }
    }
}

extension QueryValues {
    /// The parameters of edits that have no operations in their body.
    static let ofEdits = ["message", "until", "base", "dry_run", "force"]

    /// A time in the future, at which overrides end.
    func until() throws -> Date? {
        guard let text = try self.text("until") else { return nil }
        guard let date = Timestamp.date(of: text) else {
            throw Problem.parameter("until", "It must be an RFC 3339 time.")
        }
        guard date > Date() else { throw Problem.parameter("until", "It must be in the future.") }
        return date
    }
}

extension Request {
    /// The entity tags of `If-Match`, which are compared weakly, because those of features are weak; nil without the field.
    var expectedTags: [String]? {
        self.headers[.ifMatch]?.split(separator: ",").map { tag in
            var tag = tag.trimmingPrefix { $0 == " " }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return String(tag.prefix { $0 != " " }).replacing("\"", with: "")
        }
    }
}
