import Foundation
import TestSupport
import Testing

/// What `venue up` does when its private PostgreSQL ends, and when it is stopped while it computes.
@Suite(.serialized)
struct DatabaseEndTests {
    @Test(.timeLimit(.minutes(30)))
    func `venue up ends with the reason when its PostgreSQL was killed, and starts again with everything`() async throws
    {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let archive = workplace.path("v1.zip")
        #expect(try await service.venue("generate", "-o", archive, "--levels", "1", "--units", "4").status == 0)
        #expect(try await service.venue("push", archive, "--to", "mall", "--new").status == 0)
        #expect(kill(service.database, SIGKILL) == 0)
        #expect(try await service.exitStatus() == 6)
        #expect(service.said.contains("The private PostgreSQL has ended (signaled(9))"), "\(service.said.suffix(500))")
        #expect(service.said.contains("start again, and it recovers"))
        #expect(service.workers.isEmpty)

        let again = try await RunningService(in: workplace.folder)
        #expect(try await again.venue("log", "mall").output.contains("1"))
        #expect(await again.stop() == 0)
    }

    @Test(.timeLimit(.minutes(30)))
    func `venue up ends without a trap when it is stopped while its PostgreSQL does not respond`() async throws {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let database = [service.database] + Self.children(of: service.database)
        for process in database { #expect(kill(process, SIGSTOP) == 0) }
        defer { for process in database { kill(process, SIGCONT) } }
        // This request waits for the database and does not react to its cancellation.
        let address = service.address
        let waiting = Task {
            try await RemoteService(address: address, key: RunningService.key).send(
                "GET", "/venues/mall/diff?from=1&to=1")
        }
        try await eventually("the server notices it") { service.said.contains("PostgreSQL does not respond") }
        service.signal(SIGTERM)
        #expect(try await service.exitStatus() == 0, "\(service.said.suffix(2_000))")
        #expect(!service.said.contains("Fatal error"))
        _ = await waiting.result
    }

    private static func children(of parent: Int32) -> [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
        return processes.filter { process in
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            return status?.contains("\nPPid:\t\(parent)\n") ?? false
        }
    }
}
