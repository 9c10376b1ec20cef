import Foundation
import IMDF
import IMDFValidation
import TestSupport
import Testing

/// The parts of the documentation that are generated from the code.
@Suite struct ReferenceTests {
    @Test func `rule table equals the rule book`() throws {
        var lines = ["Edition \(RuleBook.edition), \(RuleBook.all.count) rules.", ""]
        lines += GeneratedTable.table(
            ["rule", "severity", "requires", "source"],
            RuleBook.all.map { [$0.id, $0.severity.rawValue, $0.title, $0.source] })
        try GeneratedTable(page: "docs/operate/rules.md", name: "rules").expect(lines)
    }

    @Test func `command reference equals the help of the program`() async throws {
        let help = try await CommandHelp.load()
        try GeneratedTable(page: "docs/operate/commands.md", name: "commands").expect(help.reference)
    }

    @Test func `exit code table equals the help of the program`() async throws {
        let codes = try await CommandHelp.load().exitCodes
        #expect(codes.count >= 10)
        try GeneratedTable(page: "docs/operate/commands.md", name: "exit codes").expect(
            GeneratedTable.table(["code", "meaning"], codes))
    }

    @Test func `call table equals the OpenAPI document`() throws {
        let lines = try CallTable().lines
        #expect(lines.count >= 40)
        try GeneratedTable(page: "docs/protocol/http-api.md", name: "calls").expect(lines)
    }
}
