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

    /// The limit only ends a run in which their normal forms take quadratic time.
    @Test(.timeLimit(.minutes(30))) func `matcher: texts of combining marks take no longer than others`() async throws {
        let reader = ArchiveReader()
        let old = try reader.read(bytes: HostileArchive.manyMarks.zip(seed: 1))
        let new = try reader.read(bytes: HostileArchive.manyMarks.zip(seed: 2))
        let diff = try await onThread { try await ArchiveDiff(old: old, new: new) }
        #expect(diff.comparisonCount >= 40)
        #expect(diff.difference.changes.count <= 80)
        let same = try await onThread { try await ArchiveDiff(old: new, new: new) }
        #expect(same.difference.changes.isEmpty)
    }
}
