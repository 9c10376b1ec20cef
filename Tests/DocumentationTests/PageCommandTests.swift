import Foundation
import TestSupport
import Testing

/// Runs the commands of the documentation.
@Suite struct PageCommandTests {
    private static let pages = DocumentationPage.all.filter { page in
        page.blocks.contains { ($0.language == "sh" && $0.directive.isEmpty) || $0.directive(after: "response") != nil }
    }

    @Test(arguments: Self.pages)
    func `commands of a page succeed in order, with the documented output`(page: DocumentationPage) async throws {
        try await PageRun(page).run()
    }

    /// The reader comes from another page, with the server and the venues of that page.
    @Test func `a page that creates a venue names one of its own, or publishes the archive that another page does`() {
        var archives: [String: Set<String>] = [:]
        for page in Self.pages {
            let texts = page.blocks.filter { $0.language == "sh" && $0.directive.isEmpty }.map(\.content)
            let created = texts.flatMap { text in
                text.matches(of: /venue push (\S+) --to (\S+) --new/).map { match in
                    (String(match.output.2), String(match.output.1))
                }
                    + text.matches(of: /\/venues\/([^\/ ]+)\/uploads.* @(\S+)/).map { match in
                        (String(match.output.1), String(match.output.2))
                    }
            }
            // The first archive creates the venue.
            for (venue, archive) in Dictionary(created, uniquingKeysWith: { first, _ in first }) {
                let command = page.blocks.lazy.flatMap { $0.content.split(separator: "\n") }.first {
                    $0.hasPrefix("venue generate -o \(archive) ")
                }
                let origin = command?.components(separatedBy: "  #")[0].trimmingCharacters(in: .whitespaces)
                archives[venue, default: []].insert(origin ?? page.path)
            }
        }
        #expect(archives.count > 5)
        for (venue, origins) in archives { #expect(origins.count == 1, "\(venue) is created by \(origins)") }
    }

    @Test func `commands are found on the pages`() {
        #expect(Self.pages.count >= 8)
        #expect(Self.pages.contains { $0.path == "README.md" })
    }
}
