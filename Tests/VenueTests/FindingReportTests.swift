import Foundation
import HTTPTypes
import SyncModel
import Synchronization
import TestSupport
import Testing

/// The findings that are printed after an upload, while the server still validates it.
@Suite struct FindingReportTests {
    private static func upload(isComplete: Bool, errors: Int, warnings: Int) -> [UInt8] {
        Array(
            """
            {"archive":"sha-256:\(String(repeating: "0", count: 64))","attempts":1,"author":"ana","base":1,"bytes":9,"changes":null,
            "created_venue":false,"failure":null,"findings":{"complete":\(isComplete),"error":\(errors),"info":0,"warning":\(warnings)},
            "finished_at":"2026-04-01T09:00:00.000Z","id":"u","identity":null,"message":null,"overrides":null,
            "progress":{"done":0,"phase":null,"total":0},"publish_at":null,"published_by":null,"reasons":[],
            "received_at":"2026-04-01T09:00:00.000Z","revision":1,"state":"unchanged","venue":"mall"}
            """.utf8)
    }

    private static let list = Array(
        """
        {"counts":{"PV-12":1,"ST-10":1},"findings":[
        {"at":null,"feature_id":null,"feature_type":null,"file":null,"message":"One.","pointer":null,"rule":"PV-12","severity":"error"},
        {"at":null,"feature_id":null,"feature_type":null,"file":null,"message":"Two.","pointer":null,"rule":"ST-10","severity":"warning"}],
        "next":null}
        """.utf8)

    /// What `venue status` prints if the first answer is that only a warning was found, and validation ends before the second one or not.
    private func printed(endsMeanwhile: Bool) async throws -> String {
        let requests = Mutex(0)
        let outcome = try await withAnsweringServer { path in
            guard !path.contains("/findings") else { return (.ok, Self.list) }
            let number = requests.withLock { count in
                count += 1
                return count
            }
            let isComplete = endsMeanwhile && number > 1
            return (.ok, Self.upload(isComplete: isComplete, errors: isComplete ? 1 : 0, warnings: 1))
        } _: { address in
            try await VenueProgram.run(["status", "u"], server: address)
        }
        #expect(outcome.status == 0, "\(outcome.complaint)")
        return outcome.output
    }

    @Test func `findings are counted as they are listed, also if validation ends in between`() async throws {
        let complete = try await self.printed(endsMeanwhile: true)
        #expect(complete.contains("Findings: 1 error, 1 warning, 0 informational."), "\(complete)")
        #expect(!complete.contains("still running"), "\(complete)")
        let running = try await self.printed(endsMeanwhile: false)
        #expect(running.contains("Validation is still running."), "\(running)")
        #expect(running.contains("Findings so far: 1 error, 1 warning, 0 informational."), "\(running)")
        for output in [complete, running] {
            #expect(output.contains("error PV-12: One.") && output.contains("warning ST-10: Two."))
        }
    }
}
