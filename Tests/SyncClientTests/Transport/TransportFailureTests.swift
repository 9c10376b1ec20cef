import Foundation
import HTTPTransport
import SyncClient
import SyncModel
import TestSupport
import Testing

/// What apps and users of the command line are told when there is no response.
@Suite struct TransportFailureTests {
    private static let page = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

    /// The failure of a request, or of its body.
    private func failure(_ url: String, body: TransportRequest.Body? = nil) async -> TransportFailure? {
        do {
            let request = TransportRequest(method: body == nil ? "GET" : "POST", url: url, body: body)
            _ = try await URLSessionTransport().send(request).bytes()
            return nil
        } catch {
            return TransportFailure(error)
        }
    }

    @Test(
        arguments: [
            ("", false, [TransportFailure.noHTTP, .interrupted]), ("", true, [.interrupted]),
            ("SSH-2.0-OpenSSH_9.2\r\n", false, [.noHTTP]), ("220 mail ESMTP\r\n", false, [.noHTTP]),
            ("HTTP/0.9 nonsense\r\n\r\n", false, [.noHTTP]),
            ("\(Self.page)Content-Length: 1000\r\n\r\n{\"ven", false, [.interrupted]),
            ("\(Self.page)Content-Length: 1000\r\n\r\n{\"ven", true, [.interrupted]),
            ("\(Self.page)Content-Length: abc\r\n\r\nxx", false, [.noHTTP]),
            ("\(Self.page)Transfer-Encoding: chunked\r\n\r\nZZ\r\nxx", false, [.noHTTP]),
            ("\(Self.page)Content-Encoding: gzip\r\nContent-Length: 7\r\n\r\nnotgzip", false, [.noHTTP]),
        ] as [(String, Bool, [TransportFailure])])
    func `what is no response has a reason in words`(
        reply: String, resets: Bool, expected: [TransportFailure]
    ) async throws {
        let server = try RawServer(replying: Array(reply.utf8), resets: resets)
        let failure = try #require(await self.failure("http://127.0.0.1:\(server.port)/"))
        #expect(expected.contains(failure), "\(failure)")
        let secure = try #require(await self.failure("https://127.0.0.1:\(server.port)/"))
        #expect([.noTLS, .interrupted].contains(secure), "\(secure)")
        for reason in [failure.reason, secure.reason] {
            #expect(!reason.contains("Error") && !reason.contains("Code=") && !reason.contains(".swift"), "\(reason)")
        }
    }

    @Test func `no server, no host, no route and no address have reasons of their own`() async throws {
        #expect(await self.failure("http://127.0.0.1:1/") == .refused)
        #expect(await self.failure("http://no-such-host.invalid/") == .unknownHost)
        #expect(await self.failure("") == .invalidAddress)
        for text in [
            "Error Domain=NSURLErrorDomain Code=-1 \"(null)\"", "FoundationNetworking/EasyHandle.swift:484: failed",
            "error:0A00010B:SSL routines::wrong version number", "The operation couldn’t be completed.",
        ] {
            let failure = TransportFailure(
                NSError(domain: "test", code: 1, userInfo: [NSLocalizedDescriptionKey: text]))
            #expect(!failure.reason.contains("/") && !failure.reason.contains("Error Domain"), "\(failure.reason)")
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:1", SyncError.Obstacle.refused), ("http://no-such-host.invalid", .unknownHost),
    ])
    func `a server that does not run is no reason to check the network`(
        address: String, obstacle: SyncError.Obstacle
    ) async throws {
        let server = try ServerAddress(try #require(URL(string: address)), key: nil)
        var policy = RetryPolicy()
        policy.attempts = 1
        let error = await #expect(throws: SyncError.self) {
            try await VenueDirectory(server: server, policy: policy).venues()
        }
        guard case .unreachable(_, let found)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found == obstacle)
        #expect(error?.message(in: "en").contains("network connection") == (obstacle == .unknownHost))
    }

    /// Every other attempt ended the process on Linux.
    @Test func `a connection that is lost while a file is sent is an error`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "archive.zip")
        try Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: file)
        let server = try RawServer(replying: [], resets: true)
        for _ in 0..<20 {
            let failure = await self.failure("http://127.0.0.1:\(server.port)/", body: .file(file) { _ in })
            #expect(failure == .interrupted, "\(String(describing: failure))")
        }
        let missing = folder.appending(path: "none.zip")
        await #expect(throws: (any Error).self) {
            let request = TransportRequest(method: "POST", url: "http://127.0.0.1:1/", body: .file(missing) { _ in })
            _ = try await URLSessionTransport().send(request)
        }
    }
}
