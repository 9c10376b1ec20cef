import HTTPTypes
import Hummingbird
import IMDF
import OGCFeatures
import RevisionPlanning
import RevisionStore
import SyncModel

/// Editing features by OGC API – Features, Part 4. The same edits as those of ``EditRoutes``, of the columns that clients see.
struct OGCEditRoutes: Sendable {
    let runner: EditRunner
    let readModel: ReadModel
    let authorizer: Authorizer
    let links: LinkOrigin

    private static let items: RouterPath = "ogc/{venue}/collections/{type}/items"
    private static let item: RouterPath = "ogc/{venue}/collections/{type}/items/{id}"

    func add(to routes: RouteGroups) {
        routes.publishers.post(Self.items, use: self.create)
        routes.publishers.put(Self.item, use: self.replace)
        routes.publishers.patch(Self.item, use: self.update)
        routes.publishers.delete(Self.item, use: self.delete)
        routes.readers.on(Self.items, method: .options, use: self.itemsOptions)
        routes.readers.on(Self.item, method: .options, use: self.itemOptions)
    }

    // MARK: - Methods

    /// `POST /ogc/{venue}/collections/{type}/items?message=&until=&base=&dry_run=&force=` `application/geo+json`: adds a feature. A
    /// feature that is sent without an id receives one.
    @Sendable func create(_ request: Request, _ context: PublisherContext) async throws -> Response {
        let target = try await OGCEditTarget(request, context, links: self.links, readModel: self.readModel)
        let sent = try await self.feature(of: request, target)
        do {
            let feature = try target.columns.feature(sent, id: .random())
            // An invalid id is refused with the edit.
            let id = feature["id"]?.string.flatMap { FeatureID($0) }
            return try await self.run(.add(.object(feature)), id, target, request, context, published: .created)
        } catch let error as InvalidColumn {
            return try EditProblem.response(to: RefusedEdit(error))
        }
    }

    /// `PUT …/items/{id}`: replaces a feature. What the new one does not have is removed.
    @Sendable func replace(_ request: Request, _ context: PublisherContext) async throws -> Response {
        try await self.change(request, context) { try $0.replacement($1, of: $2, on: $3) }
    }

    /// `PATCH …/items/{id}` `application/merge-patch+json`: changes a feature.
    @Sendable func update(_ request: Request, _ context: PublisherContext) async throws -> Response {
        try await self.change(request, context) { try $0.patch($1, of: $2, on: $3) }
    }

    /// Makes the merge patch of a stored feature from what was sent.
    private typealias Change =
        @Sendable (
            _ columns: ColumnPatch, _ sent: JSONObject, _ feature: JSONObject, _ level: FeatureID?
        ) throws -> JSONObject

    private func change(
        _ request: Request, _ context: PublisherContext, _ change: @escaping Change
    ) async throws -> Response {
        let target = try await OGCEditTarget(request, context, links: self.links, readModel: self.readModel)
        let id = try await target.feature(of: context)
        let sent = try await self.feature(of: request, target)
        let columns = target.columns
        let operation = EditRequest.Operation.Kind.change(id) { feature, level in
            do {
                return try change(columns, sent, feature, level)
            } catch let error as InvalidColumn {
                throw RefusedEdit(error)
            }
        }
        return try await self.run(operation, id, target, request, context, published: .ok)
    }

    /// `DELETE …/items/{id}?dependents=`: hides a feature. With `dependents=hide`, also those that refer to it.
    @Sendable func delete(_ request: Request, _ context: PublisherContext) async throws -> Response {
        let target = try await OGCEditTarget(
            request, context, links: self.links, readModel: self.readModel, parameters: ["dependents"])
        let id = try await target.feature(of: context)
        let dependents = try QueryValues(request).text("dependents")
        guard dependents == nil || dependents == "hide" else {
            throw Problem.parameter("dependents", "It must be hide.")
        }
        return try await self.run(
            .hide(id, withDependents: dependents != nil), nil, target, request, context, published: .ok)
    }

    /// The object that was sent, with longitudes and latitudes whatever the coordinate reference system.
    private func feature(of request: Request, _ target: OGCEditTarget) async throws -> JSONObject {
        guard var feature = try await request.jsonValue().object else { throw Problem.body("an object is expected") }
        if let geometry = feature["geometry"] { feature["geometry"] = .some(target.crs.geographic(geometry)) }
        return feature
    }

