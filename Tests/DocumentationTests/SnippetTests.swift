import Foundation
import IMDF
import Testing

/// Every code block of the documentation is covered by a test. These tests fail for a block that is not.
@Suite struct SnippetTests {
    @Test func `code blocks are run, compared or compiled`() {
        for page in DocumentationPage.all {
            for block in page.blocks {
                let problem = Self.problem(of: block)
                #expect(problem == nil, "\(page.path):\(block.line): \(problem ?? "")")
            }
        }
    }

    /// Why no test covers a block; nil if one does.
    private static func problem(of block: DocumentationPage.Block) -> String? {
        switch block.language {
        case "sh":
            if block.directive.isEmpty { return nil }  // PageCommandTests runs it.
            guard let path = block.directive(after: "run by") else { return "unknown directive “\(block.directive)”" }
            return Self.missingCommand(of: block, in: path)
        case "swift": return nil  // Compared below.
        case "yaml", "js":
            guard let path = block.directive(after: "part of") else { return "the directive names no file" }
            return Self.isPart(block, of: path) ? nil : "\(path) does not contain it"
        case "json": return block.directive(after: "response") == nil ? "the directive names no request" : nil
        case "text": return block.directive(after: "output") == nil ? "the directive names no command" : nil
        case "python": return block.directive(after: "file") == nil ? "the directive names no file" : nil
        default: return "“\(block.language)” is not a language that a test checks"
        }
    }

    /// The first command of a block that the script, workflow or test named by the directive does not run, as a message.
    private static func missingCommand(of block: DocumentationPage.Block, in path: String) -> String? {
        guard let text = try? String(contentsOf: DocumentationPage.root.appending(path: path), encoding: .utf8) else {
            return "\(path) does not exist"
        }
        for line in block.content.split(separator: "\n") {
            let command = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            guard command.isEmpty || text.contains(command) else { return "\(path) does not run “\(command)”" }
        }
        return nil
    }

    private static func isPart(_ block: DocumentationPage.Block, of path: String) -> Bool {
        let text = try? String(contentsOf: DocumentationPage.root.appending(path: path), encoding: .utf8)
        return Self.unindented(text ?? "").contains(Self.unindented(block.content))
    }

    /// The text of all Swift files that the documentation may quote: those that are compiled.
    private static let compiledFiles: [String] = {
        var texts: [String] = []
        for folder in ["Tests", "Sources", "Examples"] {
            let files = FileManager.default.enumerator(atPath: DocumentationPage.root.appending(path: folder).path)
            while let file = files?.nextObject() as? String {
                guard file.hasSuffix(".swift"), !file.contains(".build/") else { continue }
                let url = DocumentationPage.root.appending(path: "\(folder)/\(file)")
                if let text = try? String(contentsOf: url, encoding: .utf8) { texts.append(text) }
            }
        }
        return texts
    }()

    @Test func `Swift examples are part of a compiled file`() {
        for page in DocumentationPage.all {
            for block in page.blocks where block.language == "swift" {
                let example = Self.unindented(block.content)
                #expect(
                    Self.compiledFiles.contains { Self.unindented($0).contains(example) },
                    "\(page.path):\(block.line) is in no compiled file")
            }
        }
    }

    /// The text without indentation, because an example may be indented less than in its file.
    private static func unindented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }.joined(
            separator: "\n")
    }

    @Test func `shape check finds every difference`() throws {
        let example = try ShapeCheck.parse(example: #"{"id": "…", "many": [{"a": 1}, "…"], "about": {…}, "to": 2}"#)
        #expect(
            ShapeCheck.differences(example, ["id": nil, "many": [["a": 7], "x"], "about": ["b": 1], "to": 3]) == [])
        for wrong in [
            ["id": 1, "many": [["a": 7]], "about": [:]], ["id": 1, "many": [], "about": [:], "to": 3],
            ["id": 1, "many": [["a": "7"]], "about": [:], "to": 3],
            ["id": 1, "many": [["a": 7]], "about": [:], "to": nil],
            ["id": 1, "many": [["a": 7]], "about": [:], "to": 3, "more": 1],
        ] as [JSONValue] {
            #expect(ShapeCheck.differences(example, wrong).count == 1, "\(wrong)")
        }
    }
}
