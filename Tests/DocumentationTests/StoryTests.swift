import TestSupport
import Testing

/// The commands of the documentation, run.
@Suite struct StoryTests {
    private static let pages = DocumentationPage.all.filter { page in
        page.blocks.contains { ($0.language == "sh" && $0.directive.isEmpty) || $0.directive(after: "answer") != nil }
    }

    @Test(arguments: Self.pages)
    func `the commands of a page run in the order in which they are written`(page: DocumentationPage) async throws {
        try await PageStory(page).run()
    }

    @Test func `there are pages with commands`() {
        #expect(Self.pages.count >= 8)
        #expect(Self.pages.contains { $0.path == "README.md" })
    }
}
