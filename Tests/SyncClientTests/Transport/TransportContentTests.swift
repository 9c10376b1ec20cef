import Compression
import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import NIOCore
import SyncClient
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What each transport sends and receives, over a real socket.
struct TransportContentTests {
    private static let bytes = (0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }

    @Test func `a response is read while it arrives`() async throws {
        let (reads, read) = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        router.get("page") { _, _ in
            Response(
                status: .ok, headers: [HTTPField.Name("X-Test")!: "here"],
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "first\n"))
                    // Goes on only when the client has the first part.
                    var iterator = reads.makeAsyncIterator()
                    await iterator.next()
                    try await writer.write(ByteBuffer(string: "second\n"))
                    try await writer.finish(nil)
                })
        }
        try await withServer(router) { port in
            let response = try await URLSessionTransport().send(.init(url: "http://127.0.0.1:\(port)/page"))
            #expect(response.status == 200 && response.headers["x-test"] == "here")
            var blocks = response.body.makeAsyncIterator()
            let first = try await blocks.next(isolation: nil)
            #expect(first == Array("first\n".utf8))
            read.yield()
            var rest: [UInt8] = []
            while let block = try await blocks.next(isolation: nil) { rest += block }
            #expect(rest == Array("second\n".utf8))
        }
    }

    @Test func `a large response arrives whole`() async throws {
        let router = Router()
        router.get("page") { _, _ in
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: Self.bytes)))
        }
        try await withServer(router) { port in
            let response = try await URLSessionTransport().send(.init(url: "http://127.0.0.1:\(port)/page"))
            #expect(try await response.bytes() == Self.bytes)
        }
    }

    @Test func `a compressed response is decompressed`() async throws {
        let text = Array(String(repeating: "unit ", count: 10_000).utf8)
        let packed = try ContentCoding.gzip.compressed(text)
        let router = Router()
        router.get("page") { request, _ in
            #expect(request.headers[.acceptEncoding]?.contains("gzip") == true)
            return Response(
                status: .ok, headers: [.contentEncoding: "gzip"], body: .init(byteBuffer: ByteBuffer(bytes: packed)))
        }
        try await withServer(router) { port in
            let response = try await URLSessionTransport().send(.init(url: "http://127.0.0.1:\(port)/page"))
            #expect(try await response.bytes() == text)
        }
    }

    @Test func `a file is uploaded with its length, and progress is reported up to the last byte`() async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "archive.zip")
        try Data(Self.bytes).write(to: file)
        let router = Router()
        router.post("uploads") { request, _ in
            #expect(request.headers[.contentLength] == "\(Self.bytes.count)")
            #expect(request.headers[.contentType] == "application/zip")
            let body = try await request.body.collect(upTo: 16 << 20)
            return Response(
                status: .accepted,
                body: .init(byteBuffer: ByteBuffer(string: Digest(of: [UInt8](body.readableBytesView)).hex)))
        }
        let reports = Mutex<[Int64]>([])
        try await withServer(router) { port in
            let response = try await URLSessionTransport().send(
                .init(
                    method: "POST", url: "http://127.0.0.1:\(port)/uploads",
                    headers: ["Content-Type": "application/zip"],
                    body: .file(file) { sent in reports.withLock { $0.append(sent) } }))
            #expect(response.status == 202)
            #expect(String(decoding: try await response.bytes(), as: UTF8.self) == Digest(of: Self.bytes).hex)
        }
        let sent = reports.withLock { $0 }
        #expect(sent == sent.sorted() && sent.last == Int64(Self.bytes.count))
    }

    @Test func `a request body in memory is sent, and an error response has its body`() async throws {
        let router = Router()
        router.post("echo") { request, _ in
            Response(status: .conflict, body: .init(byteBuffer: try await request.body.collect(upTo: 1 << 20)))
        }
        try await withServer(router) { port in
            let response = try await URLSessionTransport().send(
                .init(method: "POST", url: "http://127.0.0.1:\(port)/echo", body: .bytes(Array("text".utf8))))
            #expect(response.status == 409)
            #expect(try await response.bytes() == Array("text".utf8))
        }
    }

    @Test func `cookies are not stored, and nothing answers a request for credentials`() async throws {
        let requests = Mutex(0)
        let router = Router()
        router.get("page") { request, _ in
            requests.withLock { $0 += 1 }
            #expect(request.headers[.cookie] == nil && request.headers[.authorization] == nil)
            return Response(
                status: .unauthorized, headers: [.setCookie: "session=1", .wwwAuthenticate: "Basic realm=\"maps\""])
        }
        try await withServer(router) { port in
            let transport = URLSessionTransport()
            for _ in 0..<2 {
                let response = try await transport.send(.init(url: "http://127.0.0.1:\(port)/page"))
                #expect(response.status == 401)
                #expect(try await response.bytes().isEmpty)
            }
        }
        #expect(requests.withLock { $0 } == 2)
    }

    @Test func `URLSessionTransport does not alter the caller's configuration`() {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 7
        configuration.requestCachePolicy = .returnCacheDataElseLoad
        let transport = URLSessionTransport(configuration: configuration)
        #expect(configuration.timeoutIntervalForRequest == 7)
        #expect(configuration.requestCachePolicy == .returnCacheDataElseLoad)
        #expect(configuration.httpShouldSetCookies)
        #expect(configuration.httpCookieStorage != nil && configuration.urlCache != nil)
        #expect(configuration.urlCredentialStorage != nil)
        withExtendedLifetime(transport) {}
    }
}
