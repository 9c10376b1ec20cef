import Foundation
import OpeningHours
import Subprocess
import Testing

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Answers of the Python package `opening_hours_py`, an implementation that shares nothing with ours.
@Suite struct OracleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Oracle")
    /// A Python that has the package.
    private static let python = ProcessInfo.processInfo.environment["VENUE_OPENING_HOURS_PYTHON"]

    @Test func `oracle: results equal the recorded ones of another implementation`() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "answers.txt"), encoding: .utf8)
        let table = AnswerTable(text)
        #expect(table.holidays.publicHolidays.count > 20)
        #expect(table.instants.count == 32)
        let rows = table.rows.filter { $0.kind == "-" }
        #expect(rows.count > 200)
        for row in rows {
            #expect(row.states.count == table.instants.count)
            #expect(try table.differences(in: row).isEmpty, "\(row.expression) in \(row.zone)")
        }
    }

    /// Each line of the output: what is understood differently, how often we agree, and an example where we do not.
    @Test(.enabled(if: Self.python != nil), arguments: [11, 12, 13])
    func `oracle: results for random texts equal those of another implementation`(seed: Int) async throws {
        let python = try #require(Self.python)
        let script = Self.folder.appending(path: "answers.py").path()
        let run = try await Subprocess.run(
            .path(FilePath(python)), arguments: [script, "--seed", "\(seed)", "--generated", "1000"],
            output: .string(limit: 1 << 24), error: .discarded)
        let table = AnswerTable(run.standardOutput)
        #expect(table.rows.count > 900)
        for (kind, rows) in Dictionary(grouping: table.rows, by: \.kind).sorted(by: { $0.key < $1.key }) {
            let differing = try rows.filter { try !table.differences(in: $0).isEmpty }
            print("\(kind): \(rows.count - differing.count) of \(rows.count) agree", differing.first?.expression ?? "")
            if kind == "-" { #expect(differing.map(\.expression) == []) }
        }
    }
}
