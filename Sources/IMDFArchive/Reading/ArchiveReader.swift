/// Reads IMDF archives: extracts the zip, rejects what cannot be versioned, and converts every feature to its canonical form.
///
/// Real archives deviate from the standard, so these deviations are accepted and reported as findings: files in folders, other file
/// names, several files of one type, byte order marks, missing members. No name of the archive is ever used as a path.
package struct ArchiveReader: Sendable {
    package let limits: ArchiveLimits
    /// Whether ids that cannot be used are repaired, in references too: white space around them, ids in the properties, repeated features,
    /// ids that are not UUIDs, and ids of several types. Otherwise they block. A manifest that is an array is read likewise.
    package let repairsIDs: Bool

    package init(limits: ArchiveLimits = ArchiveLimits(), repairsIDs: Bool = true) {
        self.limits = limits
        self.repairsIDs = repairsIDs
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
        switch try self.outcome(of: source, ids: nil) {
        case .archive(let archive): return archive
        case .needs(let ids): return try self.read(source, ids: ids)
        }
    }

    /// Reads an archive again with the ids that its features have to get. Bodies are written with the ids of all references, and which
    /// features there are is known only after a reading.
    func read(_ source: ArchiveSource, ids: AssignedIDs) throws -> Archive {
        guard case .archive(let archive) = try self.outcome(of: source, ids: ids) else {
            preconditionFailure("ids are assigned once")
        }
        return archive
    }

    private func outcome(of source: ArchiveSource, ids: AssignedIDs?) throws -> ArchiveContents.Outcome {
        let archive = try ZipArchive(source, limits: self.limits)
        var contents = ArchiveContents(limits: self.limits, repairsIDs: self.repairsIDs, ids: ids)
        try contents.read(archive.entries.indices, of: archive)
        try Task.checkCancellation()
        return try contents.outcome()
    }
}
