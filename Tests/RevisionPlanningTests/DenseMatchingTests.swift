import IMDFArchive
import IMDFDiff
import RevisionPlanning
import SampleVenue
import TestSupport
import Testing

@Suite struct DenseMatchingTests {
    /// Without a bound on the candidates of each feature this takes minutes.
    @Test func `matcher: thousands of similar features at one position match in bounded time`() async throws {
        let reader = ArchiveReader()
        let old = try reader.read(bytes: HostileArchive.denseUnits.zip(seed: 1, units: 4_000))
        let new = try reader.read(bytes: HostileArchive.denseUnits.zip(seed: 2, units: 4_000))
        let start = ContinuousClock.now
        let diff = try await onThread { try await ArchiveDiff(old: old, new: new) }
        #expect(ContinuousClock.now - start < .seconds(300))
        #expect(diff.difference.changes.count <= 8_000)
    }
}
