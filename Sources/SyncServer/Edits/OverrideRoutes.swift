import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import NIOCore
import RevisionPlanning
import RevisionStore
import SyncModel

/// The overrides of a venue: what edits changed, and what the source says about it.
struct OverrideRoutes: Sendable {
    let store: RevisionStore
    let runner: EditRunner

    func add(to routes: RouteGroups) {
        routes.publishers.get("venues/{venue}/overrides", use: self.list)
        routes.publishers.get("venues/{venue}/overrides.geojson", use: self.geoJSON)
        routes.publishers.get("venues/{venue}/overrides.csv", use: self.csv)
        routes.publishers.get("venues/{venue}/overrides/{id}", use: self.show)
        routes.publishers.delete("venues/{venue}/overrides/{id}", use: self.remove)
        routes.publishers.post("venues/{venue}/overrides/{id}/resolve", use: self.resolve)
    }

    /// The listing of the newest revision.
    private func read<Result>(
        _ venue: VenueRecord, _ body: (OverrideListing) async throws -> Result
    ) async throws -> Result {
        try await self.store.withHead(of: venue) { try await body(OverrideListing(of: $0, in: self.store)) }
    }

    /// `GET /venues/{venue}/overrides?state=&feature=&limit=&after=`
    @Sendable func list(_ request: Request, _ context: PublisherContext) async throws -> Response {
        let query = QueryValues(request)
        let limit = try query.limit(default: 100, max: 1_000)
        let (state, feature) = (try query.overrideState(), try query.id("feature"))
        let after = try query.id("after")
        let (entries, isLast) = try await self.read(context.venue) {
            try await $0.entries(state: state, feature: feature, after: after, limit: limit)
        }
        var page = JSONPage()
        for entry in entries { guard try page.append(entry) else { break } }
        let next =
            isLast && page.count == entries.count
            ? nil
            : request.address(
                with: ["after": entries[page.count - 1].id.description, "limit": "\(limit)"],
                at: "/venues/\(context.venue.key)/overrides")
        return try page.response("overrides", beside: NextPage(next: next)).cached("no-store", isPublic: false)
    }

    /// `GET /venues/{venue}/overrides/{id}`
    @Sendable func show(_ request: Request, _ context: PublisherContext) async throws -> Response {
        let id = try context.overrideID()
        guard let entry = try await self.read(context.venue, { try await $0.entry(id) }) else {
            throw Problem.overrideNotFound
        }
        var response = try Response.json(entry).cached("no-store", isPublic: false)
        response.headers[.eTag] = "W/\"\(try entry.tag)\""
        return response
    }

    /// `DELETE /venues/{venue}/overrides/{id}?message=&base=`: goes back to what the source says. With `If-Match`, only if the override
    /// is as it was seen.
    @Sendable func remove(_ request: Request, _ context: PublisherContext) async throws -> Response {
        let query = QueryValues(request)
        try query.refuseUnknown(except: ["message", "base"])
        let edit = EditRequest(
            [.init(.resolve(try context.overrideID(), .end), path: "")], message: try query.storedText("message"),
            base: try query.number("base", in: 1...Int64.max), tags: request.expectedTags)
        return try await self.runner.run(edit, request, context)
    }

    private struct ResolveBody: Decodable {
        let take: String?
        let message: String?
        let base: Int64?
    }

    /// `POST /venues/{venue}/overrides/{id}/resolve` `{"take": "mine"|"source", "message", "base"}`: settles a contested override. With
    /// `If-Match`, only if the source says what was seen.
    @Sendable func resolve(_ request: Request, _ context: PublisherContext) async throws -> Response {
        try QueryValues(request).refuseUnknown(except: [])
        let body = try await request.json(ResolveBody.self, members: ["take", "message", "base"])
        let resolution: EditRequest.Resolution
        switch body.take {
        case "mine": resolution = .mine
        case "source": resolution = .source
        default: throw Problem.body("“take” must be mine or source")
        }
        let edit = EditRequest(
            [.init(.resolve(try context.overrideID(), resolution), path: "")],
            message: try body.message.map { try QueryValues.checked($0, "message") }, base: body.base,
            tags: request.expectedTags)
        return try await self.runner.run(edit, request, context)
    }

