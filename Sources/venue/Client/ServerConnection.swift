import AsyncHTTPClient
import AsyncHTTPTransport
import Foundation
import NIOCore
import NIOHTTP1
import SyncClient
import SyncModel

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
            type, from: await self.send("POST", path, type: "application/json", body: .bytes(WireJSON.data(body))))
    }

    /// Returns the body without decoding it, because its type depends on whether the venue has a revision.
    func patch(_ path: String, _ body: some Encodable) async throws -> Data {
        try await self.send("PATCH", path, type: "application/json", body: .bytes(WireJSON.data(body)))
    }

    func delete(_ path: String) async throws {
        _ = try await self.send("DELETE", path)
    }

    func delete(_ path: String, _ body: some Encodable) async throws {
        _ = try await self.send("DELETE", path, type: "application/json", body: .bytes(WireJSON.data(body)))
    }

    /// An uploader for the same server with the same key.
    var uploader: VenueUploader {
        get throws {
            guard let address = URL(string: self.server) else {
                throw Failure(.usage, "“\(self.server)” is not a valid URL")
            }
            return VenueUploader(
                server: try ServerAddress(address, key: self.key), transport: AsyncHTTPClientTransport())
        }
    }

    /// Reports an unreachable server at once instead of retrying.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Sends a request and returns the body of the successful response.
    ///
    /// - Throws: `Failure` with title and detail of the problem, and the matching exit code.
    func send(
        _ method: String, _ path: String, type: String? = nil, body: HTTPClientRequest.Body? = nil
    ) async throws -> Data {
        var request = HTTPClientRequest(url: self.server + path)
        request.method = .init(rawValue: method)
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        if let type { request.headers.add(name: "Content-Type", value: type) }
        request.headers.add(name: "Accept-Language", value: Terminal.language)
        request.body = body
        let (status, data): (UInt, Data)
        do {
            let response = try await Self.client.execute(request, timeout: .minutes(10))
            status = response.status.code
            data = Data(try await response.body.collect(upTo: 2 << 30).readableBytesView)
        } catch {
            throw Failure(.unreachable, "\(self.server) does not answer: \(error)")
        }
        guard (200..<300).contains(status) else { throw Self.failure(status, data) }
        return data
    }

    private static func failure(_ status: UInt, _ data: Data) -> Failure {
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
