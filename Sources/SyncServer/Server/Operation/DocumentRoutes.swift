import COpenAPI
import Hummingbird
import IMDF
import SyncModel

/// The description of the API.
struct DocumentRoutes: Sendable {
    func add(to routes: RouteGroups) {
        routes.open.get("openapi.yaml", use: self.document)
    }

    /// The OpenAPI document, which is compiled in, with the version of this release.
    private static let text: [UInt8] = {
        let file = openapi_yaml()
        let text = String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
        return Array(text.replacing(/(?m)^  version: this release .*$/, with: "  version: \(Release.version)").utf8)
    }()
    private static let tag = Digest(of: Self.text).hex.prefix(32)

    /// `GET /openapi.yaml`: every route, for people who write clients and for their tools.
    @Sendable func document(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try Response.bytes(Self.text, type: "application/yaml").cached("max-age=3600", isPublic: true)
            .tagged("\(Self.tag)", for: request)
    }
}
