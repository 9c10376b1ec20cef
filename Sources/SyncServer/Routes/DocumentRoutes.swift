import Hummingbird
import IMDF
import SyncModel

/// What the server says about itself.
struct DocumentRoutes {
    func add(to router: Router<VenueContext>) {
        router.get("openapi.yaml", use: self.document)
    }

    /// The OpenAPI document as it was compiled in, with the version of this release, and its tag.
    private static let text = Array(
        String(decoding: PackageResources.openapi_yaml, as: UTF8.self)
            .replacing(/(?m)^  version: this release .*$/, with: "  version: \(Release.version)").utf8)
    private static let tag = Digest(of: Self.text).hex.prefix(32)

    /// `GET /openapi.yaml`: every route, for people who write clients and for the tools they use.
    @Sendable func document(_ request: Request, _ context: VenueContext) async throws -> Response {
        Response.bytes(Self.text, type: "application/yaml").cached("max-age=3600", isPublic: true)
            .tagged("\(Self.tag)", for: request)
    }
}
