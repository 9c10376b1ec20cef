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
            if let path = block.directive(after: "programs of") { return Self.missingProgram(of: block, in: path) }
            guard let paths = block.directive(after: "run by") else { return "unknown directive “\(block.directive)”" }
            return Self.missingCommand(of: block, in: paths.components(separatedBy: ", "))
        case "swift": return nil  // Compared below.
        case "yaml", "js", "java":
            guard let path = block.directive(after: "part of") else { return "the directive names no file" }
            return Self.isPart(block, of: path) ? nil : "\(path) does not contain it"
        case "json": return block.directive(after: "response") == nil ? "the directive names no request" : nil
        case "text": return block.directive(after: "output") == nil ? "the directive names no command" : nil
        case "python": return block.directive(after: "file") == nil ? "the directive names no file" : nil
        default: return "“\(block.language)” is not a language that a test checks"
        }
    }

    /// The first command of a block that the scripts, workflows and tests named by the directive do not run, as a message.
    private static func missingCommand(of block: DocumentationPage.Block, in paths: [String]) -> String? {
        var commands: Set<String> = []
        for path in paths {
            guard let file = try? CommandFile(path: path) else { return "\(path) cannot be read" }
            commands.formUnion(file.commands)
        }
        return CommandFile.commands(in: block.content).first { !CommandFile.runs($0, commands) }
            .map { "\(paths.joined(separator: ", ")) does not run “\($0)”" }
    }

    /// The first program of a block, such as `.build/release/ImportBenchmark`, that is not an executable target of the manifest.
    private static func missingProgram(of block: DocumentationPage.Block, in path: String) -> String? {
        let manifest = (try? String(contentsOf: DocumentationPage.root.appending(path: path), encoding: .utf8)) ?? ""
        let programs = block.content.matches(of: /\.build\/release\/(\w+)/).map { String($0.output.1) }
        let targets = manifest.matches(of: /\.executableTarget\(\s*name: "(\w+)"/).map { String($0.output.1) }
        guard !programs.isEmpty else { return "the block runs no program" }
        return programs.first { !targets.contains($0) }.map { "\(path) has no program \($0)" }
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

    @Test func `documented commands have to be run as a whole line`() throws {
        let workflow = """
            jobs:
              test:
                steps:
                  # Scripts/one
                  - uses: Scripts/two
                  - run: Scripts/three --all   # Scripts/four
                  - name: Scripts/five
                    run: |
                      Scripts/six
                      # Scripts/seven
                      Scripts/demo --once --port 0
            """
        let commands = try CommandFile(path: "ci.yml", text: workflow).commands
        #expect(commands.sorted() == ["Scripts/demo --once --port 0", "Scripts/six", "Scripts/three --all"])
        #expect(CommandFile.runs("Scripts/demo", commands) && CommandFile.runs("Scripts/three --all", commands))
        #expect(!CommandFile.runs("Scripts/three", commands) && !CommandFile.runs("Scripts/one", commands))
        let script = try CommandFile(path: "run", text: "# Scripts/one\nif true; then\n    Scripts/two\nfi\n")
        #expect(script.commands.contains("Scripts/two") && !script.commands.contains("Scripts/one"))
        let test = try CommandFile(path: "A.swift", text: "// Scripts/one\nrun(\"Scripts/two\")")
        #expect(test.commands == ["Scripts/two"])
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
