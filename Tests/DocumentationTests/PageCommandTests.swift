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

    @Test func `commands are found on the pages`() {
        #expect(Self.pages.count >= 8)
        #expect(Self.pages.contains { $0.path == "README.md" })
    }
}
