import Foundation
import IMDF
import Testing

/// Every code block of the documentation is held by a test, and this one fails for a block that none holds.
@Suite struct SnippetTests {
    @Test func `every code block says what it is, and is run, compared or compiled`() {
        for page in DocumentationPage.all {
            for block in page.blocks {
                let fault = Self.fault(of: block)
                #expect(fault == nil, "\(page.path):\(block.line): \(fault ?? "")")
            }
        }
    }

    /// Why a block is held by no test; nil when one holds it.
    private static func fault(of block: DocumentationPage.Block) -> String? {
        switch block.language {
        case "sh":
            if block.directive.isEmpty { return nil }  // StoryTests runs it.
            guard let path = block.directive(after: "run by") else { return "unknown directive “\(block.directive)”" }
            return Self.missing(block, in: path)
        case "swift": return nil  // Compared below.
        case "yaml":
            guard let path = block.directive(after: "part of") else { return "a part of no file" }
            return Self.isPart(block, of: path) ? nil : "\(path) reads otherwise"
        case "json": return block.directive(after: "answer") == nil ? "a JSON example without its request" : nil
        case "text": return block.directive(after: "output") == nil ? "an output without its command" : nil
        case "python": return block.directive(after: "file") == nil ? "a program without a file name" : nil
        default: return "“\(block.language)” is not a language that a test reads"
        }
    }

    /// What a script, workflow or test does not run of a block whose directive says that it does.
    private static func missing(_ block: DocumentationPage.Block, in path: String) -> String? {
        guard let text = try? String(contentsOf: DocumentationPage.root.appending(path: path), encoding: .utf8) else {
            return "there is no \(path)"
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

    /// The Swift files whose code may stand in the documentation: all that the tests compile.
    private static let compiled: [String] = {
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

    @Test func `every Swift example is part of a file that is compiled`() {
        for page in DocumentationPage.all {
            for block in page.blocks where block.language == "swift" {
                let example = Self.unindented(block.content)
                #expect(
                    Self.compiled.contains { Self.unindented($0).contains(example) },
                    "\(page.path):\(block.line) is compiled nowhere")
            }
        }
    }

    /// Without the spaces in front of lines: an example may stand further left than in its file.
    private static func unindented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }.joined(
            separator: "\n")
    }

    @Test func `the shape check finds what differs`() throws {
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
