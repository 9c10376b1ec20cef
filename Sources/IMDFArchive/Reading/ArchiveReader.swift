/// Reads IMDF archives: takes the zip apart, checks what makes versioning meaningless, and brings every feature into its
/// canonical form.
///
/// Real archives deviate, so much is taken as it is: folders around the files, other file names, several files of one type,
/// byte order marks, missing members. Each of that makes a finding. No name from the archive ever becomes a path.
package struct ArchiveReader: Sendable {
    package let limits: ArchiveLimits

    package init(limits: ArchiveLimits = ArchiveLimits()) {
        self.limits = limits
    }

    /// Reads an archive from an open file, which may have no name any more. The descriptor stays open.
    ///
    /// - Throws: ``ArchiveRejection`` when the archive is to blame, ``ArchiveReadingError`` when it is not.
    package func read(fileDescriptor: Int32) throws -> Archive {
        try self.read(ArchiveSource(fileDescriptor: fileDescriptor))
    }

    /// Reads an archive from memory.
    ///
    /// - Throws: ``ArchiveRejection`` when the archive is to blame, ``ArchiveReadingError`` when it is not.
    package func read(bytes: [UInt8]) throws -> Archive {
        try bytes.withUnsafeBytes { try self.read(.memory($0)) }
    }

    private func read(_ source: ArchiveSource) throws -> Archive {
        let archive = try ZipArchive(source, limits: self.limits)
        var contents = ArchiveContents(limits: self.limits)
        try contents.read(archive)
        return try contents.archive()
    }
}
