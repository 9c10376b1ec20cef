import FloorTiles
import HTTPTypes
import Hummingbird
import IMDF
import NIOCore
import RevisionStore
import SyncModel

/// All tiles of a floor of a numbered revision in one file, for offline use and for readers with range requests.
struct TileArchiveRoutes: Sendable {
    let tiles: TileService
    let readModel: ReadModel

    func add(to routes: RouteGroups) {
        routes.tileReaders.get("venues/{venue}/revisions/{number}/tiles/{floor}.pmtiles", use: self.archive)
    }

    /// `GET /venues/{venue}/revisions/{number}/tiles/{floor}.pmtiles?format=&lang=&theme=`, also a part of it (`Range`).
    @Sendable func archive(_ request: Request, _ context: ReaderContext) async throws -> Response {
        guard let floor = context.parameters.get("floor").flatMap({ TileFloor($0) }) else {
            throw Problem.tileNotFound("A floor is an ordinal or the id of a level.")
        }
        let values = QueryValues(request)
        let variant = try values.tileVariant(try values.tileFormat())
        let revision = try await context.revision(by: self.readModel)
        let levels = try await self.tiles.levels.prepared(
            try floor.levels(in: revision), of: context.venue, at: revision, generation: context.permission.generation)
        let edition = try await self.tiles.edition(of: context.venue)
        let tag = self.tiles.archiveTag(of: levels, variant, edition: edition)
        let response = Response(
            status: .ok, headers: [.contentType: "application/vnd.pmtiles", .acceptRanges: "bytes"]
        ).cached(try await context.tileCaching(request, by: self.tiles), isPublic: context.isPublic)
            .taggedStrongly(tag, for: request)
        guard response.status == .ok else { return response }
        let archive = try await self.tiles.archive(
            of: levels, variant, edition: edition, name: "\(context.venue.key)", for: context.venue.key)
        return try response.part(of: archive, tag, for: request)
    }
}

extension Response {
    /// The part of a body that a request asks for with `Range`, or all of it. Several parts in one request are not supported: the
    /// response is then the whole body (RFC 9110 §14.2).
    func part(of body: ByteBuffer, _ tag: String, for request: Request) throws -> Response {
        var response = self
        let length = body.readableBytes
        let isOfThisTag = request.headers[.ifRange].map { $0 == "\"\(tag)\"" } ?? true
        // A range means nothing for HEAD.
        guard isOfThisTag, request.method == .get,
            let range = request.headers[.range].flatMap({ ByteRange($0, length: length) })
        else {
            response.body = try .held(body)
            return response
        }
        switch range {
        case .part(let part):
            response.status = .partialContent
            response.headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound)/\(length)"
            response.body = try .held(body, Range(part))
        case .unsatisfiable:
            response = Response(status: .rangeNotSatisfiable, headers: [.contentRange: "bytes */\(length)"])
        }
        return response
    }
}

/// A field `Range` with one range of bytes.
enum ByteRange: Hashable {
    case part(ClosedRange<Int>)
    case unsatisfiable

    /// Nil if the field is to be ignored.
    init?(_ field: String, length: Int) {
        guard field.prefix(6).lowercased() == "bytes=" else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, !field.contains(",") else { return nil }
        func number(_ text: Substring) -> Int? {
            guard !text.isEmpty, text.allSatisfy(\.isASCIIDigit) else { return nil }
            return Int(text) ?? .max
        }
        if ends[0].isEmpty {
            guard let count = number(ends[1]) else { return nil }
            self = count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)...(length - 1))
            return
        }
        guard let first = number(ends[0]), let last = ends[1].isEmpty ? Int.max : number(ends[1]), last >= first else {
            return nil
        }
        self = first >= length ? .unsatisfiable : .part(first...min(last, length - 1))
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
