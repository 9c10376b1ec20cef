import HTTPTypes
import Hummingbird
import IMDF
import Logging
import SampleVenue
import SyncModel
import SyncServer
import Synchronization
import TestSupport
import Testing

/// Collects log lines.
private final class LogRecorder: Sendable {
    private let entries = Mutex<[(message: String, metadata: Logger.Metadata, level: Logger.Level)]>([])

    var lines: [(message: String, metadata: Logger.Metadata, level: Logger.Level)] { self.entries.withLock { $0 } }
    var text: String { "\(self.lines)" }

    struct Handler: LogHandler {
        let book: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }
            self.book.entries.withLock { $0.append((event.message.description, metadata, event.level)) }
        }
    }

    var logger: Logger { Logger(label: "test", factory: { _ in Handler(book: self) }) }
}

@Suite(.server)
struct RequestLogTests {
    private func run(_ book: LogRecorder, _ test: @escaping @Sendable (Harness) async throws -> Void) async throws {
        let settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        let server = SyncApplication(readModel: ReadModel(store: TestDatabase.current.store), settings: settings)
        try await test(Harness(server: server, logger: book.logger))
    }

    @Test func `request id, which the client may choose, is in the response and in every log line`() async throws {
        let book = LogRecorder()
        try await self.run(book) { harness in
            let own = try await harness.send(.get, "/venues", headers: [.requestID: "phone-7.2_b"])
            #expect(own.headers[.requestID] == "phone-7.2_b")
            let first = try await harness.send(.get, "/venues").headers[.requestID]
            let second = try await harness.send(.get, "/nothing").headers[.requestID]
            #expect(first != second && first?.isEmpty == false && second?.isEmpty == false)
            let named = book.lines.compactMap { $0.metadata["hb.request.id"]?.description }
            #expect(named.contains("phone-7.2_b") && Set(named).count == 3)
            #expect(book.lines.allSatisfy { $0.metadata["hb.request.id"] != nil })
        }
    }

    @Test func `request id that is unsafe for logs is replaced`() async throws {
        let harness = Harness.current
        for name in ["", " ", "a b", "é", "a\"b", "{}", String(repeating: "x", count: 65), "a,b"] as [String] {
            let response = try await harness.send(.get, "/health", headers: [.requestID: name])
            let id = try #require(response.headers[.requestID])
            #expect(id != name && (1...64).contains(id.count), "\(name)")
        }
    }

    @Test func `request log has one line per request, with its route and without its address`() async throws {
        let book = LogRecorder()
        try await self.run(book) { harness in
            try await harness.push(SampleVenue.tiny.archive(), to: "secret-mall")
            let key = try await harness.makeKey(.read, for: ["secret-mall"])
            let cursor = try await harness.sync(of: "secret-mall", key: key).cursor
            let before = book.lines.count
            let response = try await harness.send(
                .get, "/venues/secret-mall/sync?since=\(cursor)&level=venue", key: key)
            let lines = book.lines.dropFirst(before)
            let line = try #require(lines.last)
            #expect(lines.count == 1 && line.level == .info && line.message == "Request completed")
            #expect(line.metadata["http.route"] == "/venues/{venue}/sync" && line.metadata["http.method"] == "GET")
            #expect(line.metadata["http.status"] == "200")
            #expect(line.metadata["http.bytes"] == "\(response.data.count)")
            #expect(line.metadata["duration.ms"].flatMap { Double("\($0)") } ?? -1 >= 0)
            for secret in ["secret-mall", key, cursor.description] { #expect(!book.text.contains(secret)) }
            _ = try await harness.send(.get, "/health")
            #expect(book.lines.last?.level == .debug)
        }
    }

    @Test func `request log never has the token of a tile, whatever the response`() async throws {
        let book = LogRecorder()
        try await self.run(book) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let response = try await harness.send(.post, "/venues/mall/tile-tokens", json: ["expires_in": 60])
            let token = try #require(try response.json["token"]?.string)
            let before = book.lines.count
            let paths = [
                "mall/tiles/L0_14_0_0.png", "mall/tiles/L9_14_0_0.png", "mall/tiles/0.json", "mall/style.json",
                "mall/tiles/changes?since=9", "mall/sync", "other/tiles/L0_14_0_0.png", "mall/glyphs/None/0-255.pbf",
            ]
            for path in paths {
                let separator = path.contains("?") ? "&" : "?"
                _ = try await harness.send(.get, "/venues/\(path)\(separator)token=\(token)", key: nil)
                _ = try await harness.send(.get, "/venues/\(path)", key: token)
            }
            #expect(book.lines.count >= before + 2 * paths.count)
            #expect(!book.text.contains("vst_") && !book.text.contains(token.suffix(40)))
        }
    }
}

extension HTTPField.Name {
    static let requestID = Self("X-Request-ID")!
}
