import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import IMDFArchive
import IMDFDiff
import NIOCore
import RevisionStore
import SyncModel

/// Features as they are stored: of a whole revision, or one with its history.
struct FeatureRoutes {
    let live: Live
    let gate: Gate

    func add(to router: Router<VenueContext>) {
        router.get("venues/{venue}/revisions/{number}/features", use: self.collection)
        router.get("venues/{venue}/features/{id}", use: self.show)
        router.get("venues/{venue}/features/{id}/history", use: self.history)
    }

    /// `GET /venues/{venue}/revisions/{number}/features?level=&type=&spanning=&strict=&has_geometry=&epoch=`: a FeatureCollection.
    /// With an epoch only of that history: what a shared cache keeps under the address is never another one's.
    @Sendable func collection(_ request: Request, _ context: VenueContext) async throws -> Response {
        var (venue, _) = try await self.gate.readable(request, context)
        let query = QueryValues(request)
        if let epoch = try query.epoch(), epoch.epoch != venue.epoch {
            // Another node may have heard of it before this one.
            try await self.live.node.refresh()
            venue = try await self.gate.readable(request, context).venue
            guard epoch.epoch == venue.epoch else { throw StoreError.historyLost }
        }
        let number = try context.revisionNumber()
        let store = self.live.node.reader(of: venue, at: number)
        let revision = try await store.revision(number, of: venue)
        let filter = revision.filter(
            levels: try query.levels(), spanning: try query.flag("spanning"), types: try Self.types(query))
        let withGeometry = try query.flag("has_geometry")
        var versions = try await store.versions(of: venue, at: revision.number, where: filter)
        var headers: HTTPFields = [.contentType: "application/geo+json"]
        if try query.flag("strict") {
            let selection = try await StrictSelection(of: venue, at: revision.number, in: store)
            let asked = versions.count
            versions.removeAll { !selection.keeps($0.feature) }
            headers[StrictSelection.leftOut] = "\(asked - versions.count)"
        }
        let body = FeatureCollectionBody(
            node: self.live.node, venue: venue, revision: number, versions: versions, withGeometry: withGeometry)
        return try await Response(status: .ok, headers: headers, body: body.responseBody)
            .cached(immutable, isPublic: venue.settings.public)
            .tagged("\(revision.digest.hex.prefix(32))", for: request).measured(for: request)
    }

    private static func types(_ query: QueryValues) throws -> [String] {
        let types = query.all("type")
        guard types.allSatisfy({ !$0.utf8.contains(0) }) else {
            throw Problem.parameter("type", "It takes a feature type.")
        }
        return types
    }

    /// `GET /venues/{venue}/features/{id}`: the body that is current. An id under which a producer sent the feature finds it
    /// too; `Content-Location` then says where it is.
    @Sendable func show(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.gate.readable(request, context)
        let id = try context.featureID()
        let feature = try await self.live.node.store.newest(of: venue) { venue in
            let store = self.live.node.reader(of: venue)
            return try await self.find(id, in: venue) { try await store.feature($0, of: venue, at: venue.head) }
        }
        return Response.bytes(feature.found.body, type: "application/geo+json")
            .cached("no-cache", isPublic: venue.settings.public)
            .tagged("\(Digest(of: feature.found.body).hex.prefix(32))", for: request)
            .located(feature.id == id ? nil : "/venues/\(venue.key)/features/\(feature.id)")
    }

    /// What is found under an id, or else under the one that it stands for. That may have gone, come again under another id and
    /// been recognised: then it stands for another one itself.
    private func find<Found>(
        _ id: FeatureID, in venue: VenueRecord, _ found: (FeatureID) async throws -> Found
    ) async throws -> (id: FeatureID, found: Found) {
        var id = id
        for _ in 0..<RevisionStore.longestAliasChain {
            do {
                return (id, try await found(id))
            } catch StoreError.unknownFeature {
                guard let other = try await self.live.node.reader(of: venue).feature(aliased: id, in: venue) else {
                    break
                }
                id = other
            }
        }
        throw StoreError.unknownFeature
    }

    private struct History: Encodable {
        let versions: [HistoryEntry]
    }

    /// `GET /venues/{venue}/features/{id}/history`: every version with who made it and why; the newest first.
    @Sendable func history(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.gate.readable(request, context)
        let id = try context.featureID()
        let store = self.live.node.reader(of: venue)
        let (stored, spans) = try await self.find(id, in: venue) { try await store.history(of: $0, in: venue) }
        let bodies = try spans.map { try JSONReader.value(of: $0.body) }
        let sameness = Sameness { _ in true }
        let versions = spans.enumerated().map { index, span in
            // The version before, unless the feature was not there in between.
            let before = index + 1 < spans.count && spans[index + 1].end == span.from ? index + 1 : nil
            var classes = before.map { sameness.classes(from: bodies[$0], to: bodies[index]) } ?? []
            if let before, spans[before].level != span.level { classes.insert(.level) }
            return HistoryEntry(
                from: span.from, to: span.end.map { $0 - 1 }, level: span.level, author: span.author,
                message: span.message, publishedAt: span.publishedAt, classes: classes.names, body: bodies[index])
        }
        return try Response.json(History(versions: versions)).cached("no-cache", isPublic: venue.settings.public)
            .located(stored == id ? nil : "/venues/\(venue.key)/features/\(stored)/history")
    }
}

extension VenueContext {
    /// The feature that the path names, in either case.
    func featureID() throws -> FeatureID {
        guard let id = self.parameters.get("id").flatMap(FeatureID.init) else { throw StoreError.unknownFeature }
        return id
    }
}

/// A FeatureCollection that is read as it is sent: between two batches no connection is held, so a slow reader holds up nobody.
struct FeatureCollectionBody: Sendable {
    let node: Node
    let venue: VenueRecord
    let revision: Int64
    let versions: [VersionSummary]
    /// Whether features without a geometry are left out.
    let withGeometry: Bool

    private static let batch = 256 << 10

    var responseBody: ResponseBody {
        .streamed { writer in
            try await writer.write(ByteBuffer(string: "{\"type\":\"FeatureCollection\",\"features\":["))
            var isFirst = true
            for batch in self.versions.batches(of: Self.batch) {
                var text: [UInt8] = []
                let bodies = try await self.node.read(self.venue, at: self.revision) { store in
                    try await store.bodies(of: batch, in: self.venue)
                }
                for body in bodies {
                    if self.withGeometry, try JSONReader.value(of: body)["geometry"] == .null { continue }
                    text += (isFirst ? "\n" : ",\n").utf8
                    text += body
                    isFirst = false
                }
                try await writer.write(ByteBuffer(bytes: text))
            }
            try await writer.write(ByteBuffer(string: "\n]}\n"))
        }
    }
}
