import Compression
import Foundation
import Synchronization

/// The console's files, by their names below its folder. Only those that stood there when they were read are ever sent: what a
/// request asks for is looked up here, and leads to no file system.
final class ConsoleFiles: Sendable {
    private let folder: String?
    /// Whether the folder is read for every request, for those who work on the console.
    private let isChanging: Bool
    private let kept = Mutex<[String: ConsoleFile]?>(nil)

    init(folder: String?) {
        self.folder = folder ?? Self.installed
        self.isChanging = folder != nil
    }

    /// Nil for what is no file of the console.
    func file(_ name: String) throws -> ConsoleFile? {
        guard let folder else { return nil }
        if self.isChanging {
            return try Self.names(in: folder).contains(name) ? Self.read(name, in: folder, codings: []) : nil
        }
        // Read when it is asked for first: most servers of tests, and many in a cluster, never show a console.
        return try self.kept.withLock { kept in
            if let kept { return kept[name] }
            let files = try Dictionary(
                uniqueKeysWithValues: Self.names(in: folder).map { ($0, try Self.read($0, in: folder)) })
            kept = files
            return files[name]
        }
    }

    private static func names(in folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return names.filter { name in
            let isOurs = ["html", "js", "css", "svg", "png"].contains { name.hasSuffix(".\($0)") }
            return isOurs && !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }
    }

    private static func read(
        _ name: String, in folder: String, codings: [ContentCoding] = ContentCoding.allCases
    ) throws -> ConsoleFile {
        let data = try Data(contentsOf: URL(filePath: folder).appending(path: name))
        return try ConsoleFile(Array(data), name: name, codings: codings)
    }

    /// Where a build or an image puts the console; nil when there is none. `Bundle.module` would end the program then.
    private static let installed: String? = {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        let besides = ["resources", "bundle"].compactMap {
            program?.appending(path: "VenueSync_SyncServer.\($0)/Web").path
        }
        return (besides + ["/usr/share/venuesync/console"]).first {
            FileManager.default.fileExists(atPath: "\($0)/index.html")
        }
    }()
}
