import Foundation
import IMDF
import Synchronization

/// MapLibre GL JS, which draws the console's map. It is not part of the repository; `Scripts/install-map-library` installs it.
///
/// A file is served only if its hash is that of the release that the console was tested with.
package final class MapLibrary: Sendable {
    /// SHA-256 of the files of MapLibre GL JS 5.3.0; `Scripts/install-map-library` has the same.
    static let hashes = [
        "maplibre-gl.js": "e380deae560bc5d182be4124a1b9cdd5086304b0cb82c92a5af23d018aa81015",
        "maplibre-gl.css": "792ac997dcf6ae6f643eb4e2dee4630c85e7056526bd8fb85ffe83c67d6c41b4",
    ]
    private static let defaultFolders = [
        ".map-library", "/usr/local/share/venuesync/maplibre", "/usr/share/venuesync/maplibre",
    ]

    private let folders: [String]
    private let loaded = Mutex<[String: ConsoleFile]>([:])

    /// - Parameter folder: Nil: the folders that `Scripts/install-map-library` and the image use.
    package init(folder: String?) {
        self.folders = folder.map { [$0] } ?? Self.defaultFolders
    }

    /// Nil if the library has no file of this name, or it is not installed, or its hash differs.
    package func file(_ name: String) throws -> ConsoleFile? {
        guard let hash = Self.hashes[name] else { return nil }
        return try self.loaded.withLock { loaded in
            if let file = loaded[name] { return file }
            // A missing file is looked for again at every request, so that it can be installed while the server runs.
            for folder in self.folders {
                guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)").map({ [UInt8]($0) }),
                    Digest(of: bytes).hex == hash
                else { continue }
                let file = try ConsoleFile(bytes, name: name)
                loaded[name] = file
                return file
            }
            return nil
        }
    }
}
