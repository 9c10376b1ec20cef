import Foundation
import Testing

/// A Markdown file of the documentation, and the code blocks in it.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
    /// A fenced code block.
    struct Block: Sendable {
        /// The line of the opening fence, counted from 1.
        let line: Int
        let language: String
        let content: String
        /// The HTML comment directly above the fence, which says how the block is tested; empty if there is none.
        let directive: String

        /// The text after the colon if the directive is this word: `block.directive(after: "output")`.
        func directive(after word: String) -> String? {
            guard self.directive == word || self.directive.hasPrefix("\(word):") else { return nil }
            return self.directive.dropFirst(word.count + 1).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Relative to the folder of the package, such as `docs/protocol/sync.md`.
    let path: String
    let text: String
    let blocks: [Block]
    /// Shell commands that readers do not see, with their lines: the contents of the page's comments `<!-- setup … -->`, which prepare
    /// the commands after them, and `<!-- check … -->`, which fail unless the commands before them had the described effect.
    let hiddenCommands: [(line: Int, commands: String)]

    var testDescription: String { self.path }

    init(path: String) throws {
        self.path = path
        self.text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        let lines = self.text.components(separatedBy: "\n")
        var blocks: [Block] = []
        var hiddenCommands: [(line: Int, commands: String)] = []
        var index = 0
        var directive = ""
        while index < lines.count {
            let line = lines[index].trimmingCharacters(in: .whitespaces)
            let start = index
            index += 1
            if line.hasPrefix("```") {
                let indentation = lines[start].prefix { $0 == " " }.count
                var content: [String] = []
                while index < lines.count, lines[index].trimmingCharacters(in: .whitespaces) != "```" {
                    content.append(String(lines[index].dropFirst(indentation)))
                    index += 1
                }
                index += 1
                blocks.append(
                    Block(
                        line: start + 1, language: String(line.dropFirst(3)),
                        content: content.map { "\($0)\n" }.joined(), directive: directive))
                directive = ""
            } else if line.hasPrefix("<!--") {
                var comment = String(line.dropFirst(4))
                while !comment.hasSuffix("-->"), index < lines.count {
                    comment += "\n" + lines[index]
                    index += 1
                }
                comment = comment.dropLast(3).trimmingCharacters(in: .whitespacesAndNewlines)
                if comment.hasPrefix("setup\n") || comment.hasPrefix("check\n") {
                    hiddenCommands.append((start + 1, String(comment.dropFirst(6))))
                } else {
                    directive = comment
                }
            } else if !line.isEmpty {
                directive = ""
            }
        }
        self.blocks = blocks
        self.hiddenCommands = hiddenCommands
    }

    /// The folder of the package.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized

    /// Every page: the README files, everything below `docs`, and the articles of the libraries.
    static let all: [DocumentationPage] = {
        var paths = ["README.md", "Benchmarks/README.md", "Tests/Conformance/README.md"]
        for folder in ["docs", "Sources"] {
            let files = FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path)
            while let file = files?.nextObject() as? String {
                if file.hasSuffix(".md") { paths.append("\(folder)/\(file)") }
            }
        }
        return paths.sorted().compactMap { try? DocumentationPage(path: $0) }
    }()

    static func named(_ path: String) throws -> DocumentationPage { try DocumentationPage(path: path) }
}

extension DocumentationPage {
    /// The trimmed cells of every row of every table on the page, without header rows.
    var rows: [[String]] {
        let lines = self.text.components(separatedBy: "\n")
        return lines.indices.filter { index in
            lines[index].hasPrefix("| ") && !lines[index].hasPrefix("| ---")
                && !(index + 1 < lines.count && lines[index + 1].hasPrefix("| ---"))
        }.map { index in
            lines[index].dropFirst().dropLast().replacing("\\|", with: "\u{1}").split(
                separator: "|", omittingEmptySubsequences: false
            ).map { $0.replacing("\u{1}", with: "|").trimmingCharacters(in: .whitespaces) }
        }
    }
}
