import Foundation

extension CocoaError {
    /// What could not be done with which file. The text of Foundation has the names of its types.
    var sentence: String {
        let file = self.filePath ?? self.url?.path ?? "a file"
        switch self.code {
        case .fileNoSuchFile, .fileReadNoSuchFile:
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            return folder.isFolder ? "there is no file \(file)" : "there is no folder \(folder)"
        case .fileReadNoPermission: return "this user has no permission to read \(file)"
        case .fileWriteNoPermission: return "this user has no permission to write \(file)"
        case .fileWriteOutOfSpace: return "\(file) cannot be written: the disk is full"
        case .fileWriteVolumeReadOnly: return "\(file) cannot be written: the disk is read-only"
        case _ where file.isFolder: return "\(file) is a folder; give the name of a file in it"
        default:
            let reason = (self.underlying as? POSIXError).map { ": \(String(cString: strerror($0.code.rawValue)))" }
            return "\(file) cannot be read or written\(reason ?? "")"
        }
    }
}

extension Failure {
    /// Refuses what cannot be the file of a replica: of a folder, SQLite only says that it cannot read it.
    ///
    /// - Parameter isNew: Whether the command creates the file if there is none.
    static func checkReplica(at path: String, isNew: Bool) throws {
        let name = Terminal.plain(path)
        guard !path.isFolder else {
            throw Failure(.failure, "\(name) is a folder; give the name of a SQLite file in it, such as mall.sqlite")
        }
        guard isNew || FileManager.default.fileExists(atPath: path) else {
            throw Failure(.failure, "there is no file \(name). “venue pull VENUE --into FILE” writes one.")
        }
    }
}

extension String {
    /// Whether it is the path of a folder.
    fileprivate var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: self, isDirectory: &isFolder) && isFolder.boolValue
    }
}
