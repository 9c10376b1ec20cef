import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import NIOCore
import SyncClient
import SyncModel
import Synchronization
import Testing

/// The transport, used by a replica over a real socket.
struct TransportTests {
    @Test(arguments: ["/elsewhere", "http://localhost:1/elsewhere"])
    func `a redirect is not followed, and the key stays with its server`(location: String) async throws {
        let visits = Mutex(0)
        let router = Router()
        router.get("venues/mall/sync") { request, _ in
            #expect(request.headers[.authorization] == "Bearer secret")
            return Response(status: .temporaryRedirect, headers: [.location: location])
        }
        router.get("elsewhere") { _, _ in
            visits.withLock { $0 += 1 }
            return Response(status: .ok)
        }
        try await withServer(router) { port in
            let folder = try Folder()
            let replica = try await Self.replica(port, in: folder)
            await #expect(throws: SyncError.redirected(status: 307, to: location)) { try await replica.sync() }
            withExtendedLifetime(folder) {}
        }
        #expect(visits.withLock { $0 } == 0)
    }

    @Test func `a missing server and a response that ends early are reported as unreachable`() async throws {
        let router = Router()
        router.get("venues/mall/sync") { _, _ in
            Response(
                status: .ok, headers: [.contentLength: "1000"],
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "{\"about\":"))
                    throw CancellationError()
                })
        }
        let port = try await withServer(router) { port in
            try await Self.expectUnreachable(port)
            return port
        }
        try await Self.expectUnreachable(port)
    }

    private static func expectUnreachable(_ port: Int) async throws {
        let folder = try Folder()
        let replica = try await Self.replica(port, in: folder)
        let error = await #expect(throws: SyncError.self) { try await replica.sync() }
        withExtendedLifetime(folder) {}
        guard case .unreachable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `cancelling a synchronisation ends its request`() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        router.get("venues/mall/sync") { _, _ in
            arrived.yield()
            for await _ in releases {}  // also ends when the server cancels the request
            return Response(status: .ok)
        }
        try await withServer(router) { port in
            let folder = try Folder()
            let replica = try await Self.replica(port, in: folder)
            let synchronisation = Task { try await replica.sync() }
            var arrival = arrivals.makeAsyncIterator()
            await arrival.next()
            synchronisation.cancel()
            await #expect(throws: CancellationError.self) { try await synchronisation.value }
            release.finish()
            withExtendedLifetime(folder) {}
        }
    }

    private static func replica(_ port: Int, in folder: Folder) async throws -> VenueReplica {
        let address = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let mall = try #require(VenueKey("mall"))
        return try await .open(
            folder.file, server: address, venue: mall, key: "secret", transport: URLSessionTransport())
    }
}
