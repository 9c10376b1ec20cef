import Foundation
import TestSupport
import Testing

/// The worker that `venue up` runs in a process of its own.
@Suite(.serialized)
struct WorkerProcessTests {
    /// Waits for a worker.
    private static func worker(
        of service: RunningService, where matches: (Int32) -> Bool = { _ in true }
    ) async throws -> Int32 {
        var worker: Int32?
        try await eventually("a worker") {
            worker = service.workers.first(where: matches)
            return worker != nil
        }
        return try #require(worker)
    }

    @Test(.timeLimit(.minutes(30)))
    func `venue up: a killed worker is replaced, and uploads are processed again`() async throws {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let first = try await Self.worker(of: service)
        #expect(kill(first, SIGKILL) == 0)
        _ = try await Self.worker(of: service) { $0 != first }
        let archive = workplace.path("v1.zip")
        #expect(try await service.venue("generate", "-o", archive, "--levels", "1", "--units", "4").status == 0)
        #expect(try await service.venue("push", archive, "--to", "mall", "--new").status == 0)
        #expect(await service.stop() == 0)
        #expect(service.workers.isEmpty)
    }
}
