import Foundation
import IMDFArchive
import IMDFDiff
import RevisionPlanning
import Testing

private let campus = ProcessInfo.processInfo.environment["VENUE_SAMPLES"].map { $0 + "/polytech" }

/// Exports of a real campus, if `VENUE_SAMPLES` names the folder that contains them.
@Suite(.enabled(if: campus != nil)) struct RealArchiveTests {
    /// Two exports and a lower bound of the difference: the number of features whose content, without ids, is only in one of them.
    struct Step: CustomTestStringConvertible {
        let old: String
        let new: String
        let least: Int

        var testDescription: String { "\(self.old) to \(self.new)" }
    }

    static let steps = [
        Step(old: "r1", new: "r2", least: 4), Step(old: "r2", new: "r1", least: 4),
        Step(old: "r2", new: "r3", least: 5_081), Step(old: "r3", new: "r4", least: 2_471),
        Step(old: "r4", new: "r3", least: 2_471), Step(old: "r1", new: "r4", least: 5_110),
    ]

    private func archive(_ name: String) throws -> Archive {
        let folder = try #require(campus)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let file = try #require(files.first { $0.hasPrefix(name + "-") })
        return try ArchiveReader().read(bytes: Array(Data(contentsOf: URL(filePath: "\(folder)/\(file)"))))
    }

    @Test(arguments: Self.steps)
    func `archive diff: two exports of a campus differ by little more than the lower bound`(step: Step) async throws {
        let diff = try await ArchiveDiff(old: self.archive(step.old), new: self.archive(step.new))
        let total = diff.summary.total
        #expect(total >= step.least)
        #expect(Double(total) <= max(1.2 * Double(step.least), Double(step.least + 3)))
    }

    @Test(arguments: ["r1", "r2", "r3", "r4"])
    func `archive diff: an export compared with itself has no changes`(name: String) async throws {
        let diff = try await ArchiveDiff(old: self.archive(name), new: self.archive(name))
        #expect(diff.difference.changes.isEmpty && diff.matches.isEmpty)
    }
}
