import Foundation
import IMDF
import IMDFArchive
import SampleVenue
import TestSupport
import Testing

/// Random stories of uploads, edits, decisions, expiries and rollbacks of venues and levels, compared with a three-way merge in Python
/// that shares no code with the server. `VENUE_EDIT_STORIES` has the number of stories of each of the four parts.
@Suite(.server)
struct EditStoryTests {
    private static let stories =
        ProcessInfo.processInfo.environment["VENUE_EDIT_STORIES"].flatMap { Int($0) } ?? 5

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `edits and uploads have the outcome of an independent three-way merge`(part: UInt64) async throws {
        var random = SplitMix64(seed: 0xED17 &+ part)
        let stories = (0..<Self.stories).map { _ in EditStory(using: &random) }
        for (number, (story, expected)) in zip(stories, try Self.expected(of: stories)).enumerated() {
            try await story.run(as: "story-\(number)", expecting: try #require(expected.array))
        }
    }

    private static func expected(of stories: [EditStory]) throws -> [JSONValue] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(FeatureID.random()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(stories.flatMap { CanonicalJSON.data($0.json) + [0x0A] }).write(to: file)
        let python = Process()
        let output = Pipe()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Oracle/three_way.py")
        python.arguments = ["python3", script.path, file.path]
        python.standardOutput = output
        try python.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        python.waitUntilExit()
        try #require(python.terminationStatus == 0)
        let lines = data.split(separator: 0x0A)
        try #require(lines.count == stories.count)
        return try lines.map { try JSONReader.value(of: Array($0)) }
    }
}
