import Compression
import Foundation
import Synchronization

/// The console's files by their paths relative to its folder.
///
/// The path of a request is only looked up in the list of files that were found in the folder. It never reaches the file system, so
/// no path leads out of the folder.
package final class ConsoleFiles: Sendable {
    private let folder: String?
    /// Whether the folder is read for every request, for work on the console. Then its modules are sent one by one and without a version.
    private let readsEachTime: Bool
    /// `GET /cartography.json`, of which files are made that are not in the folder.
    private let cartography: [UInt8]
    private let loaded = Mutex<Loaded?>(nil)

    /// The files of a console that is not changed while the server runs.
    private struct Loaded {
        var plain: [String: ConsoleFile]
        /// Those of `plain` that have another content below the version.
        var built: [String: ConsoleFile]
        var version: String
    }

    /// - Parameters:
    ///   - folder: Nil: the folder that a build or an image installs.
    ///   - cartography: `GET /cartography.json`.
    package init(folder: String?, cartography: [UInt8]) {
        self.cartography = cartography
        self.folder = folder ?? Self.installed
        self.readsEachTime = folder != nil
    }

    /// The page of the console; nil if the console is not installed.
    package func page() throws -> ConsoleFile? {
        try self.file(ConsoleBuild.pageName)
    }

    /// Whether a component of a path is the version of a console, and whether it is the version of this one.
    package func version(_ component: some StringProtocol) throws -> (isVersion: Bool, isCurrent: Bool) {
        guard ConsoleBuild.isVersion(component), !self.readsEachTime, let folder else { return (false, false) }
        return try (true, self.withLoaded(from: folder) { $0.version == component })
    }

    /// Nil if the console has no file of this name.
    ///
    /// - Parameter isVersioned: Whether the address has a version, below which modules are sent in bundles.
    package func file(_ name: String, isVersioned: Bool = false) throws -> ConsoleFile? {
        guard let folder else { return nil }
        if self.readsEachTime {
            let made = try CartographyFiles(json: self.cartography).files()[name]
            guard
                let bytes = try made ?? (Self.names(in: folder).contains(name) ? Self.bytes(of: name, in: folder) : nil)
            else { return nil }
            return try ConsoleFile(bytes, name: name, codings: [])
        }
        return try self.withLoaded(from: folder) { (isVersioned ? $0.built[name] : nil) ?? $0.plain[name] }
    }

    private func withLoaded<Result: Sendable>(from folder: String, _ body: (Loaded) -> Result) throws -> Result {
        // Loaded by the first request: most servers in tests, and many nodes of a cluster, never show a console.
        try self.loaded.withLock { loaded in
            let files = try loaded ?? self.load(folder)
            loaded = files
            return body(files)
        }
    }

    private func load(_ folder: String) throws -> Loaded {
        let read = try Dictionary(
            uniqueKeysWithValues: Self.names(in: folder).map { ($0, try Self.bytes(of: $0, in: folder)) })
        let sources = read.merging(try CartographyFiles(json: self.cartography).files()) { $1 }
        let build = ConsoleBuild(sources: sources, library: MapLibrary.hashes.values.sorted())
        var plain = sources
        plain[ConsoleBuild.pageName] = build.page
        plain[ConsoleBuild.serviceWorkerName] = build.serviceWorker
        return try Loaded(
            plain: Dictionary(uniqueKeysWithValues: plain.map { ($0, try ConsoleFile($1, name: $0)) }),
            built: Dictionary(uniqueKeysWithValues: build.files.map { ($0, try ConsoleFile($1, name: $0)) }),
            version: build.version)
    }

    private static func names(in folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return names.filter { name in
            let isServed = ["html", "js", "css", "svg", "png", "webmanifest"].contains { name.hasSuffix(".\($0)") }
            return isServed && !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }
    }

    private static func bytes(of name: String, in folder: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: folder).appending(path: name)))
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
