import Foundation
import Hummingbird
import IMDF
import RevisionPlanning
import RevisionStore
import SyncModel

/// The map of a staged first upload, for those who decide about it and for people who have a link.
struct PreviewRoutes: Sendable {
    let readModel: ReadModel
    let adminKey: KeyHash?
    /// The same work as a page of changes.
    let comparisonPermits: FairSemaphore<VenueKey>

    func add(to routes: RouteGroups) {
        routes.previews.get("uploads/{id}/preview", use: self.features)
        routes.uploads.post("uploads/{id}/preview-tokens", use: self.createToken)
    }

    private struct LeveledFeature: Encodable {
        /// Nil for the venue-wide part.
        @OrNull var level: FeatureID?
        let feature: JSONValue

        enum CodingKeys: String, CodingKey {
            case feature
            case level = "level_id"
        }
    }

    /// What a page of features has beside them.
    private struct Frame: Encodable {
        let venue: VenueKey
        /// Nil also before the first publication proposes one.
        @OrNull var time_zone: String?
        @OrNull var expires_at: Date?
        @OrNull var next: String?
    }

    /// `GET /uploads/{id}/preview?limit=&token=`: all features, by id.
    @Sendable func features(_ request: Request, _ context: PreviewContext) async throws -> Response {
        let upload = context.upload
        let part = try DiffQuery(request)
        let query = DiffQuery(levels: part.levels, after: part.after, limit: part.limit, withBodies: true)
        guard upload.hasPreview else { throw StoreError.wrongState(upload.state) }
        return try await self.comparisonPermits.withPermit(for: upload.venue) {
            let venue = try await self.readModel.store.venue(upload.venue)
            let comparison = try await StagedComparison(
                of: context.id, in: venue, revisions: self.readModel.revisions)
            // The upload may just have been compared with a newer revision.
            guard comparison.difference.base == 0 else { throw StoreError.wrongState(.staged) }
            var page = JSONPage()
            var last: FeatureID?
            var isFull = false
            let isLast = try await comparison.changes(query) { change in
                guard !isFull, let body = change.after else { return }
                let item = LeveledFeature(level: change.level, feature: body)
                isFull = try page.count == query.limit || !page.append(item)
                if !isFull { last = change.id }
            }
            // A decision that was made meanwhile has deleted what was to be read.
            guard try await self.readModel.store.upload(context.id).hasPreview else { throw Problem.previewEnded }
            let address = "/uploads/\(upload.id)/preview"
            let next =
                isLast && !isFull ? nil : last.map { request.address(with: ["after": $0.description], at: address) }
            let frame = Frame(
                venue: upload.venue, time_zone: venue.settings.timeZone, expires_at: context.permission.expiry,
                next: next)
            return try page.response("features", beside: frame).cached("no-store", isPublic: false)
        }
    }

    /// `POST /uploads/{id}/preview-tokens` `{"expires_in"}`: seconds, one day at most.
    @Sendable func createToken(_ request: Request, _ context: UploadContext) async throws -> Response {
        let subject = ReadToken.Subject.preview(context.id)
        let expiry = try await request.json(NewToken.self).expiry(for: subject)
        guard context.upload.hasPreview else { throw StoreError.wrongState(context.upload.state) }
        let token = ReadToken(
            for: subject, key: context.authorization.key, expiry: expiry, adminKey: self.adminKey,
            sealedBy: self.readModel.cursorSeal)
        return try Response.json(CreatedToken(token), status: .created).cached("no-store", isPublic: false)
    }
}
