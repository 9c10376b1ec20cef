import Foundation
package import IMDF
import LoopbackHTTP
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

    package func send(
        _ method: String, _ path: String, type: String? = nil, body: [UInt8] = [],
        headers: [(String, String)] = [], timeout: Duration = .seconds(60)
    ) async throws -> Response {
        let response = try await LoopbackClient.shared.open(
            HTTPMethod(rawValue: method), self.address, path,
            headers: self.headers(headers + (type.map { [("Content-Type", $0)] } ?? [])), body: body, timeout: timeout)
        return Response(status: response.status, headers: response.headers, body: try await response.bytes())
    }

    private func headers(_ headers: [(String, String)]) -> [(String, String)] {
        headers + (self.key.map { [("Authorization", "Bearer \($0)")] } ?? [])
    }

    /// Reads a response as it arrives, for a limited time. An interrupted response ends like any other.
    ///
    /// - Returns: The status; nil when no response began.
    package func stream(
        _ path: String, headers: [(String, String)] = [], for time: Duration, _ take: (String) throws -> Void
    ) async throws -> Int? {
        let response: LoopbackResponse
        do {
            response = try await LoopbackClient.shared.open(
                .GET, self.address, path, headers: self.headers(headers), timeout: time)
        } catch {
            try Task.checkCancellation()
            return nil
        }
        guard response.status == 200 else { return response.status }
        var blocks = response.blocks.makeAsyncIterator()
        while true {
            let block: ByteBuffer?
            // A connection that breaks and the end of the time end the response like any other.
            do { block = try await blocks.next(isolation: nil) } catch { break }
            guard let block else { break }
            try take(String(buffer: block))
        }
        try Task.checkCancellation()
        return response.status
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
