import Caching
import HTTPTypes
package import Hummingbird
import SystemCrypto

/// Responses by request, encoded, in bounded memory.
///
/// Most polls were sent before, byte for byte. Such a response is valid as long as nothing has changed, neither a
/// venue nor a key, and is found without reading the request. An ``ImmediateResponder`` sends it. A request that has to wait is kept
/// with what it waits for.
package final class RequestCache: Sendable {
    package struct Key: Hashable, Sendable {
        private let path: String
        /// A digest of the header field, so that no key is kept.
        private let authorization: [UInt8]?
        private let acceptEncoding: String?

        package init(_ request: Request) {
            self.init(
                request.head.path ?? "", authorization: request.headers[.authorization],
                acceptEncoding: request.headers[.acceptEncoding])
        }

        init(_ request: PlainRequest) {
            self.init(request.path, authorization: request.authorization, acceptEncoding: request.acceptEncoding)
        }

        private init(_ path: String, authorization: String?, acceptEncoding: String?) {
            self.path = path
            self.acceptEncoding = acceptEncoding
            self.authorization = authorization.map { SHA256.hash(of: $0.utf8) }
        }

        fileprivate var cost: Int { 2_000 + self.path.utf8.count + (self.acceptEncoding?.utf8.count ?? 0) }
    }

    package struct Entry: Sendable {
        enum Outcome {
            case response(KeptResponse)
            /// The client has everything, and asked to wait for a change.
            case wait(LongPolls.Wait)
        }

        let outcome: Outcome
        /// The route of the request, for metrics.
        let route: String
        fileprivate let version: ReadModel.Version

        package var response: KeptResponse? {
            if case .response(let response) = self.outcome { response } else { nil }
        }
    }

    /// A larger body takes long to send: permissions are confirmed meanwhile, and the connection waits for a slow client. It would also
    /// take the place of many others.
    private static let maxBodyBytes = 64 << 10

    private let entries: LRUCache<Key, Entry>
    private let origins: OriginPolicy

    package init(bytes: Int, origins: AllowedOrigins = .none) {
        self.entries = LRUCache(cost: bytes)
        self.origins = OriginPolicy(origins: origins)
    }

    /// The response to the same request, if nothing has changed since.
    ///
    /// - Parameter version: The confirmed version of the read model.
    package func entry(for key: Key, at version: ReadModel.Version) -> Entry? {
        self.entries.value(for: key).flatMap { $0.version == version ? $0 : nil }
    }

    /// - Parameters:
    ///   - route: The route of the request.
    ///   - version: The confirmed version of the read model when the request began.
    package func keep(
        _ response: EncodedResponse, for request: Request, to route: String, at version: ReadModel.Version
    ) {
        let bytes = response.body.readableBytes
        guard bytes <= Self.maxBodyBytes else { return }
        let kept = KeptResponse(response, self.origins)
        self.keep(Entry(outcome: .response(kept), route: route, version: version), for: request, bytes)
    }

    /// The same for a request that waits.
    func keep(_ wait: LongPolls.Wait, for request: Request, to route: String, at version: ReadModel.Version) {
        self.keep(Entry(outcome: .wait(wait), route: route, version: version), for: request, 0)
    }

    private func keep(_ entry: Entry, for request: Request, _ bytes: Int) {
        let key = Key(request)
        self.entries.keep(entry, for: key, cost: key.cost + bytes)
    }

    package func removeAll() {
        self.entries.removeAll()
    }
}
