import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import NIOCore
import OGCFeatures
import RevisionStore
import SyncModel

/// Venues as services by OGC API – Features, for programs for geographic data.
struct OGCRoutes: Sendable {
    let tables: FeatureTableService
    let readModel: ReadModel
    let links: LinkOrigin
    let featurePermits: FairSemaphore<VenueKey>

    /// The maximum size of the features of a page; one feature is always sent.
    static let pageBytes = 8 << 20
    /// The most features on a page for people.
    static let htmlLimit = 1_000

    func add(to routes: RouteGroups) {
        routes.readers.get("ogc/{venue}", use: self.landingPage)
        routes.readers.get("ogc/{venue}/api", use: self.api)
        routes.readers.get("ogc/{venue}/conformance", use: self.conformance)
        routes.readers.get("ogc/{venue}/collections", use: self.collections)
        routes.readers.get("ogc/{venue}/collections/{type}", use: self.collection)
        routes.readers.get("ogc/{venue}/collections/{type}/items", use: self.items)
        routes.readers.get("ogc/{venue}/collections/{type}/items/{id}", use: self.item)
    }

    // MARK: - Documents

    /// `GET /ogc/{venue}?revision=&f=`
    @Sendable func landingPage(_ request: Request, _ context: ReaderContext) async throws -> Response {
        try await self.document("Venue \(context.venue.key)", request, context) { documents, _, _ in
            documents.landingPage
        }
    }

    /// `GET /ogc/{venue}/api`: the OpenAPI document of the service.
    @Sendable func api(_ request: Request, _ context: ReaderContext) async throws -> Response {
        try await self.document("API", request, context, type: APIDocument.contentType) { documents, _, _ in
            documents.api
        }
    }

    /// `GET /ogc/{venue}/conformance`
    @Sendable func conformance(_ request: Request, _ context: ReaderContext) async throws -> Response {
        try await self.document("Conformance classes", request, context) { documents, _, _ in documents.conformance }
    }

    /// `GET /ogc/{venue}/collections?revision=&f=`
    @Sendable func collections(_ request: Request, _ context: ReaderContext) async throws -> Response {
        try await self.document("Collections", request, context) { documents, revision, first in
            documents.collections(of: try await self.tables(of: revision, context), since: first.publishedAt)
        }
    }

    /// `GET /ogc/{venue}/collections/{type}?revision=&f=`
    @Sendable func collection(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let type = try context.collectionType()
        return try await self.document(type.rawValue, request, context) { documents, revision, first in
            let tables = try await self.tables(of: revision, context)
            guard let collection = tables.collection(of: type) else { throw Problem.collectionNotFound }
            return documents.collection(collection, since: first.publishedAt)
        }
    }

    /// A document about a revision. The oldest revision is a part of it, so it may change although it names a revision.
    private func document(
        _ title: String, _ request: Request, _ context: ReaderContext, type: String = Link.json,
        _ value: (ServiceDocuments, RevisionRecord, _ first: RevisionRecord) async throws -> JSONValue
    ) async throws -> Response {
        let ogc = try OGCRequest(request, context, links: self.links)
        let venue = context.venue
        let revision = try await self.revision(ogc.revision ?? venue.head, of: venue)
        let tag = ogc.tag(revision, "\(venue.first)")
        let response = ogc.response(type: type, tag: tag)
        guard response.status == .ok else { return response }
        let first = try await self.revision(venue.first, of: venue)
        let documents = ServiceDocuments(
            address: ogc.address, revision: revision.number, publishedAt: revision.publishedAt, isHTML: ogc.isHTML)
        let bytes = ogc.bytes(try await value(documents, revision, first), title: title)
        return ogc.response(type: type, tag: tag, body: try .held(ByteBuffer(bytes: bytes)))
    }

    private func revision(_ number: Int64, of venue: VenueRecord) async throws -> RevisionRecord {
        try await self.readModel.revisions(of: venue, at: number).revision(number, of: venue)
    }

    private func tables(of revision: RevisionRecord, _ context: ReaderContext) async throws -> RevisionTables {
        try await self.tables.tables(of: context.venue, at: revision, generation: context.permission.generation)
    }

    // MARK: - Features

    private static let itemsParameters: Set = [
        "bbox", "bbox-crs", "category", "crs", "datetime", "level", "limit", "offset",
    ]

