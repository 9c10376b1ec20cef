import Foundation
import HTTPTransport
import IMDF
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
        try Self.check(configuration.server)
        return ServerConnection(server: configuration.server, key: configuration.key ?? configuration.adminKey)
    }

    /// Refuses what is not the address of a server, such as `localhost:8080`, whose scheme would be “localhost”.
    private static func check(_ server: String) throws {
        let parts = URLComponents(string: server)
        let example = "http://127.0.0.1:8080 or https://maps.example.com"
        guard let parts, ["http", "https"].contains(parts.scheme?.lowercased()), parts.host?.isEmpty == false else {
            throw Failure(
                .usage,
                "VENUE_SERVER is “\(Terminal.plain(server))”, which is not the address of a server, such as \(example)")
        }
        guard (1...65_535).contains(parts.port ?? 80) else {
            throw Failure(.usage, "VENUE_SERVER is “\(server)”: the port must be a number from 1 to 65535")
        }
        guard parts.query == nil, parts.fragment == nil, parts.user == nil else {
            throw Failure(
                .usage,
                "VENUE_SERVER is “\(Terminal.plain(server))”: it may only have a scheme, a host, a port and a path")
        }
    }

    func get<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
        try self.value(type, from: await self.send("GET", path))
    }

    /// Decodes a response.
    ///
    /// - Throws: `Failure` if it is not one of this service, such as the page of another one at the same address.
    func value<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        do {
            return try WireJSON.value(type, from: data)
        } catch is DecodingError {
            throw self.isOther("responded")
        }
    }

    /// Says that something else listens at the address.
    private func isOther(_ what: String) -> Failure {
        Failure(.unreachable, "\(self.server) \(what), but not as a VenueSync server does. Check VENUE_SERVER.")
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

    /// Fetches as many pages of a list as it takes for the first items. A page may be shorter than requested.
    func first<Page: ServerPage, Item>(
        _ count: Int, _ items: KeyPath<Page, [Item]>, _ path: String
    ) async throws -> [Item] {
        var first: [Item] = []
        var next: String? = path
        while let address = next, first.count < count {
            let page = try await self.get(Page.self, address)
            first += page[keyPath: items].prefix(count - first.count)
            next = page.next
        }
        return first
    }

    /// Fetches a list of venues, and returns their keys.
    func venues(at path: String) async throws -> [VenueKey] {
        try await self.pages(VenueListPage.self, path).flatMap(\.venues).map(\.venue)
    }

    func post<Value: Decodable>(_ type: Value.Type, _ path: String, _ body: some Encodable) async throws -> Value {
        try self.value(
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
                    .unreachable, "\(self.server) redirects to \(target). Set VENUE_SERVER to the server itself.")
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
        } catch let error as CocoaError {
            // The file that is sent, not the server.
            throw error
        } catch {
            throw self.unreachable(TransportFailure(error))
        }
        guard (200..<300).contains(status) else { throw await self.failure(status, data, path) }
        return data
    }

    /// Says that there was no response, why, and what to do.
    private func unreachable(_ cause: TransportFailure) -> Failure {
        let remedy =
            switch cause {
            case .refused: "Start a server there (“venue up” starts one), or set VENUE_SERVER to another one."
            case .unknownHost, .invalidAddress: "Correct VENUE_SERVER."
            case .noTLS: "If the server speaks http, VENUE_SERVER has to begin with http://."
            case .noHTTP: "Check the port in VENUE_SERVER, and whether it has to begin with https://."
            case .untrustedCertificate: "Check the certificate of the server, and the clock of this machine."
            case .interrupted where self.server.hasPrefix("http:"):
                "Check the server, and whether VENUE_SERVER has to begin with https://, and try again."
            case .noRoute: "Check the network, and the address in VENUE_SERVER."
            case .timedOut, .offline, .interrupted, .other: "Check the network and the server, and try again."
            }
        return Failure(.unreachable, "\(self.server) does not respond: \(cause.reason). \(remedy)")
    }

    /// Says why an uploader or a replica has no response.
    ///
    /// - Returns: The error of a request of its own if that has none either.
    func explained(_ error: SyncError) async -> any Error {
        switch error {
        case .unreachable, .unavailable, .malformed:
            struct Health: Decodable { let status: String }
            do { _ = try await self.get(Health.self, "/health") } catch { return error }
        case .unauthorized: return self.refusedKey(401) ?? error
        default: break
        }
        return error
    }

    /// Says whether a key is missing or wrong; nil for another status.
    private func refusedKey(_ status: Int) -> Failure? {
        switch (status, self.key) {
        case (401, nil): Failure(.unauthorized, "this needs a key. Set VENUE_KEY to a key of \(self.server).")
        case (401, .some):
            Failure(
                .unauthorized, "\(self.server) does not know the key, or the key does not permit this. Check VENUE_KEY."
            )
        case (403, _):
            Failure(
                .unauthorized, "the role or the venues of the key do not permit this. Set VENUE_KEY to another key.")
        default: nil
        }
    }

    /// The venue that a path is about.
    private static func venue(of path: String) -> String? {
        path.wholeMatch(of: /\/venues\/([^\/?]+).*/).map { String($0.output.1) }
    }

    /// Says that there is no venue, and which one was probably meant.
    func unknownVenue(_ venue: String, remedy: String = "") async -> Failure {
        struct Page: Decodable {
            struct Venue: Decodable { let venue: String }
            let venues: [Venue]
        }
        let known = try? await self.get(Page.self, "/venues?limit=1000").venues.map(\.venue)
        let meant = known.flatMap { venue.nearest(of: $0) }.map { " Did you mean “\($0)”?" } ?? ""
        return Failure(
            .notFound,
            "there is no venue “\(venue)” at \(self.server), it has no revision, or the key may not see it.\(meant)\(remedy) "
                + "“venue list” lists the venues that the key may see.")
    }

    private static func text(of problem: Problem) -> String {
        guard let detail = problem.detail else { return problem.title }
        // The command wrote the body. Its user knows only what is in it.
        return problem.type == "/problems/invalid-body" ? detail : "\(problem.title). \(detail)"
    }

    /// If an address does not exist, or none that names a venue, it is probably that of the server that is wrong.
    private func hint(about problem: Problem) -> String {
        let path = URLComponents(string: self.server)?.path ?? ""
        let isOfAddress = ["/problems/not-found", "/problems/venue-not-found"].contains(problem.type)
        guard isOfAddress, !path.isEmpty else { return "" }
        return "\(problem.detail == nil ? "." : "") Check the path “\(path)” in VENUE_SERVER."
    }

    private func failure(_ status: Int, _ data: Data, _ path: String) async -> Failure {
        let problem = try? WireJSON.value(Problem.self, from: data)
        if problem?.type == "/problems/venue-not-found", let venue = Self.venue(of: path) {
            let failure = await self.unknownVenue(venue)
            return Failure(failure.status, failure.message, response: data)
        }
        if problem != nil, let failure = self.refusedKey(status) {
            return Failure(failure.status, failure.message, response: data)
        }
        let message =
            problem.map { self.missing($0, at: path) ?? Self.text(of: $0) + self.hint(about: $0) }
            ?? self.isOther("responded with status \(status)").message
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
}

/// A page of a list, with the address of the next one.
protocol ServerPage: Decodable {
    var next: String? { get }
}

extension RevisionDiff: ServerPage {}

private struct VenueListPage: ServerPage {
    struct Entry: Decodable { let venue: VenueKey }
    let venues: [Entry]
    let next: String?
}
