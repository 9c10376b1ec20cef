import Foundation
import Ingestion
import Logging
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// A node on the test's database behind nginx, and a worker that runs on request.
struct CachedService: Sendable {
    let node: RemoteService
    let cache: RemoteService
    let proxy: CachingProxy
    private let store: RevisionStore

    static func run(_ test: (CachedService) async throws -> Void) async throws {
        let workplace = try Workplace()
        let node = try ServedNode(
            databaseURL: TestDatabase.current.configuration.url, log: workplace.folder.appending(path: "node.log"))
        try await node.start()
        let proxy = try await CachingProxy(before: node.port, in: workplace.folder.appending(path: "nginx"))
        do {
            try await test(
                CachedService(
                    node: node.service, cache: proxy.service, proxy: proxy, store: TestDatabase.current.store))
            await Self.stop(node, proxy)
        } catch {
            await Self.stop(node, proxy)
            throw error
        }
    }

    private static func stop(_ node: ServedNode, _ proxy: CachingProxy) async {
        await proxy.stop()
        await node.stop()
    }

    /// Uploads and processes a state of a venue; the node learns of it by notification.
    func publish(_ venue: SampleVenue, to key: String = "mall") async throws {
        let upload = try await self.node.upload(venue.archive(), to: key)
        let worker = IngestionWorker(
            store: self.store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        while try await worker.workOnce() {}
        #expect(try await self.node.get(Upload.self, "/uploads/\(upload.id)").state == .published)
    }

    /// The requests that reach the node during `body`.
    func requestsToNode(while body: () async throws -> Void) async throws -> [Substring] {
        let before = try self.proxy.requestsToNode().count
        try await body()
        return Array(try self.proxy.requestsToNode().dropFirst(before))
    }
}

extension RemoteService {
    /// The same service with another key, or with none.
    func with(key: String?) -> RemoteService {
        RemoteService(address: self.address, key: key)
    }

    /// Sends equal requests concurrently.
    func ask(_ path: String, times: Int) async throws -> [Response] {
        try await withThrowingTaskGroup(of: Response.self) { group in
            for _ in 0..<times { group.addTask { try await self.send("GET", path) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension RemoteService.Response {
    /// Whether the proxy answered from its cache.
    var cacheStatus: String? { self.header("X-Cache") }

    var changeSet: ChangeSet {
        get throws { try ChangeSet(json: self.body) }
    }
}
