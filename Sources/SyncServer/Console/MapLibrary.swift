import Foundation
import IMDF
import Synchronization

/// MapLibre GL JS, which draws the console's map. It is not ours and not in the repository: `Scripts/install-map-library` brings it.
/// Nothing but the release that the console was tested with is ever sent: every file has to have the hash it had then.
final class MapLibrary: Sendable {
    /// MapLibre GL JS 5.3.0. `Scripts/install-map-library` has the same.
    private static let hashes = [
        "maplibre-gl.js": "e380deae560bc5d182be4124a1b9cdd5086304b0cb82c92a5af23d018aa81015",
        "maplibre-gl.css": "792ac997dcf6ae6f643eb4e2dee4630c85e7056526bd8fb85ffe83c67d6c41b4",
    ]
    private static let places = [
        ".map-library", "/usr/local/share/venuesync/maplibre", "/usr/share/venuesync/maplibre",
    ]

    private let places: [String]
    private let kept = Mutex<[String: ConsoleFile]>([:])

    init(folder: String?) {
        self.places = folder.map { [$0] } ?? Self.places
    }

    /// Nil for what is no file of the library, or is not installed, or is not what it should be.
    func file(_ name: String) throws -> ConsoleFile? {
        guard let hash = Self.hashes[name] else { return nil }
        return try self.kept.withLock { kept in
            if let file = kept[name] { return file }
            // Looked for each time until it is there, so that it may be installed while the server runs.
            for place in self.places {
                guard let bytes = FileManager.default.contents(atPath: "\(place)/\(name)").map({ [UInt8]($0) }),
                    Digest(of: bytes).hex == hash
                else { continue }
                let file = try ConsoleFile(bytes, name: name)
                kept[name] = file
                return file
            }
            return nil
        }
    }
}
