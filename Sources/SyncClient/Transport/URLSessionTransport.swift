#if canImport(Darwin)
    public import Foundation

    /// Sends requests with URLSession: for apps, where the system picks the network, the proxy and the moment.
    public final class URLSessionTransport: NSObject, SyncTransport, URLSessionTaskDelegate {
        private let session: URLSession

        /// - Parameter configuration: Of the session. Cookies and caches are switched off: the replica is the cache.
        public init(configuration: URLSessionConfiguration = .ephemeral) {
            configuration.httpCookieStorage = nil
            configuration.urlCache = nil
            // The server holds an answer back for up to 55 seconds when it is asked to wait for news.
            configuration.timeoutIntervalForRequest = 90
            self.session = URLSession(configuration: configuration)
        }

        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard let url = URL(string: request.url) else { throw URLError(.badURL) }
            var message = URLRequest(url: url)
            message.httpMethod = request.method
            for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
            switch request.body {
            case nil: break
            case .bytes(let bytes): message.httpBody = Data(bytes)
            case .stream(let pieces, _):
                // An archive is read whole here: a stream for URLSession needs a run loop of its own.
                var whole = Data()
                for try await piece in pieces { whole += piece }
                message.httpBody = whole
            }
            let (bytes, response) = try await self.session.bytes(for: message, delegate: self)
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            var headers: [String: String] = [:]
            for (name, value) in response.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
            return TransportResponse(status: response.statusCode, headers: headers, body: Pieces(bytes: bytes))
        }

        /// No redirect is followed: the key is meant for one server.
        public func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? { nil }

        private struct Pieces: AsyncSequence, Sendable {
            let bytes: URLSession.AsyncBytes

            struct AsyncIterator: AsyncIteratorProtocol {
                static let most = 1 << 16
                var bytes: URLSession.AsyncBytes.AsyncIterator

                mutating func next() async throws -> [UInt8]? {
                    var piece: [UInt8] = []
                    piece.reserveCapacity(Self.most)
                    while piece.count < Self.most, let byte = try await self.bytes.next() { piece.append(byte) }
                    return piece.isEmpty ? nil : piece
                }
            }

            func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: self.bytes.makeAsyncIterator()) }
        }
    }
#endif
