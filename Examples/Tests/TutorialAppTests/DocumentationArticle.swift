import Foundation

/// The article that the code of `TutorialApp` is quoted in.
enum DocumentationArticle {
    /// The folder of the repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized

    static func text() throws -> String {
        try String(
            contentsOf: Self.root.appending(path: "Sources/SyncClient/SyncClient.docc/FloorMap.md"), encoding: .utf8)
    }
}
