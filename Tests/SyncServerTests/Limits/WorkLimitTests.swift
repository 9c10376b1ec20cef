import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@testable import SyncServer

/// Responses that would take more work than one request may cause.
@Suite(.database)
struct WorkLimitTests {
    @Test(.timeLimit(.minutes(30)))
    func `response that takes too much work is refused, and a request before the time of Retry-After at once`()
        async throws
    {
        try await Harness.listening {
            $0.tileLimit = .zero
        } _: { harness, _ in
            try await harness.push(SampleVenue.tiny.archive())
            // Chinese characters, which take seconds.
            let path = "/venues/mall/glyphs/Sans%20JP/19968-20223.pbf"
            let mall = try #require(VenueKey("mall"))
            func expectRefusal() async throws {
                let response = try await harness.send(.get, path)
                #expect(try response.problem(503).type == "/problems/too-expensive")
                #expect(response.headers[.retryAfter] == "3600")
            }
            try await expectRefusal()
            // It would wait.
            let work = await harness.server.tiles.drawing.permits.startEndlessWork(for: .symbols(mall))
            defer { work.cancel() }
            try await expectRefusal()
        }
    }
}
