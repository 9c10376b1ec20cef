import Foundation
import IMDFArchive
import SyncModel
import TestSupport
import Testing

/// Compares tables that are written by hand with the code.
@Suite struct TableTests {
    /// The names in the first column of a page's tables, without backticks.
    private static func names(_ page: String, _ pattern: Regex<Substring>) throws -> [String] {
        try DocumentationPage.named(page).rows.flatMap { row in
            (row.first ?? "").matches(of: pattern).map { String($0.output).replacing("`", with: "") }
        }
    }

    /// The first capture of every match of a pattern in the Swift files of a folder.
    private static func matches(_ pattern: Regex<(Substring, Substring)>, in folder: String) throws -> Set<String> {
        let root = DocumentationPage.root.appending(path: folder)
        let files = try #require(FileManager.default.enumerator(atPath: root.path))
        var matches: Set<String> = []
        while let file = files.nextObject() as? String {
            guard file.hasSuffix(".swift") else { continue }
            let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
            matches.formUnion(text.matches(of: pattern).map { String($0.output.1) })
        }
        return matches
    }

    @Test func `settings page lists every setting of the program once, and no other`() async throws {
        let documented = try Self.names("docs/self-host/settings.md", /VENUE_[A-Z_]*[A-Z]/)
        let used = try Self.matches(/\b(VENUE_[A-Z_]*[A-Z])\b/, in: "Sources/venue")
        #expect(Set(documented).symmetricDifference(used).sorted() == [])
        #expect(Set(documented).count == documented.count, "a setting is listed twice")
        #expect(try await CommandHelp.load().settings.symmetricDifference(documented).sorted() == [])
    }

    @Test func `problems page lists every problem of the server once, and no other`() throws {
        let pattern = /"([a-z]+(?:-[a-z]+)*)",\s+status: [0-9a-z]/
        let thrown = try Self.matches(pattern, in: "Sources/SyncServer")
        let documented = try Self.names("docs/protocol/problems.md", /`[a-z]+(?:-[a-z]+)*`/)
        #expect(thrown.count >= 30)
        #expect(thrown.symmetricDifference(documented).sorted() == [])
        #expect(Set(documented).count == documented.count, "a problem is listed twice")
    }

    @Test func `OpenAPI document names only documented problems`() throws {
        let url = DocumentationPage.root.appending(path: "Sources/SyncServer/openapi.yaml")
        let named = try String(contentsOf: url, encoding: .utf8).matches(of: /\/problems\/([a-z-]+[a-z])/)
        let documented = try Self.names("docs/protocol/problems.md", /`[a-z]+(?:-[a-z]+)*`/)
        #expect(Set(named.map { String($0.output.1) }).subtracting(documented).sorted() == [])
    }

    @Test func `limits page has the default limits of archives`() throws {
        let limits = ArchiveLimits()
        let rows = try DocumentationPage.named("docs/self-host/limits.md").rows
        for (setting, value) in [
            ("VENUE_ARCHIVE_LIMIT", Self.bytes(limits.archiveBytes)), ("VENUE_ARCHIVE_ENTRIES", "\(limits.entries)"),
            ("VENUE_ARCHIVE_ENTRY_LIMIT", Self.bytes(limits.entryBytes)),
            ("VENUE_ARCHIVE_TOTAL_LIMIT", Self.bytes(limits.uncompressedBytes)),
            ("VENUE_ARCHIVE_RATIO", "\(limits.compressionRatio)"),
            ("VENUE_FEATURE_LIMIT", Self.bytes(limits.featureBytes)), ("VENUE_JSON_DEPTH", "\(limits.nestingDepth)"),
        ] {
            let row = rows.first { $0.last == "`\(setting)`" }
            #expect(row?.contains { $0 == value || $0.hasPrefix("\(value) ") } == true, "\(setting) is \(value)")
        }
    }

    private static func bytes(_ count: Int) -> String {
        count % (1 << 30) == 0 ? "\(count >> 30) GiB" : "\(count >> 20) MiB"
    }

    @Test func `glossary defines every term once`() throws {
        let terms = try DocumentationPage.named("docs/glossary.md").rows.compactMap(\.first)
        #expect(terms.count >= 30)
        #expect(Set(terms).count == terms.count)
    }

    @Test func `README has at most 150 lines`() throws {
        let lines = try DocumentationPage.named("README.md").text.split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 150)
    }
}
