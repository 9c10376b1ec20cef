import Foundation
import IMDFArchive
import IMDFDiff
import Ingestion
import Testing

private let campus = ProcessInfo.processInfo.environment["VENUE_SAMPLES"].map { $0 + "/polytech" }

/// Exports of a real campus, when `VENUE_SAMPLES` names the folder that they are in.
@Suite(.enabled(if: campus != nil)) struct RealArchiveTests {
    /// A step and the least that any comparison could find in it: what a count of content alone gives, no id looked at.
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
    func `an export adds, changes and removes little more than the least there is`(step: Step) async throws {
        let diff = try await ArchiveDiff(old: self.archive(step.old), new: self.archive(step.new))
        let total = diff.counts.tally.total
        #expect(total >= step.least)
        #expect(Double(total) <= max(1.2 * Double(step.least), Double(step.least + 3)))
    }

    @Test(arguments: ["r1", "r2", "r3", "r4"])
    func `an export compared with itself has not changed`(name: String) async throws {
        let diff = try await ArchiveDiff(old: self.archive(name), new: self.archive(name))
        #expect(diff.difference.changes.isEmpty && diff.matches.isEmpty)
    }
}
