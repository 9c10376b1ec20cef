import Foundation
package import HTTPTypes
import Hummingbird
import IMDF
package import Ingestion
package import Logging
import NIOCore
import Postgres
package import RevisionStore
import ServiceLifecycle
package import SyncModel
package import SyncServer

/// The service on the database of a test: its HTTP interface, and a worker that runs on request.
package struct Harness: Sendable {
    package let server: SyncApplication
    package let client: any TestClient
    package static let adminKey = "an admin's key"

    package init(server: SyncApplication, client: any TestClient) {
        self.server = server
        self.client = client
    }

    /// Requests go to the router without a socket.
    package init(server: SyncApplication, logger: Logger? = nil) {
        self.init(
            server: server,
            client: RouterClient(responder: server.router().buildResponder(), logger: logger ?? Self.quiet))
    }

    package var store: RevisionStore { self.server.readModel.store }

    /// Runs a test against the router without a socket. Without a change notifier the node refreshes before each
    /// response.
    package static func run(
        store: RevisionStore = TestDatabase.current.store, readModel: ReadModel? = nil, settings: ServerSettings? = nil,
        largestArchive: Int64 = 512 << 20,
        _ test: @escaping @Sendable (Harness) async throws -> Void
    ) async throws {
        let settings =
            settings ?? ServerSettings(adminKey: KeyHash(of: Self.adminKey), maxArchiveBytes: largestArchive)
        // Tests count what a request reads: it must not depend on whether everything was compared ten seconds before.
        let readModel = readModel ?? ReadModel(store: store, comparison: .seconds(3_600))
        let server = SyncApplication(readModel: readModel, settings: settings)
        try await test(Harness(server: server))
    }

    /// Runs a test with a change notifier, as in a running server.
    package static func withChangeNotifier(
        store: RevisionStore = TestDatabase.current.store, readModel: ReadModel? = nil,
        _ test: @escaping @Sendable (Harness) async throws -> Void
    ) async throws {
        try await Self.run(store: store, readModel: readModel) { harness in
            let watch = harness.server.changeNotifier(logger: Self.quiet)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await watch.run() }
                try await harness.until { harness.server.eventFeed.end != nil }
                do {
                    try await test(harness)
                } catch {
                    tasks.cancelAll()
                    throw error
                }
                tasks.cancelAll()
            }
        }
    }

    /// Runs a test against a server that listens on a port.
    ///
    /// - Parameters:
    ///   - comparison: The interval at which the read model compares everything with the database.
    ///   - hasNotifier: Whether the server has a change notifier.
    package static func listening(
        comparison: Duration = .seconds(10), changeNotifier hasNotifier: Bool = false,
        _ change: (inout ServerSettings) -> Void = { _ in },
        _ test: @escaping @Sendable (Harness, _ port: Int) async throws -> Void
    ) async throws {
        var settings = ServerSettings(port: 0, adminKey: KeyHash(of: Self.adminKey))
        settings.shutdownGrace = .zero  // the client of a finished test sends nothing more
        settings.idleTimeout = .seconds(3_600)  // the client does not connect again
        change(&settings)
        let readModel = ReadModel(store: TestDatabase.current.store, comparison: comparison)
        let server = SyncApplication(readModel: readModel, settings: settings)
        try await withServices {
            let services: [any Service] = hasNotifier ? [server.changeNotifier(logger: Self.quiet)] : []
            return services + [server.httpServer(logger: Self.quiet, onServerRunning: $0)]
        } _: { port, _ in
            try await test(Harness(server: server, client: SocketClient(port: port)), port)
        }
    }

    /// Runs a test against a complete server in a service group; the test calls `stop` to stop it.
    package static func stoppable(
        _ change: (inout ServerSettings) -> Void = { _ in },
        _ test: @escaping @Sendable (_ port: Int, _ stop: @escaping @Sendable () async -> Void) async throws -> Void
    ) async throws {
        var settings = ServerSettings(port: 0, adminKey: KeyHash(of: Self.adminKey))
        change(&settings)
        let server = SyncApplication(readModel: ReadModel(store: TestDatabase.current.store), settings: settings)
        try await withServices {
            server.services(logger: Self.quiet, onServerRunning: $0)
        } _: { port, stop in
            try await test(port, stop)
        }
    }

    /// Runs a test against a complete server that the test stops, and cancels as when the time for a graceful shutdown is over. Returns
    /// when the server has ended.
    package static func cancellable(
        _ test:
            @escaping @Sendable (
                _ harness: Harness, _ port: Int, _ stop: @escaping @Sendable () async -> Void,
                _ cancel: @escaping @Sendable () -> Void
            ) async throws -> Void
    ) async throws {
        let settings = ServerSettings(port: 0, adminKey: KeyHash(of: Self.adminKey))
        let server = SyncApplication(readModel: ReadModel(store: TestDatabase.current.store), settings: settings)
        try await withCancellableServices {
            server.services(logger: Self.quiet, onServerRunning: $0)
        } _: { port, stop, cancel in
            try await test(Harness(server: server), port, stop, cancel)
        }
    }

    /// The request log of tests is of no use.
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Polls until a condition holds.
    package func until(_ condition: () async throws -> Bool) async throws {
        try await eventually("the condition", condition)
    }

    /// Ends event streams that wait, when they have sent all events.
    package func endEventStreams(_ count: Int = 1) async throws {
        // The feed has an event shortly before the streams are woken.
        try await self.until {
            let polls = self.server.longPolls
            return polls.count == count && polls.oldestNumber ?? -1 >= self.server.eventFeed.end ?? 0
        }
        self.server.longPolls.close()
    }

    /// Waits until `count` long polls and event streams are waiting.
    package func untilWaiting(_ count: Int) async throws {
        try await self.until { self.server.longPolls.count == count }
    }

    /// The responses to equal concurrent requests.
    package func sendConcurrently(_ count: Int, _ path: String, key: String? = Self.adminKey) async throws
        -> [TestResponse]
    {
        try await withThrowingTaskGroup(of: TestResponse.self) { tasks in
            for _ in 0..<count { tasks.addTask { try await self.send(.get, path, key: key) } }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
    }

    package var worker: IngestionWorker {
        IngestionWorker(store: self.store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// One request. `key` nil sends none.
    package func send(
        _ method: HTTPRequest.Method, _ path: String, key: String? = Self.adminKey, type: String? = nil,
        body: [UInt8] = [], headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        if let key { headers[.authorization] = "Bearer \(key)" }
        if let type { headers[.contentType] = type }
        return try await self.client.send(method, path, headers: headers, body: body)
    }

    package func get<Value: Decodable>(
        _ type: Value.Type, _ path: String, key: String? = Self.adminKey
    ) async throws -> Value {
        try WireJSON.value(type, from: await self.send(.get, path, key: key).data)
    }

    /// The cursor with a valid seal of the server.
    package func sealed(_ cursor: Cursor) async throws -> Cursor {
        let secrets = try await self.store.pool.query("SELECT cursor_secret FROM catalogue").decode(Bytes.self)
        return CursorSeal(secret: secrets.first?.bytes ?? []).sealed(cursor)
    }

    /// Uploads an archive and processes it.
    @discardableResult
    package func push(
        _ archive: [UInt8], to venue: String = "mall", query: String = "", key: String = Self.adminKey
    ) async throws -> Upload {
        let response = try await self.send(
            .post, "/venues/\(venue)/uploads\(query)", key: key, type: "application/zip", body: archive)
        guard response.status == .accepted else { throw Refusal(status: response.status.code, body: response.text) }
        let upload = try WireJSON.value(Upload.self, from: response.data)
        while try await self.worker.workOnce() {}
        return try await self.get(Upload.self, "/uploads/\(upload.id)", key: key)
    }

    package struct Refusal: Error {
        package let status: Int
        package let body: String

        package init(status: Int, body: String) {
            self.status = status
            self.body = body
        }
    }

    /// All pages of the changes of a venue since a cursor.
    package func pages(
        of venue: String = "mall", since cursor: Cursor? = nil, levels: [String] = [], to: Int64? = nil,
        limit: Int? = nil,
        key: String? = Self.adminKey
    ) async throws -> [ChangeSet] {
        try await ChangeSetPages.all(of: venue, since: cursor, levels: levels, to: to, limit: limit) { path in
            let response = try await self.send(.get, path, key: key)
            guard response.status == .ok else { throw Refusal(status: response.status.code, body: response.text) }
            return Array(response.data)
        }
    }
}