    /// `GET /ogc/{venue}/collections/{type}/items?bbox=&datetime=&level=&category=&limit=&offset=&crs=&revision=&f=`
    @Sendable func items(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let ogc = try OGCRequest(request, context, links: self.links, parameters: Self.itemsParameters)
        let type = try context.collectionType()
        let query = try ogc.items()
        let revision = try await self.revision(for: ogc, query)
        let filter = ItemsFilter(
            boxes: query.boxes, levels: try ogc.levels(in: revision), category: try ogc.category())
        let tag = ogc.tag(revision)
        let path = ["collections", type.rawValue, "items"]
        var headers =
            revision.map { revision in
                ResourceVersions(
                    address: ogc.address, path: path, query: ogc.parameters, venue: ogc.venue, revision: revision
                ).headers(isPinned: ogc.revision != nil)
            } ?? [:]
        headers[.contentCRS] = "<\(query.crs.rawValue)>"
        func response(_ body: ResponseBody = .init()) -> Response {
            ogc.response(type: Link.geoJSON, headers: headers, tag: tag, body: body)
        }
        let unchanged = response()
        guard unchanged.status == .ok else { return unchanged }
        // Before the first revision the venue had no features.
        let tables = if let revision { try await self.tables(of: revision, context) } else { RevisionTables([]) }
        guard let collection = tables.collection(of: type) else { throw Problem.collectionNotFound }
        let limit = ogc.isHTML ? min(query.limit, Self.htmlLimit) : query.limit
        let page = tables.page(
            of: collection, where: filter, offset: query.offset, limit: limit, bytes: Self.pageBytes)
        let links = PageLinks(address: ogc.address, type: type, isHTML: ogc.isHTML)
        let items = ItemsBody(
            readModel: self.readModel, venue: context.venue, revision: revision?.number ?? 0, page: page,
            writer: FeatureWriter(
                type: type, columns: collection.columns, language: revision?.about.language, crs: query.crs),
            links: links.links(
                of: page, query: ogc.parameters, limit: limit, revision: revision?.number ?? context.venue.head),
            permits: self.featurePermits, connection: context.parent.connection)
        let body = ogc.isHTML ? try await items.html(title: type.rawValue, links) : items.json
        return try await response(body).measured(for: request)
    }

    /// The revision of a request: the named one, or the newest one at the end of `datetime`. Nil for a time before the first one.
    private func revision(for ogc: OGCRequest, _ query: ItemsQuery) async throws -> RevisionRecord? {
        let venue = ogc.venue
        var number = ogc.revision ?? venue.head
        if ogc.revision == nil, let end = query.datetime?.end {
            let store = self.readModel.reader(of: venue, at: venue.head)
            guard let published = try await store.revisionNumber(publishedBy: end, of: venue) else {
                guard venue.first == 1 else { throw StoreError.revisionPruned(venue.first - 1, first: venue.first) }
                return nil
            }
            number = published
        }
        return try await self.revision(number, of: venue)
    }

    /// `GET /ogc/{venue}/collections/{type}/items/{id}?crs=&revision=&f=`
    @Sendable func item(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let ogc = try OGCRequest(request, context, links: self.links, parameters: ["crs"])
        let (type, id, venue) = (try context.collectionType(), try context.featureID(), context.venue)
        let crs = try ogc.items().crs
        let revision = try await self.revision(ogc.revision ?? venue.head, of: venue)
        let path = ["collections", type.rawValue, "items", id.description]
        var headers = ResourceVersions(
            address: ogc.address, path: path, query: ogc.parameters, venue: venue, revision: revision
        ).headers(isPinned: ogc.revision != nil)
        headers[.contentCRS] = "<\(crs.rawValue)>"
        // A feature may have 32 MiB.
        return try await self.featurePermits.withPermit(for: venue.key) {
            let record = try await self.readModel.reader(of: venue, at: revision.number)
                .feature(id, of: venue, at: revision.number)
            guard record.type == type else { throw StoreError.unknownFeature }
            let tag = OGCRequest.tag(
                of: record, language: revision.about.language,
                address: ogc.address.address(path, query: ogc.parameters), isHTML: ogc.isHTML)
            let unchanged = ogc.response(type: Link.geoJSON, headers: headers, tag: tag)
            guard unchanged.status == .ok else { return unchanged }
            let writer = FeatureWriter(type: type, columns: [], language: revision.about.language, crs: crs)
            let links = PageLinks(address: ogc.address, type: type, isHTML: ogc.isHTML)
            let bytes = try await offSharedThreads { _ in
                var feature = try writer.feature(id, on: record.level, body: record.body)
                feature["links"] = .array(links.links(of: id, query: ogc.parameters))
                return ogc.bytes(.object(feature), title: "\(type.rawValue) \(id)")
            }
            return ogc.response(
                type: Link.geoJSON, headers: headers, tag: tag, body: try .held(ByteBuffer(bytes: bytes)))
        }
    }
}

extension AuthorizedContext {
    /// The feature type that the path names.
    func collectionType() throws -> FeatureType {
        guard let name = self.parameters.get("type")?.removingPercentEncoding, !name.isEmpty, !name.utf8.contains(0)
        else { throw Problem.collectionNotFound }
        return FeatureType(rawValue: name)
    }
}
