import Hummingbird
import NIOCore
import SyncModel
import Synchronization

/// Bounds the memory of long bodies that are held as a whole until their clients have read them: many clients may read slowly at the same
/// time, and would leave no memory to others.
///
/// A buffer that several responses send, because a cache has it, counts once. Bodies that are made while they are sent, in small parts, do
/// not count.
final class ResponseMemory: Sendable {
    /// That of the process. A test may have its own.
    @TaskLocal static var current: ResponseMemory = ResponseMemory()

    /// The rate in bytes per second at which clients have to read long bodies.
    static let minBytesPerSecond = 16 << 10
    /// A client may take this long for any body.
    private static let minReadingTime = Duration.seconds(60)

    /// The venue of the running request, if it has one: a venue may hold a quarter of the memory, or one body.
    @TaskLocal static var venue: String?

    private struct Held {
        let venue: String?
        var responses = 0
    }

    private struct State {
        var bytes = 0
        var bytesOfVenue: [String: Int] = [:]
        /// The buffers that are held, by the address of their bytes.
        var held: [UInt: Held] = [:]

        mutating func add(_ bytes: Int, to venue: String?) {
            self.bytes += bytes
            guard let venue else { return }
            let sum = self.bytesOfVenue[venue, default: 0] + bytes
            self.bytesOfVenue[venue] = sum > 0 ? sum : nil
        }
    }

    private let state = Mutex(State())
    private let limit: Int
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter limit: The bytes that are held at most.
    init(limit: Int = 256 << 20, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.limit = limit
        self.now = now
    }

    /// The bytes that are held.
    var bytes: Int { self.state.withLock(\.bytes) }

    /// Counts a buffer, which must not be empty, for as long as the result exists.
    ///
    /// - Throws: `Problem.busy` if there is no room for it.
    func hold(_ buffer: ByteBuffer) throws -> HeldBuffer {
        let address = Self.address(of: buffer)
        let hasRoom = self.state.withLock { state in
            if state.held[address] == nil {
                let (bytes, venue) = (buffer.readableBytes, Self.venue)
                let share = venue.flatMap { state.bytesOfVenue[$0] } ?? 0
                guard state.bytes + bytes <= self.limit, share == 0 || share + bytes <= self.limit / 4 else {
                    return false
                }
                state.held[address] = Held(venue: venue)
                state.add(bytes, to: venue)
            }
            state.held[address]?.responses += 1
            return true
        }
        guard hasRoom else { throw Problem.busy }
        return HeldBuffer(buffer, in: self)
    }

    private func release(_ buffer: ByteBuffer) {
        let address = Self.address(of: buffer)
        self.state.withLock { state in
            guard let held = state.held[address] else { return }
            state.held[address]?.responses -= 1
            guard held.responses == 1 else { return }
            state.held[address] = nil
            state.add(-buffer.readableBytes, to: held.venue)
        }
    }

    /// No two buffers that are held have the same address, because holding one keeps its bytes in memory.
    private static func address(of buffer: ByteBuffer) -> UInt {
        buffer.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
    }

    /// A buffer that counts as long as this object exists.
    final class HeldBuffer: Sendable {
        private let buffer: ByteBuffer
        private let memory: ResponseMemory

        fileprivate init(_ buffer: ByteBuffer, in memory: ResponseMemory) {
            self.buffer = buffer
            self.memory = memory
        }

        deinit { self.memory.release(self.buffer) }

        fileprivate func copy(of range: Range<Int>) -> ByteBuffer { self.buffer.copy(of: range) }

        fileprivate var count: Int { self.buffer.readableBytes }

        /// When a client that begins to read now must have read all of it.
        fileprivate var deadline: ContinuousClock.Instant {
            let time = Duration.seconds(self.count / ResponseMemory.minBytesPerSecond)
            return self.memory.now() + max(ResponseMemory.minReadingTime, time)
        }

        fileprivate func isOver(_ deadline: ContinuousClock.Instant) -> Bool { self.memory.now() > deadline }
    }
}

extension ResponseBody {
    /// A body in memory. A long one counts in the ``ResponseMemory`` until it was sent, or its client has left.
    ///
    /// - Parameter range: The bytes of the buffer that are sent, counted from its first one; nil for all of them.
    /// - Throws: `Problem.busy` if there is no room for it.
    static func held(_ buffer: ByteBuffer, _ range: Range<Int>? = nil) throws -> ResponseBody {
        // A part does not keep the rest.
        let part = range.flatMap { $0.count < buffer.readableBytes ? buffer.copy(of: $0) : nil }
        let sent = part ?? buffer
        guard sent.readableBytes > Response.largeBody else { return ResponseBody(byteBuffer: sent) }
        let held = try ResponseMemory.current.hold(sent)
        return ResponseBody(contentLength: sent.readableBytes) { writer in
            var stream = StreamWriter(writer: writer)
            try await stream.write(held)
            try await stream.finish()
        }
    }
}

extension StreamWriter {
    /// Bytes of a part, after which other connections have their turn. The first turn is longer, so that few bodies wait at all.
    private static let partBytes = 128 << 10
    private static let bytesOfFirstTurn = 512 << 10

    /// Writes a buffer. It is copied in parts, so that the last part, which waits to be sent when this returns, does not keep the others in
    /// memory.
    ///
    /// - Throws: ``ReadingTooSlow``, besides what writing throws.
    mutating func write(_ held: ResponseMemory.HeldBuffer) async throws {
        let deadline = held.deadline
        for start in stride(from: 0, to: held.count, by: Self.partBytes) {
            let end = min(start + Self.partBytes, held.count)
            try await self.writer.write(held.copy(of: start..<end))
            if held.isOver(deadline) { throw ReadingTooSlow() }
            if end >= Self.bytesOfFirstTurn { await EventLoopExecutor.waitForTurn() }
        }
    }
}

/// A client reads a long body too slowly. Its connection is closed.
struct ReadingTooSlow: Error {}

extension ByteBuffer {
    /// A copy of some readable bytes, counted from the first one. Unlike a slice, it does not keep the others in memory.
    fileprivate func copy(of range: Range<Int>) -> ByteBuffer {
        self.getSlice(at: self.readerIndex + range.lowerBound, length: range.count).map { ByteBuffer(buffer: $0) }
            ?? ByteBuffer()
    }
}
