import SyncModel
import SyncServer
import Testing

@Suite struct MinimumUploadRateTests {
    @Test func `upload below the minimum rate is refused with 408`() throws {
        let start = ContinuousClock.now
        let rate = MinimumUploadRate(start: start)
        try rate.check(0, now: start + .seconds(30))
        try rate.check(40 << 10, now: start + .seconds(40))
        let refusal = #expect(throws: Problem.self) { try rate.check((40 << 10) - 1, now: start + .seconds(40)) }
        #expect(refusal?.status == 408 && refusal?.type == "/problems/too-slow")
        #expect(throws: Problem.self) { try rate.check(1, now: start + .seconds(31)) }
        // An upload above the minimum rate may take any time.
        try rate.check(512 << 20, now: start + .seconds(3_600))
    }
}
