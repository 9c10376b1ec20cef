import Foundation
import IMDFArchive

/// An archive on this machine: a zip file, or a folder with the files of one, as map tools write them.
final class ArchiveInput: Sendable {
    /// The zip file.
    let file: URL
    /// Whether the file was made from a folder.
    private let isTemporary: Bool

    /// - Throws: ``Failure`` if there is no such file, or if the folder has no files of an archive.
    init(_ path: String, limits: ArchiveLimits = ArchiveLimits()) throws {
        var isFolder: ObjCBool = false
        guard !path.hasPrefix("http://"), !path.hasPrefix("https://") else {
            throw Failure(
                .failure, "\(Terminal.plain(path)) is an address. Download the archive, and give the name of the file")
        }
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Failure(.failure, "\(Terminal.plain(path)) cannot be read: there is no such file")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw Failure(.failure, "\(Terminal.plain(path)) cannot be read: this user has no permission")
        }
        guard isFolder.boolValue else {
            (self.file, self.isTemporary) = (URL(fileURLWithPath: path), false)
            return
        }
        let files = try Self.files(in: path, limits)
        let zip = FileManager.default.temporaryDirectory.appending(path: "venue-\(UUID().uuidString).zip")
        try Data(ArchiveWriter.zip(files)).write(to: zip)
        (self.file, self.isTemporary) = (zip, true)
    }

    deinit { self.removeTemporaryFile() }

    /// Refuses an empty file, which the server would refuse without naming it.
    func checkContent(of path: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: self.file.resolvingSymlinksInPath().path)
        guard attributes[.type] as? FileAttributeType != .typeRegular || attributes[.size] as? Int != 0 else {
            throw Failure(.failure, "\(Terminal.plain(path)) is empty. Export the archive again.")
        }
    }

    func removeTemporaryFile() {
        if self.isTemporary { try? FileManager.default.removeItem(at: self.file) }
    }

    /// The manifest and the collections of features in a folder, or in the only folder in it, or the only one in that. Equal folders make equal archives.
    private static func files(in folder: String, _ limits: ArchiveLimits, depth: Int = 2) throws -> [ArchiveFile] {
        let manager = FileManager.default
        let names = try manager.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
        var (files, total) = ([ArchiveFile](), 0)
        for name in names where name.lowercased().hasSuffix(".geojson") || name.lowercased().hasSuffix(".json") {
            let path = URL(fileURLWithPath: folder).appending(path: name).resolvingSymlinksInPath().path
            let attributes = try manager.attributesOfItem(atPath: path)
            guard attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? Int else {
                continue
            }
            total += size
            guard total <= limits.uncompressedBytes, size <= limits.entryBytes, files.count < limits.entries else {
                throw Failure(
                    .failure,
                    "\(Terminal.plain(folder)) has more or larger files than VENUE_ARCHIVE_ENTRIES, VENUE_ARCHIVE_ENTRY_LIMIT and VENUE_ARCHIVE_TOTAL_LIMIT permit"
                )
            }
            files.append(ArchiveFile(name: name, content: Array(try Data(contentsOf: URL(fileURLWithPath: path)))))
        }
        if !files.isEmpty { return files }
        let folders = try names.map { URL(fileURLWithPath: folder).appending(path: $0) }
            .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
        if depth > 0, folders.count == 1 { return try Self.files(in: folders[0].path, limits, depth: depth - 1) }
        throw Failure(
            .failure,
            "\(Terminal.plain(folder)) is a folder without an IMDF archive. Expected manifest.json and files such as venue.geojson in it"
        )
    }
}
