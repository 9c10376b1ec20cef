import HTTPTypes
import Hummingbird
import IMDF
import NIOCore
import SampleVenue
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import SyncServer

/// Long bodies that are held in memory while clients read them.
@Suite(.server)
struct ResponseMemoryTests {
    /// The address of a feature of 400 kB.
    private static let path = "/venues/mall/features/\(Handmade.id(3))"
    private static let others = ["\(Self.path)/history", "/ogc/mall/collections/unit/items/\(Handmade.id(3))"]

    private static func publish() async throws {
        let note = JSONValue.string(String(repeating: "x", count: 200_000))
        let properties: JSONValue = ["level_id": Handmade.reference(2), "a": note, "b": note]
        try await Harness.current.push(
            Handmade.zip([
                Handmade.feature(1, .venue, geometry: Handmade.square()),
                Handmade.feature(2, .level, ["ordinal": 0], geometry: Handmade.square()),
                Handmade.feature(3, .unit, properties, geometry: Handmade.square(0.0005)),
            ]))
    }

    @Test func `long bodies beyond the bound are refused until others were read`() async throws {
        let harness = Harness.current
        try await Self.publish()
        let memory = ResponseMemory(limit: 600_000)
        try await ResponseMemory.$current.withValue(memory) {
            let request = DirectRequest(path: Self.path, key: Harness.adminKey)
            let first = try await request.send(
                to: harness,
                begun: {
                    #expect(memory.bytes > 400_000)
                    for path in [Self.path] + Self.others {
                        let second = try await harness.send(.get, path)
                        #expect(try second.problem(503, path).type == "/problems/busy")
                        #expect(second.headers[.retryAfter] != nil)
                    }
                    // A short one takes no room.
                    #expect(try await harness.send(.get, "/venues/mall/revisions").status == .ok)
                })
            #expect(first.status == 200 && first.end == nil && first.text.utf8.count > 400_000)
            #expect(memory.bytes == 0)
            #expect(try await harness.send(.get, Self.path).status == .ok)
        }
    }

    @Test func `memory of a long body is free when its client has left, and after HEAD`() async throws {
        struct Disconnected: Error {}
        let harness = Harness.current
        try await Self.publish()
        let memory = ResponseMemory(limit: 600_000)
        try await ResponseMemory.$current.withValue(memory) {
            let request = DirectRequest(path: Self.path, key: Harness.adminKey)
            let response = try await request.send(to: harness, begun: { throw Disconnected() })
            #expect(response.end is Disconnected && memory.bytes == 0)
            #expect(try await harness.send(.head, Self.path).status == .ok && memory.bytes == 0)
        }
    }

    @Test func `long sync is sent in parts without memory for the whole, and refused in the delta form`() async throws {
        let harness = Harness.current
        var random = SplitMix64(seed: 5)
        let units = (3..<203).map { number in
            let note = (0..<300).map { _ in String(random.next(), radix: 36) }.joined()
            let properties: JSONValue = ["level_id": Handmade.reference(2), "note": .string(note)]
            return Handmade.feature(number, .unit, properties, geometry: Handmade.square(0.0001))
        }
        try await harness.push(
            Handmade.zip(
                [
                    Handmade.feature(1, .venue, geometry: Handmade.square()),
                    Handmade.feature(2, .level, ["ordinal": 0], geometry: Handmade.square()),
                ] + units))
        func sync() async throws -> (length: Int?, bytes: [UInt8]) {
            let response = try await harness.send(.get, "/venues/mall/sync", headers: [.acceptEncoding: "gzip"])
            #expect(response.status == .ok && response.data.count > Response.largeBody)
            return (response.headers[.contentLength].flatMap { Int($0) }, Array(response.data))
        }
        let delta = "/venues/mall/sync?form=delta"
        let first = try await sync()
        try await ResponseMemory.$current.withValue(ResponseMemory(limit: 100_000)) {
            for _ in 0..<2 {
                let response = try await sync()
                #expect(response.length == nil && response.bytes == first.bytes)
            }
            let refusal = try await harness.send(.get, delta)
            #expect(try refusal.problem(503, "delta").type == "/problems/busy")
        }
        let whole = try await sync()
        #expect(whole.length == whole.bytes.count && whole.bytes == first.bytes)
        #expect(try await harness.send(.get, delta).status == .ok)
    }

