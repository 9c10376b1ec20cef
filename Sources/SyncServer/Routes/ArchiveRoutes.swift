import Caching
import HTTPTypes
import Hummingbird
import IMDF
import IMDFArchive
import NIOCore
import RevisionPlanning
import RevisionStore
import SyncModel

/// Revisions as IMDF archives.
struct ArchiveRoutes: Sendable {
    let readModel: ReadModel
    let authorizer: Authorizer
    let chunks: ChunkCache
    /// An archive of a large venue takes a hundred megabytes of memory while it is made.
    let exportPermits: FairSemaphore<VenueKey>
    /// Header fields of archives that were made recently, by entity tag, so that `HEAD` need not make an archive again.
    private let recentHeaders = LRUCache<String, HTTPFields>(cost: 10_000)

    init(
        readModel: ReadModel, authorizer: Authorizer, chunks: ChunkCache, exportPermits: FairSemaphore<VenueKey>
    ) {
        self.readModel = readModel
        self.authorizer = authorizer
        self.chunks = chunks
        self.exportPermits = exportPermits
    }

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
            venue: venue, revision: entry.revision, isStrict: isStrict, store: store, chunks: self.chunks,
            generation: context.permission.generation)
        if !withOverrides { export.source = try await SourceFeatures(of: venue, at: number, in: store) }
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
    /// What the source said; nil for an archive with overrides.
    var source: SourceFeatures?

    /// Identifies the archive before it is made: its bytes depend on these values and on the edition of the writer.
    var tag: String {
        let parts = [
            "\(ArchiveWriter.edition)", "\(self.venue.key)", "\(self.venue.epoch)", "\(self.revision.number)",
            self.revision.digest.hex, Timestamp.text(of: self.revision.publishedAt),
            self.isStrict ? "strict \(StrictProfile.edition)" : "", self.source.map { "source \($0.number)" } ?? "",
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
        members?["generated_by"] = .string(
            self.source == nil ? ArchiveManifest.generator : ArchiveManifest.sourceGenerator)
        let bodies = try await self.chunks.bodies(of: versions, from: source, generation: self.generation)
        var features = zip(versions, bodies).map { (id: $0.feature, type: $0.type, body: $1) }
        if let source = self.source { features = try source.replaced(features) }
        let (manifest, exported) = (members, features.map { (type: $0.type, body: $0.body) })
        let bytes = try await offSharedThreads { isCancelled in
            let files = ArchiveWriter.files(of: exported, manifest: manifest, fileNames: stored.fileNames)
            return try ArchiveWriter.zip(files, isCancelled: isCancelled)
        }
        return (bytes, leftOut)
    }
}
