import IMDFArchive
import IMDFDiff
import RevisionPlanning
import SampleVenue
import TestSupport
import Testing

@Suite struct DenseMatchingTests {
    @Test func `matcher: a feature is compared with a bounded number of the similar ones at its position`() async throws
    {
        let units = 1_000
        let reader = ArchiveReader()
        let old = try reader.read(bytes: HostileArchive.denseUnits.zip(seed: 1, units: units))
        let new = try reader.read(bytes: HostileArchive.denseUnits.zip(seed: 2, units: units))
        let diff = try await onThread { try await ArchiveDiff(old: old, new: new) }
        #expect(diff.comparisonCount > units)
        // Without a bound, each would be compared with all others.
        #expect(diff.comparisonCount < units * 400, "\(diff.comparisonCount) comparisons")
        #expect(diff.difference.changes.count <= 2 * units)
    }
}
