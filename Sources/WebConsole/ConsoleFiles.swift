import Compression
import Foundation
import Synchronization

/// The console's files by their paths relative to its folder.
///
/// The path of a request is only looked up in the list of files that were found in the folder. It never reaches the file system, so
/// no path leads out of the folder.
package final class ConsoleFiles: Sendable {
    private let folder: String?
    /// Whether the folder is read for every request, for work on the console.
    private let readsEachTime: Bool
    private let loaded = Mutex<[String: ConsoleFile]?>(nil)

    /// - Parameter folder: Nil: the folder that a build or an image installs.
    package init(folder: String?) {
        self.folder = folder ?? Self.installed
        self.readsEachTime = folder != nil
    }

    /// Nil if the console has no file of this name.
    package func file(_ name: String) throws -> ConsoleFile? {
        guard let folder else { return nil }
        if self.readsEachTime {
            return try Self.names(in: folder).contains(name) ? Self.read(name, in: folder, codings: []) : nil
        }
        // Loaded by the first request: most servers in tests, and many nodes of a cluster, never show a console.
        return try self.loaded.withLock { loaded in
            if let loaded { return loaded[name] }
            let files = try Dictionary(
                uniqueKeysWithValues: Self.names(in: folder).map { ($0, try Self.read($0, in: folder)) })
            loaded = files
            return files[name]
        }
    }

    private static func names(in folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return names.filter { name in
            let isServed = ["html", "js", "css", "svg", "png"].contains { name.hasSuffix(".\($0)") }
            return isServed && !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }
    }

    private static func read(
        _ name: String, in folder: String, codings: [ContentCoding] = ContentCoding.allCases
    ) throws -> ConsoleFile {
        let data = try Data(contentsOf: URL(filePath: folder).appending(path: name))
        return try ConsoleFile(Array(data), name: name, codings: codings)
    }

    /// Where a build or an image puts the console; nil if it is not installed. `Bundle.module` would end the program then.
    private static let installed: String? = {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        let besideProgram = ["resources", "bundle"].compactMap {
            program?.appending(path: "VenueSync_WebConsole.\($0)/Web").path
        }
        return (besideProgram + ["/usr/share/venuesync/console"]).first {
            FileManager.default.fileExists(atPath: "\($0)/index.html")
        }
    }()
}