    // MARK: - Exports

    /// The number of overrides that are read at a time.
    private static let batch = 500

    /// `GET /venues/{venue}/overrides.geojson?state=`: a FeatureCollection with a feature for every override, at the geometry of its
    /// feature.
    @Sendable func geoJSON(_ request: Request, _ context: PublisherContext) async throws -> Response {
        let state = try QueryValues(request).overrideState()
        return self.export(
            context, type: "application/geo+json", state: state, head: #"{"type":"FeatureCollection","features":["#,
            tail: "\n]}\n"
        ) { listing, entries, isFirst in
            var text: [UInt8] = []
            let geometries = try await listing.geometries(of: entries)
            for (index, geometry) in geometries.enumerated() {
                var feature = try JSONObjectWriter(["id": entries[index].id.description, "type": "Feature"])
                feature.add("geometry", encoded: CanonicalJSON.data(geometry))
                feature.add("properties", encoded: Array(try WireJSON.data(entries[index])))
                text += (isFirst && index == 0 ? "\n" : ",\n").utf8
                text += feature.finish()
            }
            return (text, geometries.count)
        }
    }

    /// `GET /venues/{venue}/overrides.csv?state=` (RFC 4180)
    @Sendable func csv(_ request: Request, _ context: PublisherContext) async throws -> Response {
        let state = try QueryValues(request).overrideState()
        return self.export(
            context, type: "text/csv; charset=utf-8", state: state, head: OverrideTable.header, tail: ""
        ) { _, entries, _ in
            (entries.flatMap { Array(OverrideTable.line(of: $0).utf8) }, entries.count)
        }
    }

    /// - Parameter text: The text of the first ones of some overrides, and their number.
    private func export(
        _ context: PublisherContext, type: String, state: OverrideEntry.State?, head: String, tail: String,
        _ text:
            @escaping @Sendable (OverrideListing, [OverrideEntry], _ isFirst: Bool) async throws -> ([UInt8], Int)
    ) -> Response {
        let venue = context.venue
        let body = ResponseBody.streamed { writer in
            try await writer.write(ByteBuffer(string: head))
            var last: FeatureID?
            while true {
                let after = last
                let (part, written, isLast) = try await self.read(venue) { listing in
                    let (entries, isLast) = try await listing.entries(state: state, after: after, limit: Self.batch)
                    guard !entries.isEmpty else { return ([UInt8](), after, true) }
                    let (part, count) = try await text(listing, entries, after == nil)
                    return (part, entries[count - 1].id, isLast && count == entries.count)
                }
                if !part.isEmpty { try await writer.write(ByteBuffer(bytes: part)) }
                if isLast { break }
                last = written
            }
            try await writer.write(ByteBuffer(string: tail))
        }
        return Response(status: .ok, headers: [.contentType: type], body: body).cached("no-store", isPublic: false)
    }
}

extension PublisherContext {
    /// The override id of the path.
    fileprivate func overrideID() throws -> FeatureID {
        guard let id = self.parameters.get("id").flatMap(FeatureID.init) else { throw Problem.overrideNotFound }
        return id
    }
}

extension QueryValues {
    fileprivate func overrideState() throws -> OverrideEntry.State? {
        try self.text("state").map { text in
            guard let state = OverrideEntry.State(rawValue: text) else {
                let states = OverrideEntry.State.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.parameter("state", "It must be one of \(states).")
            }
            return state
        }
    }

    fileprivate func id(_ name: String) throws -> FeatureID? {
        try self.text(name).map { text in
            guard let id = FeatureID(text) else { throw Problem.parameter(name, "It must be a UUID.") }
            return id
        }
    }
}
