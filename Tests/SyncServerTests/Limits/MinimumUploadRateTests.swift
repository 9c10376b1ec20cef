import SyncModel
import SyncServer
import Testing

@Suite struct BodyPaceTests {
    @Test func `a body may take its time, but not for ever`() throws {
        let start = ContinuousClock.now
        let pace = MinimumUploadRate(start: start)
        try pace.check(0, now: start + .seconds(30))
        try pace.check(40 << 10, now: start + .seconds(40))
        let refusal = #expect(throws: Problem.self) { try pace.check((40 << 10) - 1, now: start + .seconds(40)) }
        #expect(refusal?.status == 408 && refusal?.type == "/problems/too-slow")
        #expect(throws: Problem.self) { try pace.check(1, now: start + .seconds(31)) }
        // An archive that comes at an ordinary pace takes as long as it takes.
        try pace.check(512 << 20, now: start + .seconds(3_600))
    }
}
