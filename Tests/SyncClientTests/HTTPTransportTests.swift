import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import IMDF
import NIOCore
import SyncClient
import SyncModel
import Synchronization
import Testing

/// The transport, over a real socket.
struct HTTPTransportTests {
    @Test func `a redirect is not followed, and the key stays where it is`() async throws {
        let visits = Mutex(0)
        let router = Router()
        router.get("venues/mall/sync") { request, _ in
            #expect(request.headers[.authorization] == "Bearer secret")
            return Response(status: .temporaryRedirect, headers: [.location: "/elsewhere"])
        }
        router.get("elsewhere") { _, _ in
            visits.withLock { $0 += 1 }
            return Response(status: .ok)
        }
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
            .test(.live) { client in
                let port = try #require(client.port)
                let folder = try Folder()
                let replica = try await Self.replica(port, in: folder)
                await #expect(throws: SyncError.refused(status: 307, "")) { try await replica.sync() }
                withExtendedLifetime(folder) {}
            }
        #expect(visits.withLock { $0 } == 0)
    }

    @Test func `nobody there, and a reply that breaks off, are a network that is not there`() async throws {
        let router = Router()
        router.get("venues/mall/sync") { _, _ in
            Response(
                status: .ok, headers: [.contentLength: "1000"],
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "{\"about\":"))
                    throw CancellationError()
                })
        }
        let port = try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0))
        ).test(.live) { client in
            let port = try #require(client.port)
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

    private static func replica(_ port: Int, in folder: Folder) async throws -> VenueReplica {
        let address = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let mall = try #require(VenueKey("mall"))
        return try await .open(folder.file, server: address, venue: mall, key: "secret")
    }
}
