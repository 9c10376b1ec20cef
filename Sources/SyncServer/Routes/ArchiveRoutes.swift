import HTTPTypes
import Hummingbird
import IMDF
import IMDFArchive
import NIOCore
import RevisionStore
import SyncModel

/// Revisions as IMDF archives.
struct ArchiveRoutes: Sendable {
    let readModel: ReadModel
    let chunks: ChunkCache
    /// An archive of a large venue takes a hundred megabytes of memory while it is made.
    let exportPermits: FairSemaphore<VenueKey>
    /// Header fields of archives that were made recently, by entity tag, so that `HEAD` need not make an archive again.
    private let recentHeaders = LRUCache<String, HTTPFields>(cost: 10_000)

    init(readModel: ReadModel, chunks: ChunkCache, exportPermits: FairSemaphore<VenueKey>) {
        self.readModel = readModel
        self.chunks = chunks
        self.exportPermits = exportPermits
    }

    func add(to routes: RouteGroups) {
        routes.readers.get("venues/{venue}/revisions/{number}/archive.zip", use: self.archive)
    }

    /// `GET /venues/{venue}/revisions/{number}/archive.zip?strict=`: one file at the root for every standard type. A client that has
    /// the archive already receives 304 before any work is done.
    @Sendable func archive(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let venue = context.venue
        let number = try context.revisionNumber()
        let isStrict = try QueryValues(request).flag("strict")
        let store = self.readModel.reader(of: venue, at: number)
        let entry = try await store.logEntry(number, of: venue)
        let export = ArchiveExport(
            venue: venue, revision: entry.revision, isStrict: isStrict, store: store, chunks: self.chunks,
            generation: context.permission.generation)
        let headers: HTTPFields = [
            .contentType: "application/zip",
            .contentDisposition: "attachment; filename=\"\(venue.key)-\(number).zip\"",
        ]
        var response = Response(status: .ok, headers: headers).cached(immutable, isPublic: venue.settings.public)
            .tagged(export.tag, for: request)
        guard response.status == .ok else { return response }
        if request.method == .head, let recent = self.recentHeaders.value(for: export.tag) {
            for field in recent { response.headers[field.name] = field.value }
            return response
        }
        let (zip, leftOut) = try await self.exportPermits.withPermit(for: venue.key) { try await export.pack() }
        response.headers[StrictSelection.leftOut] = leftOut.map { "\($0)" }
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: zip))
        let kept: [HTTPField.Name] = [.contentLength, StrictSelection.leftOut]
        self.recentHeaders.keep(response.headers.filter { kept.contains($0.name) }, for: export.tag, cost: 1)
        return response
    }
}

/// Makes the archive of a revision.
private struct ArchiveExport: Sendable {
    let venue: VenueRecord
    let revision: Revision
    /// Whether the features are those that a strict decoder accepts, in their strict form.
    let isStrict: Bool
    let store: RevisionStore
    let chunks: ChunkCache
    /// The generation of the read model before the revision was looked up.
    let generation: Int

    /// Identifies the archive before it is made: its bytes depend on these values and on the edition of the writer.
    var tag: String {
        let parts = [
            "\(ArchiveWriter.edition)", "\(self.venue.key)", "\(self.venue.epoch)", "\(self.revision.number)",
            self.revision.digest.hex, Timestamp.text(of: self.revision.publishedAt),
            self.isStrict ? "strict \(StrictProfile.edition)" : "",
        ]
        return String(Digest(of: parts.joined(separator: " ").utf8).hex.prefix(32))
    }

    /// - Returns: The archive, and how many features were left out of a strict one.
    func pack() async throws -> (bytes: [UInt8], leftOut: Int?) {
        let number = self.revision.number
        var versions = try await self.store.versions(of: self.venue, at: number)
        let stored = try await self.store.manifest(of: self.venue, at: number)
        var content = stored.content
        var source = ResponseChunk.Source(venue: self.venue, revision: number)
        var leftOut: Int?
        if self.isStrict {
            let selection = try await StrictSelection(of: self.venue, at: number, in: self.store)
            let strict = selection.versions(of: versions)
            (versions, leftOut) = (strict.kept, strict.leftOut)
            source.isStrict = selection.hasRepairs
            // A strict decoder requires a manifest, which the producer may have left out.
            if content == nil { content = Array(#"{"language":"en","version":"1.0.0"}"#.utf8) }
        }
        var members = try content.map { try JSONReader.value(of: $0).object ?? [:] }
        members?["created"] = .string(Timestamp.text(of: self.revision.publishedAt))
        members?["generated_by"] = "VenueSync"
        let bodies = try await self.chunks.bodies(of: versions, from: source, generation: self.generation)
        let (manifest, features) = (members, zip(versions, bodies).map { (type: $0.type, body: $1) })
        let bytes = try await offSharedThreads { isCancelled in
            let files = ArchiveWriter.files(of: features, manifest: manifest, fileNames: stored.fileNames)
            return try ArchiveWriter.zip(files, isCancelled: isCancelled)
        }
        return (bytes, leftOut)
    }
}
