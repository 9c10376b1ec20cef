import SyncServer
import Synchronization
import Testing

struct TurnstileTests {
    private final class Room: Sendable {
        let state = Mutex((now: 0, most: 0, passed: 0))

        func visit() async {
            self.state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            for _ in 0..<3 { await Task.yield() }
            self.state.withLock {
                $0.now -= 1
                $0.passed += 1
            }
        }
    }

    @Test(arguments: [1, 2, 5])
    func `no more are inside than may be, and everyone gets in`(width: Int) async throws {
        let turnstile = Turnstile(width: width)
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { try await turnstile.pass { await room.visit() } } }
            try await group.waitForAll()
        }
        let (now, most, passed) = room.state.withLock { $0 }
        #expect(now == 0 && passed == 200)
        #expect(most <= width && most > 0)
    }

    @Test func `who gives up in the line does not take a turn, and who fails gives it back`() async throws {
        struct Trouble: Error {}
        let turnstile = Turnstile(width: 1)
        let (isIn, enter) = AsyncStream.makeStream(of: Void.self)
        let (mayLeave, leave) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await turnstile.pass {
                enter.yield()
                for await _ in mayLeave { break }
                throw Trouble()
            }
        }
        for await _ in isIn { break }
        let second = Task { try await turnstile.pass { Issue.record("it was given up") } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        leave.yield()
        await #expect(throws: Trouble.self) { try await first.value }
        #expect(try await turnstile.pass { 7 } == 7)
    }
}
