/// Reads IMDF archives: extracts the zip, rejects what cannot be versioned, and converts every feature to its canonical form.
///
/// Real archives deviate from the standard, so these deviations are accepted and reported as findings: files in folders, other file
/// names, several files of one type, byte order marks, missing members. No name of the archive is ever used as a path.
package struct ArchiveReader: Sendable {
    package let limits: ArchiveLimits

    package init(limits: ArchiveLimits = ArchiveLimits()) {
        self.limits = limits
    }

    /// Reads an archive from an open file, which may have been deleted. The descriptor stays open.
    ///
    /// - Throws: ``ArchiveRejection`` if the archive violates a blocking rule, ``ArchiveReadingError`` for other failures,
    ///   `CancellationError` if the task is cancelled meanwhile.
    package func read(fileDescriptor: Int32) throws -> Archive {
        try self.read(ArchiveSource(fileDescriptor: fileDescriptor))
    }

    /// Reads an archive from memory.
    ///
    /// - Throws: ``ArchiveRejection`` if the archive violates a blocking rule, ``ArchiveReadingError`` for other failures,
    ///   `CancellationError` if the task is cancelled meanwhile.
    package func read(bytes: [UInt8]) throws -> Archive {
        try bytes.withUnsafeBytes { try self.read(.memory($0)) }
    }

    func read(_ source: ArchiveSource) throws -> Archive {
        let archive = try ZipArchive(source, limits: self.limits)
        var contents = ArchiveContents(limits: self.limits)
        try contents.read(archive.entries.indices, of: archive)
        try Task.checkCancellation()
        return try contents.archive()
    }
}