    @Test func `buffer that several responses send counts once, and a short part of it does not count`() throws {
        let memory = ResponseMemory(limit: 1_000_000)
        try ResponseMemory.$current.withValue(memory) {
            let buffer = ByteBuffer(repeating: 1, count: 700_000)
            var bodies = try [ResponseBody.held(buffer), ResponseBody.held(buffer)]
            #expect(bodies.map(\.contentLength) == [700_000, 700_000] && memory.bytes == 700_000)
            bodies.append(try ResponseBody.held(buffer, 10..<1_000))
            bodies.removeFirst()
            #expect(memory.bytes == 700_000)
            #expect(throws: Problem.self) { try ResponseBody.held(buffer, 100_000..<500_000) }
            bodies.removeFirst()
            #expect(bodies.map(\.contentLength) == [990] && memory.bytes == 0)
            // A long part does not keep the rest.
            bodies.append(try ResponseBody.held(buffer, 100_000..<500_000))
            #expect(memory.bytes == 400_000)
        }
    }

    @Test func `a venue holds a quarter of the memory, or one body, and leaves the rest to others`() throws {
        let memory = ResponseMemory(limit: 4_000_000)
        func held(_ bytes: Int, of venue: String?) throws -> ResponseBody {
            try ResponseMemory.$venue.withValue(venue) { try .held(ByteBuffer(repeating: 1, count: bytes)) }
        }
        try ResponseMemory.$current.withValue(memory) {
            var bodies = [try held(600_000, of: "mall"), try held(400_000, of: "mall")]
            #expect(throws: Problem.self) { try held(300_000, of: "mall") }
            // One that is larger than the share.
            bodies.append(try held(1_500_000, of: "airport"))
            #expect(throws: Problem.self) { try held(300_000, of: "airport") }
            bodies.append(try held(500_000, of: nil))
            #expect(memory.bytes == 3_000_000)
            bodies.removeFirst()
            bodies.append(try held(600_000, of: "mall"))
            bodies = []
            #expect(memory.bytes == 0)
            bodies.append(try held(1_000_000, of: "mall"))
        }
    }

    @Test func `held body is sent byte for byte, in parts that do not keep each other in memory`() async throws {
        let buffer = ByteBuffer(bytes: (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let reader = PartReader()
        try await ResponseBody.held(buffer, 1_000..<600_000).write(reader)
        let parts = reader.parts
        #expect(parts.count > 4 && parts.allSatisfy { $0.storageCapacity <= 256 << 10 })
        #expect(parts.flatMap { Array($0.readableBytesView) } == buffer.getBytes(at: 1_000, length: 599_000))
    }

    @Test(arguments: [(20 << 10, true), (8 << 10, false)])
    func `client that reads a long body too slowly is disconnected`(bytesPerSecond: Int, isSent: Bool) async throws {
        let clock = Clock()
        let memory = ResponseMemory(limit: 16 << 20) { clock.now }
        let reader = PartReader { clock.advance(by: .seconds(Double($0) / Double(bytesPerSecond))) }
        let wasSent = try await ResponseMemory.$current.withValue(memory) {
            let body = try ResponseBody.held(ByteBuffer(repeating: 1, count: 4 << 20))
            return (try? await body.write(reader)) != nil
        }
        let read = reader.parts.reduce(0) { $0 + $1.readableBytes }
        #expect(wasSent == isSent && (read == 4 << 20) == isSent)
    }
}

/// A clock that advances when it is told to.
private final class Clock: Sendable {
    private let time = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { self.time.withLock(\.self) }

    func advance(by duration: Duration) { self.time.withLock { $0 = $0 + duration } }
}

/// Keeps the parts of a body.
private final class PartReader: ResponseBodyWriter, Sendable {
    private let received = Mutex<[ByteBuffer]>([])
    private let willRead: @Sendable (_ bytes: Int) -> Void

    var parts: [ByteBuffer] { self.received.withLock(\.self) }

    init(willRead: @escaping @Sendable (_ bytes: Int) -> Void = { _ in }) {
        self.willRead = willRead
    }

    func write(_ buffer: ByteBuffer) async throws {
        self.willRead(buffer.readableBytes)
        self.received.withLock { $0.append(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
