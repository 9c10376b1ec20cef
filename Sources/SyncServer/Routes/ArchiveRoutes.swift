import HTTPTypes
import Hummingbird
import IMDF
import IMDFArchive
import NIOCore
import RevisionStore
import SyncModel

/// Revisions as IMDF archives.
struct ArchiveRoutes {
    let live: Live
    let authorizer: Authorizer
    /// What `HEAD` tells of archives that were made lately, by their tags.
    private let made = LRUCache<String, HTTPFields>(cost: 10_000)

    init(live: Live, authorizer: Authorizer) {
        self.live = live
        self.authorizer = authorizer
    }

    func add(to router: Router<VenueContext>) {
        router.get("venues/{venue}/revisions/{number}/archive.zip", use: self.archive)
    }

    /// `GET /venues/{venue}/revisions/{number}/archive.zip?strict=`: files at the root, one for every standard type. Whoever has it
    /// already is told so before any work.
    @Sendable func archive(_ request: Request, _ context: VenueContext) async throws -> Response {
        let history = self.live.node.histories
        let (venue, _) = try await self.authorizer.readable(request, context)
        let number = try context.revisionNumber()
        let isStrict = try QueryValues(request).flag("strict")
        let store = self.live.node.reader(of: venue, at: number)
        let entry = try await store.logEntry(number, of: venue)
        let export = ArchiveExport(
            venue: venue, revision: entry.revision, isStrict: isStrict, store: store, pieces: self.live.pieces,
            history: history)
        let headers: HTTPFields = [
            .contentType: "application/zip",
            .contentDisposition: "attachment; filename=\"\(venue.key)-\(number).zip\"",
        ]
        var response = Response(status: .ok, headers: headers).cached(immutable, isPublic: venue.settings.public)
            .tagged(export.tag, for: request)
        guard response.status == .ok else { return response }
        if request.method == .head, let known = self.made.value(for: export.tag) {
            for field in known { response.headers[field.name] = field.value }
            return response
        }
        let (zip, leftOut) = try await self.live.exports.withPermit(for: venue.key) { try await export.pack() }
        response.headers[StrictSelection.leftOut] = leftOut.map { "\($0)" }
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: zip))
        let told: [HTTPField.Name] = [.contentLength, StrictSelection.leftOut]
        self.made.keep(response.headers.filter { told.contains($0.name) }, for: export.tag, cost: 1)
        return response
    }
}

/// A revision on its way into an archive.
private struct ArchiveExport: Sendable {
    let venue: VenueRecord
    let revision: Revision
    /// Without what a strict decoder cannot take.
    let isStrict: Bool
    let store: RevisionStore
    let pieces: PieceCache
    /// Of the node, from before the revision was looked up.
    let history: Int

    /// Names the archive before it is made: it depends on these, and on what of us writes it.
    var tag: String {
        let parts = [
            "\(ArchiveWriter.edition)", "\(self.venue.key)", "\(self.venue.epoch)", "\(self.revision.number)",
            self.revision.digest.hex, Timestamp.text(of: self.revision.publishedAt), "\(self.isStrict)",
        ]
        return String(Digest(of: parts.joined(separator: " ").utf8).hex.prefix(32))
    }

    /// - Returns: Also how many features were left out of a strict one.
    func pack() async throws -> (bytes: [UInt8], leftOut: Int?) {
        let number = self.revision.number
        var versions = try await self.store.versions(of: self.venue, at: number)
        let stored = try await self.store.manifest(of: self.venue, at: number)
        var content = stored.content
        var leftOut: Int?
        if self.isStrict {
            let selection = try await StrictSelection(of: self.venue, at: number, in: self.store)
            let all = versions.count
            versions.removeAll { !selection.keeps($0.feature) }
            leftOut = all - versions.count
            // A strict decoder wants a manifest even where the producer gave none.
            if content == nil { content = Array(#"{"language":"en","version":"1.0.0"}"#.utf8) }
        }
        var members = try content.map { try JSONReader.value(of: $0).object ?? [:] }
        members?["created"] = .string(Timestamp.text(of: self.revision.publishedAt))
        members?["generated_by"] = "VenueSync"
        let bodies = try await self.pieces.bodies(
            of: versions, from: .init(venue: self.venue, revision: number), history: self.history)
        let (manifest, features) = (members, zip(versions, bodies).map { (type: $0.type, body: $1) })
        let bytes = try await offSharedThreads { isCancelled in
            let files = ArchiveWriter.files(of: features, manifest: manifest, fileNames: stored.fileNames)
            return try ArchiveWriter.zip(files, isCancelled: isCancelled)
        }
        return (bytes, leftOut)
    }
}
