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
    let authorizer: Authorizer

    func add(to router: Router<VenueContext>) {
        router.get("venues/{venue}/revisions/{number}/features", use: self.collection)
        router.get("venues/{venue}/features/{id}", use: self.show)
        router.get("venues/{venue}/features/{id}/history", use: self.history)
    }

    /// `GET /venues/{venue}/revisions/{number}/features?level=&type=&spanning=&strict=&has_geometry=&epoch=`: a FeatureCollection.
    /// With an epoch only of that history: what a shared cache keeps under the address is never another one's.
    @Sendable func collection(_ request: Request, _ context: VenueContext) async throws -> Response {
        // From before anything is known of the venue: what is answered is kept under it.
        let history = self.live.node.histories
        var (venue, _) = try await self.authorizer.readable(request, context)
        let query = QueryValues(request)
        if let epoch = try query.epoch(), epoch.epoch != venue.epoch {
            // Another node may have heard of it before this one.
            try await self.live.node.refresh()
            venue = try await self.authorizer.readable(request, context).venue
            guard epoch.epoch == venue.epoch else { throw StoreError.historyLost }
        }
        let number = try context.revisionNumber()
        let revision = try await self.live.node.revisions(of: venue, at: number).revision(number, of: venue)
        let filter = revision.filter(
            levels: try query.levels(), spanning: try query.flag("spanning"), types: try Self.types(query))
        let (isStrict, withGeometry) = (try query.flag("strict"), try query.flag("has_geometry"))
        // Whoever has the answer already is told so before it is worked out.
        let known = Response(status: .ok).tagged(revision.tag, for: request)
        guard known.status == .ok else { return known.cached(immutable, isPublic: venue.settings.public) }
        let response: Response
        if withGeometry {
            let selection = CollectionSelection(
                venue: venue, revision: revision.number, filter: filter, isStrict: isStrict, node: self.live.node)
            let (versions, headers) = try await self.limited(isStrict, venue) { try await selection.versions() }
            let body = LocatedFeatures(
                node: self.live.node, venue: venue, revision: revision.number, versions: versions)
            response = Response(status: .ok, headers: headers, body: body.responseBody)
                .tagged(revision.tag, for: request)
        } else {
            response = try await self.limited(isStrict, venue) { [venue] in
                try await self.live.collections.reply(
                    of: revision, of: venue, where: filter, isStrict: isStrict, of: history, from: self.live.node)
            }.response(for: request)
        }
        return try await response.cached(immutable, isPublic: venue.settings.public).measured(for: request)
    }

    /// A strict selection reads the whole revision, so only a few are worked out at once.
    private func limited<Answer: Sendable>(
        _ isStrict: Bool, _ venue: VenueRecord, _ work: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        guard isStrict else { return try await work() }
        return try await self.live.comparisons.withPermit(for: venue.key) { try await work() }
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
        let (venue, _) = try await self.authorizer.readable(request, context)
        let id = try context.featureID()
        let feature = try await self.live.node.store.withHead(of: venue) { venue in
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

    /// `GET /venues/{venue}/features/{id}/history?limit=&before=`: every version with who made it and why; the newest first.
    @Sendable func history(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.authorizer.readable(request, context)
        let id = try context.featureID()
        let query = QueryValues(request)
        let limit = try query.limit(default: 100, most: 1_000)
        let before = try query.number("before", in: 1...Int64.max)
        let store = self.live.node.reader(of: venue)
        let (stored, (spans, hasPredecessor)) = try await self.find(id, in: venue) {
            try await store.history(of: $0, in: venue, before: before, limit: limit)
        }
        var page = JSONPage()
        var last: Int64?
        var isLast = !hasPredecessor
        for (index, span) in (hasPredecessor ? spans.dropLast() : spans[...]).enumerated() {
            let previous = index + 1 < spans.count ? spans[index + 1] : nil
            guard try page.append(HistoryEntry(span, after: previous)) else {
                isLast = false
                break
            }
            last = span.from
        }
        let path = "/venues/\(venue.key)/features/\(stored)/history"
        let next =
            isLast ? nil : last.map { request.address(with: ["before": "\($0)", "limit": "\(limit)"], at: path) }
        return try page.response("versions", beside: NextPage(next: next))
            .cached("no-cache", isPublic: venue.settings.public).located(stored == id ? nil : path)
    }
}

extension HistoryEntry {
    /// - Parameter previous: The version before, or one that ended earlier: then the feature was not there in between.
    fileprivate init(_ span: RevisionStore.HistoryEntry, after previous: RevisionStore.HistoryEntry?) throws {
        let body = try JSONReader.value(of: span.body)
        var classes: ChangeClasses = []
        if let previous, previous.end == span.from {
            // Ids stand for features wherever they stand, so an array of them is a set.
            classes = Equivalence { _ in true }.classes(from: try JSONReader.value(of: previous.body), to: body)
            if previous.level != span.level { classes.insert(.level) }
        }
        self.init(
            from: span.from, to: span.end.map { $0 - 1 }, level: span.level, author: span.author,
            message: span.message, publishedAt: span.publishedAt, classes: classes.names, body: body)
    }
}

extension VenueContext {
    /// The feature that the path names, in either case.
    func featureID() throws -> FeatureID {
        guard let id = self.parameters.get("id").flatMap(FeatureID.init) else { throw StoreError.unknownFeature }
        return id
    }
}

extension RevisionRecord {
    /// Of what is made of it alone.
    var tag: String { "\(self.digest.hex.prefix(32))" }
}

/// A FeatureCollection of what has a geometry, which only the bodies tell. It is read as it is sent: between two batches no
/// connection is held, so a slow reader holds up nobody.
private struct LocatedFeatures: Sendable {
    let node: Node
    let venue: VenueRecord
    let revision: Int64
    let versions: [VersionSummary]

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
                for body in bodies where try JSONReader.value(of: body)["geometry"] != .null {
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
