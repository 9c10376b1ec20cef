import Foundation
import Testing

/// A part of a page that is generated from the code: the lines between `<!-- generated: NAME -->` and `<!-- end -->`.
///
/// The test that checks it also writes it, when `UPDATE_DOCUMENTATION=1` is set.
struct GeneratedTable {
    let page: String
    let name: String

    func expect(_ lines: [String]) throws {
        let url = DocumentationPage.root.appending(path: self.page)
        let text = try String(contentsOf: url, encoding: .utf8)
        let start = try #require(
            text.firstRange(of: "<!-- generated: \(self.name) -->\n"), "\(self.page) has no part “\(self.name)”")
        let end = try #require(text[start.upperBound...].firstRange(of: "<!-- end -->"))
        let expected = "\n" + lines.joined(separator: "\n") + "\n\n"
        if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] == "1" {
            try Data((text[..<start.upperBound] + expected + text[end.lowerBound...]).utf8).write(to: url)
            return
        }
        let written = text[start.upperBound..<end.lowerBound]
        #expect(
            written == expected,
            "\(self.page): “\(self.name)” differs from the code; run this test with UPDATE_DOCUMENTATION=1 to update it"
        )
    }

    /// A Markdown table.
    static func table(_ header: [String], _ rows: [[String]]) -> [String] {
        ([header, header.map { _ in "---" }] + rows).map { row in
            "| " + row.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }.joined(separator: " | ") + " |"
        }
    }
}
