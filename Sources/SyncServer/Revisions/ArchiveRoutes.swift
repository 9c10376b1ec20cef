import Caching
import HTTPTypes
import Hummingbird
import IMDF
import RevisionPlanning
import RevisionStore
import SyncModel

/// Revisions as IMDF archives.
struct ArchiveRoutes: Sendable {
    let readModel: ReadModel
    let authorizer: Authorizer
    let exportPermits: FairSemaphore<VenueKey>
    /// Header fields of archives that were made recently, by entity tag, so that `HEAD` need not make an archive again.
    private let recentHeaders = LRUCache<String, HTTPFields>(cost: 10_000)
    private let shared = SharedArchives()

    func add(to routes: RouteGroups) {
        routes.readers.get("venues/{venue}/revisions/{number}/archive.zip", use: self.archive)
    }

    /// `GET /venues/{venue}/revisions/{number}/archive.zip?strict=&overrides=`: one file at the root for every standard type. A
    /// client that has the archive already receives 304 before any work is done. Without overrides, the archive is what the source said,
    /// which takes the role `publish`, because it has what edits hide.
    @Sendable func archive(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let venue = context.venue
        let number = try context.revisionNumber()
        let query = QueryValues(request)
        let isStrict = try query.flag("strict")
        let withOverrides = try query.flag("overrides", default: true)
        if !withOverrides {
            guard !isStrict else { throw Problem.parameter("overrides", "A strict archive has the overrides in it.") }
            _ = try await self.authorizer.writer(request, context.parent, .publish)
        }
        let store = self.readModel.reader(of: venue, at: number)
        let entry = try await store.logEntry(number, of: venue)
        var export = ArchiveExport(
            venue: venue, revision: entry.revision, isStrict: isStrict, readModel: self.readModel)
        if !withOverrides { export.overrideNumber = try await store.overrideNumber(of: venue, at: number) }
        let headers: HTTPFields = [
            .contentType: "application/zip",
            .contentDisposition: "attachment; filename=\"\(venue.key)-\(number).zip\"",
        ]
        // What the source says about an overridden value may change without a new revision.
        var response = Response(status: .ok, headers: headers)
            .cached(withOverrides ? immutable : "no-store", isPublic: withOverrides && venue.settings.public)
            .tagged(export.tag, for: request)
        guard response.status == .ok else { return response }
        if request.method == .head, let recent = self.recentHeaders.value(for: export.tag) {
            for field in recent { response.headers[field.name] = field.value }
            return response
        }
        let pack: @Sendable () async throws -> SharedArchives.Archive = { [export, permits = self.exportPermits] in
            try await permits.withPermit(for: venue.key) { try await export.pack() }
        }
        let (archive, leftOut) =
            if withOverrides { try await self.shared.archive(export.tag, pack) } else { try await pack() }
        response.headers[StrictSelection.leftOut] = leftOut.map { "\($0)" }
        response.body = ResponseBody(archive)
        let kept: [HTTPField.Name] = [.contentLength, StrictSelection.leftOut]
        self.recentHeaders.keep(response.headers.filter { kept.contains($0.name) }, for: export.tag, cost: 1)
        return response
    }
}
