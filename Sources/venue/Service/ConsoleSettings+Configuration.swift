import Configuration
import Foundation
import SyncServer

extension ConsoleSettings {
    /// - Throws: ``Failure`` for a folder that is not there: a page that stays white would tell nobody why.
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
            throw Failure(.usage, "\(name) takes a folder with \(file) in it, not “\(folder)”")
        }
        return folder
    }
}
