/// Reading on two cores. The outcome is that of reading one file after the other.
extension ArchiveReader {
    /// Uncompressed bytes from which a share of an archive is worth a task.
    package static let smallestShare = 1 << 20

    /// Reads an archive from an open file that nobody changes meanwhile: the largest file on one core, the others on another.
    ///
    /// An archive that is rejected is read again, one file after the other, because its findings depend on the order. So is one whose
    /// features need other ids.
    ///
    /// - Parameter smallestShare: Uncompressed bytes of the smaller share from which two cores are used.
    /// - Throws: ``ArchiveRejection`` if the archive violates a blocking rule, ``ArchiveReadingError`` for other failures,
    ///   `CancellationError` if the task is cancelled meanwhile.
    package func readOnTwoCores(
        fileDescriptor: Int32, smallestShare: Int = ArchiveReader.smallestShare
    ) async throws -> Archive {
        let source = try ArchiveSource(fileDescriptor: fileDescriptor)
        // Two streams over one descriptor would share its position.
        guard source.size <= self.limits.archiveBytes, let mapped = MappedFile(fileDescriptor, size: source.size) else {
            return try self.read(source)
        }
        // What reads the bytes does not keep the file.
        defer { withExtendedLifetime(mapped) {} }
        let archive = try ZipArchive(mapped.source, limits: self.limits)
        guard let shares = self.shares(of: archive.entries, smallest: smallestShare) else {
            return try self.read(mapped.source)
        }
        do {
            async let second = self.part(of: mapped, entries: shares.1)
            var contents = ArchiveContents(limits: self.limits, repairsIDs: self.repairsIDs)
            try contents.read(shares.0, of: archive)
            guard contents.features.blockingFindings.isEmpty else {
                throw ArchiveRejection(findings: contents.features.blockingFindings)
            }
            let positions = archive.entries.enumerated().map { ($0.element.displayName, $0.offset) }
            contents.append(try await second, in: Dictionary(positions) { first, _ in first })
            try Task.checkCancellation()
            return switch try contents.outcome() {
            case .archive(let archive): archive
            case .needs(let ids): try self.read(mapped.source, ids: ids)
            }
        } catch is ArchiveRejection {
            return try self.read(mapped.source)
        }
    }

    private func part(of file: MappedFile, entries: [Int]) throws -> ArchivePart {
        defer { withExtendedLifetime(file) {} }
        var contents = ArchiveContents(limits: self.limits, repairsIDs: self.repairsIDs)
        try contents.read(entries, of: ZipArchive(file.source, limits: self.limits))
        try Task.checkCancellation()
        return try contents.part()
    }

    /// The entries of both cores, each in the order of the archive, with about the same work: the compressed size grows with the number of
    /// features and ids, the plain size also with white space and digits. Nil if one core is enough, or if two files at once could take more
    /// memory than the largest file that is allowed.
    private func shares(of entries: [ZipEntry], smallest: Int) -> ([Int], [Int])? {
        var (shares, bytes, work): (([Int], [Int]), (Int, Int), (UInt64, UInt64)) = (([], []), (0, 0), (0, 0))
        for index in entries.indices.sorted(by: { entries[$0].compressedSize > entries[$1].compressedSize }) {
            // An entry beyond this limit is not inflated.
            let size = Int(clamping: min(entries[index].size, UInt64(self.limits.entryBytes)))
            let compressed = min(entries[index].compressedSize, UInt64(self.limits.archiveBytes))
            if work.0 <= work.1 {
                shares.0.append(index)
                bytes.0 += size
                work.0 += compressed
            } else {
                shares.1.append(index)
                bytes.1 += size
                work.1 += compressed
            }
        }
        guard min(bytes.0, bytes.1) >= smallest,
            bytes.0 + bytes.1 <= min(self.limits.entryBytes, self.limits.uncompressedBytes)
        else { return nil }
        return (shares.0.sorted(), shares.1.sorted())
    }
}
