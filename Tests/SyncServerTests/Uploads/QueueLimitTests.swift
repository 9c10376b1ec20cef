import HTTPTypes
import RevisionStore
import SyncServer
import TestSupport
import Testing

@Suite(.database)
struct QueueLimitTests {
    @Test func `uploads beyond the queue limit of a venue are refused until earlier ones are done`() async throws {
        var settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        settings.queueLimits = QueueLimits(perVenue: 2)
        try await Harness.run(settings: settings) { harness in
            for number in 0..<2 {
                #expect(try await harness.upload([1, 2, 3, UInt8(number)]).status == .accepted)
            }
            let refused = try await harness.upload([1, 2, 3, 4])
            try refused.problem(429)
            #expect(refused.text.contains("queue-full"))
            #expect(refused.headers[.retryAfter].flatMap(Int.init) ?? 0 > 0)
            #expect(try await harness.count("upload") == 2)
            #expect(try await harness.count("archive") == 2, "what is refused is not kept")
            try await harness.work()
            #expect(try await harness.upload([1, 2, 3, 4]).status == .accepted)
        }
    }
}
