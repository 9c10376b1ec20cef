import AsyncHTTPClient
import Foundation
package import IMDF
import NIOCore
import NIOHTTP1
package import SyncModel

/// A client of the service at an address.
package struct RemoteService: Sendable {
    package let address: String
    package var key: String?

    package init(address: String, key: String? = Harness.adminKey) {
        self.address = address
        self.key = key
    }

    package struct Response: Sendable {
        package let status: Int
        package let body: [UInt8]
        private let headers: HTTPHeaders

        fileprivate init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        package func header(_ name: String) -> String? { self.headers[name].first }

        package var text: String { String(decoding: self.body, as: UTF8.self) }

        package func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try WireJSON.value(type, from: Data(self.body))
        }
    }

    /// Many concurrent connections and no automatic retries.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .seconds(60)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_200
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    package func send(
        _ method: String, _ path: String, type: String? = nil, body: [UInt8] = [],
        headers: [(String, String)] = [], timeout: Duration = .seconds(60)
    ) async throws -> Response {
        var request = HTTPClientRequest(url: self.address + path)
        request.method = .init(rawValue: method)
        request.headers = HTTPHeaders(headers)
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        if let type { request.headers.add(name: "Content-Type", value: type) }
        if !body.isEmpty { request.body = .bytes(body) }
        let response = try await Self.client.execute(request, timeout: TimeAmount(timeout))
        let content = try await response.body.collect(upTo: 1 << 30)
        return Response(
            status: Int(response.status.code), headers: response.headers, body: Array(content.readableBytesView))
    }

    /// Reads a response as it arrives, for a limited time. An interrupted response ends like any other.
    ///
    /// - Returns: The status; nil when no response began.
    package func stream(
        _ path: String, headers: [(String, String)] = [], for time: Duration, _ take: (String) throws -> Void
    ) async throws -> Int? {
        var request = HTTPClientRequest(url: self.address + path)
        request.headers = HTTPHeaders(headers)
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        let response: HTTPClientResponse
        do { response = try await Self.client.execute(request, timeout: TimeAmount(time)) } catch { return nil }
        guard response.status == .ok else { return Int(response.status.code) }
        // A broken connection and the end of the time end the loop normally. The client's timeout covers only the head
        // of a response.
        let (chunks, feed) = AsyncStream.makeStream(of: ByteBuffer.self)
        let reading = Task {
            defer { feed.finish() }
            for try await chunk in response.body { feed.yield(chunk) }
        }
        let alarm = Task {
            try await Task.sleep(for: time)
            reading.cancel()
            feed.finish()
        }
        defer {
            reading.cancel()
            alarm.cancel()
        }
        for await chunk in chunks { try take(String(buffer: chunk)) }
        try Task.checkCancellation()
        return Int(response.status.code)
    }

    package func get<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
        try await self.request("GET", path).decoded(type)
    }

    /// A request that has to succeed.
    @discardableResult
    package func request(
        _ method: String, _ path: String, type: String? = nil, body: [UInt8] = []
    ) async throws -> Response {
        let response = try await self.send(method, path, type: type, body: body)
        guard (200..<300).contains(response.status) else {
            throw Harness.Refusal(status: response.status, body: response.text)
        }
        return response
    }

    /// Changes a setting of a venue.
    package func set(_ setting: String, to value: JSONValue, of venue: String = "mall") async throws {
        try await self.request(
            "PATCH", "/venues/\(venue)", type: "application/json", body: CanonicalJSON.data(.object([setting: value])))
    }

    /// Uploads an archive without processing it.
    package func upload(_ archive: [UInt8], to venue: String = "mall", query: String = "") async throws -> Upload {
        try await self.request("POST", "/venues/\(venue)/uploads\(query)", type: "application/zip", body: archive)
            .decoded(Upload.self)
    }

    /// All pages of the changes of a venue since a cursor.
    package func pages(
        of venue: String = "mall", since cursor: Cursor? = nil, levels: [String] = [], limit: Int? = nil
    ) async throws -> [ChangeSet] {
        try await ChangeSetPages.all(of: venue, since: cursor, levels: levels, limit: limit) { path in
            try await self.request("GET", path).body
        }
    }
}

/// Reads a change set page by page.
package enum ChangeSetPages {
    package static func all(
        of venue: String, since cursor: Cursor?, levels: [String] = [], to: Int64? = nil, limit: Int? = nil,
        get: (_ path: String) async throws -> [UInt8]
    ) async throws -> [ChangeSet] {
        var pages: [ChangeSet] = []
        var since = cursor
        repeat {
            var query = levels.map { "level=\($0)" }
            if let since { query.append("since=\(since)") }
            if let to { query.append("to=\(to)") }
            if let limit { query.append("limit=\(limit)") }
            let page = try ChangeSet(json: await get("/venues/\(venue)/sync?\(query.joined(separator: "&"))"))
            pages.append(page)
            since = page.cursor
        } while pages.last?.isComplete == false
        return pages
    }
}
