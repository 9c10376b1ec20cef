import Foundation
import HTTPTransport
import SyncClient
import SyncModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The HTTP client of the operator's tools.
struct ServerConnection: Sendable {
    let server: String
    let key: String?

    init(server: String, key: String?) {
        self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.key = key
    }

    /// Reads the address of the server and the key from the environment.
    static func load() async throws -> ServerConnection {
        let configuration = try await VenueConfiguration.load()
        return ServerConnection(server: configuration.server, key: configuration.key ?? configuration.adminKey)
    }

    func get<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
        try WireJSON.value(type, from: await self.send("GET", path))
    }

    /// Fetches all pages of a list.
    func pages<Page: ServerPage>(_ type: Page.Type, _ path: String) async throws -> [Page] {
        var pages: [Page] = []
        var next: String? = path
        while let address = next {
            pages.append(try await self.get(type, address))
            next = pages.last?.next
        }
        return pages
    }

    func post<Value: Decodable>(_ type: Value.Type, _ path: String, _ body: some Encodable) async throws -> Value {
        try WireJSON.value(
            type,
            from: await self.send("POST", path, type: "application/json", body: .bytes(Array(WireJSON.data(body)))))
    }

    /// Returns the body without decoding it, because its type depends on whether the venue has a revision.
    func patch(_ path: String, _ body: some Encodable) async throws -> Data {
        try await self.send("PATCH", path, type: "application/json", body: .bytes(Array(WireJSON.data(body))))
    }

    func delete(_ path: String) async throws {
        _ = try await self.send("DELETE", path)
    }

    func delete(_ path: String, _ body: some Encodable) async throws {
        _ = try await self.send("DELETE", path, type: "application/json", body: .bytes(Array(WireJSON.data(body))))
    }

    /// An uploader for the same server with the same key.
    var uploader: VenueUploader {
        get throws {
            guard let address = URL(string: self.server) else {
                throw Failure(.usage, "“\(self.server)” is not a valid URL")
            }
            return VenueUploader(server: try ServerAddress(address, key: self.key))
        }
    }

    private static let transport: URLSessionTransport = {
        let configuration = URLSessionConfiguration.ephemeral
        // The server may think about a large venue for minutes.
        configuration.timeoutIntervalForRequest = 600
        return URLSessionTransport(configuration: configuration)
    }()
    /// Of a response, in bytes.
    private static let maxResponseBytes = 2 << 30

    /// Sends a request and returns the body of the successful response.
    ///
    /// - Throws: `Failure` with title and detail of the problem, and the matching exit code.
    func send(
        _ method: String, _ path: String, type: String? = nil, body: TransportRequest.Body? = nil
    ) async throws -> Data {
        var request = TransportRequest(method: method, url: self.server + path, body: body)
        request.headers["Authorization"] = self.key.map { "Bearer \($0)" }
        request.headers["Content-Type"] = type
        request.headers["Accept-Language"] = Terminal.language
        let status: Int
        var data = Data()
        do {
            let response = try await Self.transport.send(request)
            status = response.status
            if (300..<400).contains(status), let target = response.headers["location"] {
                throw Failure(
                    .unreachable, "\(self.server) redirects to \(target); name the server itself in VENUE_SERVER")
            }
            var blocks = response.body.makeAsyncIterator()
            while let block = try await blocks.next(isolation: nil) {
                data.append(contentsOf: block)
                guard data.count <= Self.maxResponseBytes else {
                    throw Failure(
                        .failure, "the response of \(self.server) has more than \(Self.maxResponseBytes) bytes")
                }
            }
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(.unreachable, "\(self.server) does not answer: \(error.localizedDescription)")
        }
        guard (200..<300).contains(status) else { throw Self.failure(status, data) }
        return data
    }

    private static func failure(_ status: Int, _ data: Data) -> Failure {
        let problem = try? WireJSON.value(Problem.self, from: data)
        let message =
            problem.map { "\($0.title)\($0.detail.map { ". \($0)" } ?? "")" }
            ?? "the server responded with status \(status)"
        let exit: ExitStatus =
            switch status {
            case 401, 403: .unauthorized
            case 404, 410: .notFound
            case 400..<500: .refused
            case 502...504: .unreachable
            default: .failure
            }
        return Failure(exit, message, response: data)
    }

    /// Percent-encodes one segment of a path or one value of a query.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))) ?? ""
    }
}

/// A page of a list, with the address of the next one.
protocol ServerPage: Decodable {
    var next: String? { get }
}

extension RevisionDiff: ServerPage {}
