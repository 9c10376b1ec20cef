import Foundation
import IMDF
import IMDFValidation
import Testing

/// The sentences of findings in Japanese, which the console has.
@Suite struct FindingSentenceTests {
    /// The English sentences in `findings.js`, with a placeholder for each argument.
    private static let sentences: [NSRegularExpression] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Sources/WebConsole/Web/localization/desk/ja/findings.js")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.contains("|") }.compactMap { line in
            let english = String(line.prefix { $0 != "|" })
            let escaped = NSRegularExpression.escapedPattern(for: english)
            let pattern = escaped.replacing(/\\\{\w+\\\}/, with: ".+?")
            return try? NSRegularExpression(pattern: "^\(pattern)$")
        }
    }()

    @Test(arguments: RulePair.all)
    func `every finding of the rule has a Japanese sentence`(pair: RulePair) throws {
        var archive = TestArchive.clean
        try pair.breaks(&archive)
        let messages = Set(try archive.report().findings.filter { $0.rule == pair.rule }.map(\.message))
        let missing = messages.map { $0.replacing(" That is within the tolerance.", with: "") }.filter { message in
            let range = NSRange(message.startIndex..., in: message)
            return !Self.sentences.contains { $0.firstMatch(in: message, range: range) != nil }
        }
        #expect(Self.sentences.count > 200 && missing == [])
    }
}
