import IMDFArchive
import Synchronization
import TestSupport
import Testing

@testable import SyncServer

struct SharedArchivesTests {
    private struct Failure: Error {}

    @Test func `archives: those who request one at the same time share it, and it disappears with the last of them`()
        async throws
    {
        let archives = SharedArchives()
        let made = Mutex(0)
        let (permission, permit) = AsyncStream<Void>.makeStream()
        let make: @Sendable () async throws -> SharedArchives.Archive = {
            made.withLock { $0 += 1 }
            for await _ in permission {}
            return (try TemporaryFile(), 3)
        }
        var files = try await withThrowingTaskGroup(of: SharedArchives.Archive.self) { group in
            for _ in 0..<100 { group.addTask { try await archives.archive("a", make) } }
            try await eventually("one is being made") { made.withLock { $0 } == 1 }
            permit.finish()
            return try await group.reduce(into: [SharedArchives.Archive]()) { $0.append($1) }
        }
        // Who comes while it is sent takes part, too.
        try await files.append(archives.archive("a", make))
        #expect(Set(files.map { ObjectIdentifier($0.file) }).count == 1 && files.allSatisfy { $0.leftOut == 3 })
        #expect(made.withLock { $0 } == 1)
        try await files.append(archives.archive("b", make))
        #expect(made.withLock { $0 } == 2)

        weak let last = files.first?.file
        files = []
        try await eventually("the file is gone") { last == nil }
        _ = try await archives.archive("a", make)
        #expect(made.withLock { $0 } == 3)
    }

    @Test func `archives: one that could not be made is made by the next request`() async throws {
        let archives = SharedArchives()
        await #expect(throws: Failure.self) { _ = try await archives.archive("a") { throw Failure() } }
        #expect(try await archives.archive("a") { (try TemporaryFile(), nil) }.leftOut == nil)
    }
}