    /// - Parameters:
    ///   - id: Of the feature that remains; nil if none does.
    ///   - published: The status for a new revision.
    private func run(
        _ operation: EditRequest.Operation.Kind, _ id: FeatureID?, _ target: OGCEditTarget, _ request: Request,
        _ context: PublisherContext, published: HTTPResponse.Status
    ) async throws -> Response {
        var edit = target.edit
        edit.operations = [.init(operation, path: "")]
        edit.tags = request.expectedItemTags
        return try await self.runner.run(edit, request, context) { result in
            var response = try Response.json(result, status: result.isPublished ? published : .ok)
                .cached("no-store", isPublic: false).varying(by: .acceptLanguage)
            guard let id, let revision = result.revision else { return response }
            let path = ["collections", target.type.rawValue, "items", id.description]
            if result.isPublished, published == .created {
                response.headers[.location] = target.address.address(path, query: [])
            }
            // It is published, even if the feature cannot be read any more.
            if let record = try? await self.readModel.store.feature(id, of: context.venue, at: revision) {
                let tag = OGCRequest.tag(
                    of: record, language: target.language, address: target.address.address(path, query: []),
                    isHTML: false)
                response.headers[.eTag] = "\"\(tag)\""
            }
            return response
        }
    }

    // MARK: - Options

    /// `OPTIONS …/items`: what the key may do.
    @Sendable func itemsOptions(_ request: Request, _ context: ReaderContext) async throws -> Response {
        _ = try context.collectionType()
        return await self.options(["POST"], ["Accept-Post": "application/geo+json"], request, context)
    }

    /// `OPTIONS …/items/{id}`
    @Sendable func itemOptions(_ request: Request, _ context: ReaderContext) async throws -> Response {
        _ = (try context.collectionType(), try context.featureID())
        return await self.options(
            ["DELETE", "PATCH", "PUT"], ["Accept-Patch": "application/merge-patch+json"], request, context)
    }

    private func options(
        _ methods: [String], _ accepted: [String: String], _ request: Request, _ context: ReaderContext
    ) async -> Response {
        let mayEdit = (try? await self.authorizer.writer(request, context.parent, .publish)) != nil
        var response = Response(status: .ok).cached("no-store", isPublic: false)
        response.headers[.allow] = (["GET", "HEAD", "OPTIONS"] + (mayEdit ? methods : [])).sorted().joined(
            separator: ", ")
        for (name, value) in accepted where mayEdit {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        return response
    }
}

/// The collection that an edit changes, and the parameters of the request.
private struct OGCEditTarget: Sendable {
    let type: FeatureType
    /// With the parameters of the request, without operations.
    let edit: EditRequest
    let address: ServiceAddress
    /// That of the geometry in the request.
    let crs: CoordinateSystem
    /// Of the venue.
    let language: String?
    private let readModel: ReadModel

    var columns: ColumnPatch { ColumnPatch(type: self.type, language: self.language) }

    /// - Parameter parameters: Names of parameters besides those that all edits have. Others are refused.
    init(
        _ request: Request, _ context: PublisherContext, links: LinkOrigin, readModel: ReadModel,
        parameters: [String] = []
    ) async throws {
        let venue = context.venue
        guard venue.head > 0 else { throw Problem.venueNotFound }
        self.type = try context.collectionType()
        let query = QueryValues(request)
        try query.refuseUnknown(except: QueryValues.ofEdits + parameters)
        try query.refuseEmptyValues()
        self.edit = EditRequest(
            [], message: try query.storedText("message"), base: try query.number("base", in: 1...Int64.max),
            until: try query.until(), isDryRun: try query.flag("dry_run"), isForced: try query.flag("force"))
        self.address = ServiceAddress(
            origin: links.origin(of: request), venue: "\(venue.key)", revision: nil)
        let name = request.headers[.contentCRS].map { $0.replacing("<", with: "").replacing(">", with: "") }
        guard let crs = name.map({ CoordinateSystem(uri: $0) }) ?? .crs84 else {
            throw Problem.body("“Content-Crs” must name a coordinate reference system of the collection")
        }
        self.crs = crs
        self.language = try await readModel.revisions.revision(venue.head, of: venue).about.language
        self.readModel = readModel
    }

    /// The id of the path, which must be that of a feature of the collection.
    func feature(of context: PublisherContext) async throws -> FeatureID {
        let id = try context.featureID()
        let type = try await self.readModel.store.withHead(of: context.venue) { venue in
            try await self.readModel.store.feature(id, of: venue, at: venue.head).type
        }
        guard type == self.type else { throw StoreError.unknownFeature }
        return id
    }
}

extension RefusedEdit {
    fileprivate init(_ error: InvalidColumn) {
        self.init(.invalid, at: error.pointer, error.detail)
    }
}

extension Request {
    /// The entity tags of `If-Match` without what they say of the representation: see ``OGCRequest/tag(of:language:address:isHTML:)``.
    fileprivate var expectedItemTags: [String]? {
        self.expectedTags?.map { tag in String(tag.prefix { $0 != "-" }) }
    }
}
