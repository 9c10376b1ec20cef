import IMDFArchive
import IMDFDiff
import Ingestion
import SampleVenue
import TestSupport
import Testing

@Suite struct DenseMatchingTests {
    /// With every stored feature of the place as a candidate of every arrival this takes minutes.
    @Test func `thousands of lookalikes in one place are matched in bounded time`() async throws {
        let reader = ArchiveReader()
        let old = try reader.read(bytes: HostileArchive.denseUnits.zip(seed: 1))
        let new = try reader.read(bytes: HostileArchive.denseUnits.zip(seed: 2))
        let start = ContinuousClock.now
        let diff = try await onThread { try await ArchiveDiff(old: old, new: new) }
        #expect(ContinuousClock.now - start < .seconds(600))
        #expect(diff.difference.changes.count <= 24_000)
    }
}
