import Hummingbird
import Logging
import NIOEmbedded
import RevisionStore
import Synchronization
import TestSupport
import Testing

@testable import SyncServer

/// How often a read is repeated whose state has changed meanwhile.
@Suite(.database)
struct ReadRetryTests {
    private static func context() -> AppRequestContext {
        AppRequestContext(
            source: ApplicationRequestContextSource(
                channel: EmbeddedChannel(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Reads with work that fails a number of times.
    ///
    /// - Returns: How often the work was done.
    private static func attempts(failing count: Int, with error: any Error) async throws -> Int {
        let attempts = Atomic<Int>(0)
        try await Harness.run { harness in
            let executor = RequestExecutor(readModel: harness.server.readModel)
            do {
                try await executor.read(Self.context()) {
                    if attempts.wrappingAdd(1, ordering: .relaxed).newValue <= count { throw error }
                }
            } catch is StoreError {}
        }
        return attempts.load(ordering: .relaxed)
    }

    @Test func `a read is repeated over the present state, five times at most`() async throws {
        let errors: [any Error] = [
            StoreError.historyChanged, OutdatedRead(cause: .revisionPruned(1, first: 2)),
        ]
        for error in errors {
            #expect(try await Self.attempts(failing: 1, with: error) == 2)
            #expect(try await Self.attempts(failing: 4, with: error) == 5)
            #expect(try await Self.attempts(failing: .max, with: error) == 5)
        }
    }

    @Test func `a read that ends with an error of its own is not repeated`() async throws {
        #expect(try await Self.attempts(failing: .max, with: StoreError.revisionPruned(1, first: 2)) == 1)
    }

    @Test func `an outdated read ends with its cause`() async throws {
        try await Harness.run { harness in
            let executor = RequestExecutor(readModel: harness.server.readModel)
            await #expect(throws: StoreError.revisionPruned(1, first: 2)) {
                try await executor.read(Self.context()) { throw OutdatedRead(cause: .revisionPruned(1, first: 2)) }
            }
        }
    }
}
