import Configuration
import Foundation
import SyncServer

extension ConsoleSettings {
    /// - Throws: ``Failure`` for a folder without the expected file. Otherwise the console would stay empty without an error.
    init(_ reader: ConfigReader) throws {
        self.init(
            folder: try Self.folder(reader, "console.folder", of: "VENUE_CONSOLE_FOLDER", with: "index.html"),
            mapLibrary: try Self.folder(reader, "map.library", of: "VENUE_MAP_LIBRARY", with: "maplibre-gl.js"))
    }

    private static func folder(
        _ reader: ConfigReader, _ key: ConfigKey, of name: String, with file: String
    ) throws -> String? {
        guard let folder = reader.string(forKey: key), !folder.isEmpty else { return nil }
        guard FileManager.default.fileExists(atPath: "\(folder)/\(file)") else {
            throw Failure(.usage, "\(name) must be a folder that contains \(file), not “\(folder)”")
        }
        return folder
    }
}
