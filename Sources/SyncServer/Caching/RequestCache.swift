import Caching
import Crypto
import HTTPTypes
import Hummingbird

/// Responses by request, encoded, in bounded memory.
///
/// Most requests were sent before, byte for byte: polls, and tiles. Such a response is valid as long as nothing has changed, neither a venue
/// nor a key, and is found without reading the request.
final class RequestCache: Sendable {
    private struct Key: Hashable {
        let path: String
        /// A digest of the header field, so that no key is kept.
        let authorization: SHA256.Digest?
        let acceptEncoding: String?

        init(_ request: Request) {
            self.path = request.head.path ?? ""
            self.authorization = request.headers[.authorization].map { header in
                var header = header
                return header.withUTF8 { text in
                    var hash = SHA256()
                    hash.update(bufferPointer: UnsafeRawBufferPointer(text))
                    return hash.finalize()
                }
            }
            self.acceptEncoding = request.headers[.acceptEncoding]
        }

        var cost: Int { 300 + self.path.utf8.count + (self.acceptEncoding?.utf8.count ?? 0) }
    }

    private struct Entry {
        let response: EncodedResponse
        let version: ReadModel.Version
    }

    private let entries: LRUCache<Key, Entry>

    init(bytes: Int) {
        self.entries = LRUCache(cost: bytes)
    }

    /// The response to the same request, if nothing has changed since.
    ///
    /// - Parameter version: The confirmed version of the read model.
    func response(to request: Request, at version: ReadModel.Version) -> Response? {
        guard let entry = self.entries.value(for: Key(request)), entry.version == version else { return nil }
        return entry.response.response(for: request)
    }

    /// - Parameter version: The confirmed version of the read model when the request began.
    func keep(_ response: EncodedResponse, for request: Request, at version: ReadModel.Version) {
        // A large one takes long to send, and permissions are confirmed meanwhile; it would also take the place of many others.
        let bytes = response.body.readableBytes
        guard bytes <= Response.largeBody else { return }
        let key = Key(request)
        self.entries.keep(Entry(response: response, version: version), for: key, cost: key.cost + bytes)
    }

    func removeAll() {
        self.entries.removeAll()
    }
}

/// Answers requests whose response is in a cache, on the event loop of the connection. All others are passed on.
struct RequestCacheMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    let cache: RequestCache
    let readModel: ReadModel

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        if request.method == .get, let version = self.readModel.confirmedVersion,
            let response = self.cache.response(to: request, at: version)
        {
            return response
        }
        return try await next(request, context)
    }
}
