import HTTPTypes
import Hummingbird
import IMDF
import IMDFArchive
import RevisionStore
import SyncModel

/// Revisions as IMDF archives.
struct ArchiveRoutes {
    let live: Live
    let gate: Gate
    /// An archive of a large venue takes a hundred megabytes while it is being made.
    private let turnstile = Turnstile(width: 2)

    init(live: Live, gate: Gate) {
        self.live = live
        self.gate = gate
    }

    func add(to router: Router<VenueContext>) {
        router.get("venues/{venue}/revisions/{number}/archive.zip", use: self.archive)
    }

    /// `GET /venues/{venue}/revisions/{number}/archive.zip?strict=`: files at the root, one for every standard type.
    @Sendable func archive(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.gate.readable(request, context)
        let number = try context.revisionNumber()
        let store = self.live.node.reader(of: venue, at: number)
        let entry = try await store.logEntry(number, of: venue)
        var versions = try await store.versions(of: venue, at: number)
        var (content, fileNames) = try await store.manifest(of: venue, at: number)
        var headers: HTTPFields = [.contentType: "application/zip"]
        let isStrict = try QueryValues(request).flag("strict")
        if isStrict {
            let selection = try await StrictSelection(of: venue, at: number, in: store)
            let all = versions.count
            versions.removeAll { !selection.keeps($0.feature) }
            headers[StrictSelection.leftOut] = "\(all - versions.count)"
            // A strict decoder wants a manifest even where the producer gave none.
            if content == nil { content = Array(#"{"language":"en","version":"1.0.0"}"#.utf8) }
        }
        headers[.contentDisposition] = "attachment; filename=\"\(venue.key)-\(number).zip\""
        var manifest = try content.map { try JSONReader.value(of: $0).object ?? [:] }
        manifest?["created"] = .string(Timestamp.text(of: entry.revision.publishedAt))
        manifest?["generated_by"] = "VenueSync"
        let packed = try await self.turnstile.pass {
            var features: [(type: FeatureType, body: [UInt8])] = []
            features.reserveCapacity(versions.count)
            for batch in versions.batches(of: 8 << 20) {
                let bodies = try await store.bodies(of: batch, in: venue)
                features += zip(batch, bodies).map { ($0.type, $1) }
            }
            return try ArchiveWriter.zip(
                ArchiveWriter.files(of: features, manifest: manifest, fileNames: fileNames))
        }
        var response = Response.bytes(packed, type: "application/zip")
        response.headers.append(contentsOf: headers.filter { $0.name != .contentType })
        return response.cached(immutable, isPublic: venue.settings.public)
            .tagged("\(entry.revision.digest.hex.prefix(32))", for: request)
    }
}
