import Foundation
import TestSupport
import Testing

/// `venue validate`, without a server and without a database.
@Suite struct ValidateTests {
    private func generate(_ workplace: Workplace) async throws -> String {
        let path = workplace.path("mall.zip")
        #expect(try await VenueProgram.run(["generate", "-o", path, "--levels", "2", "--units", "8"]).status == 0)
        return path
    }

    @Test func `validate accepts an archive without errors, and --strict fails on warnings`() async throws {
        let workplace = try Workplace()
        let path = try await self.generate(workplace)
        let report = try await VenueProgram.run(["validate", path, "--now", "2025-04-02T00:00:00Z"])
        #expect(report.status == 0 && report.output.contains(" 0 errors") && report.output.contains("Skipped:"))
        let strict = try await VenueProgram.run([
            "validate", path, "--strict", "--rule", "MF", "--now", "2024-01-01T00:00:00Z",
        ])
        #expect(strict.status == 8 && strict.output.contains("warning MF-05 × 1"))
        let ignored = try await VenueProgram.run(
            ["validate", path, "--strict", "--rule", "MF", "--ignore", "mf-05", "--now", "2024-01-01T00:00:00Z"])
        #expect(ignored.status == 0)
    }

    @Test func `validate reports findings as JSON and as SARIF`() async throws {
        let workplace = try Workplace()
        let path = try await self.generate(workplace)
        let rules = ["--rule", "RQ-16", "--rule", "MF-05", "--now", "2024-01-01T00:00:00Z"]
        let json = try await VenueProgram.run(["validate", path, "--format", "json"] + rules)
        let report = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(json.status == 0 && report["warning"] as? Int == 1 && report["rule_set"] is String)
        #expect((report["findings"] as? [[String: Any]])?.first?["pointer"] as? String == "/created")

        let sarif = try await VenueProgram.run(["validate", path, "--format", "sarif"] + rules)
        let log = try #require(JSONSerialization.jsonObject(with: Data(sarif.output.utf8)) as? [String: Any])
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let result = try #require((run["results"] as? [[String: Any]])?.first)
        let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
        let descriptors = try #require(driver?["rules"] as? [[String: Any]])
        #expect(log["version"] as? String == "2.1.0" && result["level"] as? String == "warning")
        #expect(descriptors[try #require(result["ruleIndex"] as? Int)]["id"] as? String == "MF-05")
    }

    @Test func `validate rejects a file that is not an archive, and refuses an unknown rule`() async throws {
        let workplace = try Workplace()
        let path = workplace.path("letter.zip")
        try Data("Dear operator, this is not a zip archive at all, but long enough.".utf8).write(
            to: URL(filePath: path))
        let letter = try await VenueProgram.run(["validate", path])
        #expect(letter.status == 3 && letter.output.contains("error ST-01 × 1"))
        let missing = try await VenueProgram.run(["validate", workplace.path("nothing.zip")])
        #expect(missing.status == 1 && missing.complaint.contains("cannot be read"))
        #expect(try await VenueProgram.run(["validate", path, "--rule", "XX-99"]).status == 64)
    }
}
