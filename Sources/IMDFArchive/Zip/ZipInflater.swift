internal import CLibdeflate
internal import CLibzip

/// Reads entries with libzip, inflates them with libdeflate, and enforces the limits on their sizes.
final class ZipInflater {
    /// Why an entry or the archive cannot be inflated.
    struct Problem: Error {
        let rule: String
        let message: String
        /// Whether no other entry may be inflated.
        var isFinal = false
    }

    private let archive: OpaquePointer
    private let decompressor: OpaquePointer
    private let compressed = DocumentBuffer()
    private let limits: ArchiveLimits
    /// Bytes inflated so far.
    private var total = 0

    /// - Throws: ``Problem`` or ``ArchiveReadingError``.
    init(_ source: ArchiveSource, limits: ArchiveLimits) throws {
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        guard let zipSource = try Self.open(source, &error) else { throw ArchiveReadingError.outOfMemory }
        guard let archive = zip_open_from_source(zipSource, ZIP_RDONLY, &error) else {
            zip_source_free(zipSource)
            throw try Self.problem(&error, "The archive cannot be read")
        }
        guard let decompressor = libdeflate_alloc_decompressor() else {
            zip_discard(archive)
            throw ArchiveReadingError.outOfMemory
        }
        self.archive = archive
        self.decompressor = decompressor
        self.limits = limits
    }

    deinit {
        zip_discard(self.archive)
        libdeflate_free_decompressor(self.decompressor)
    }

    private static func open(
        _ source: ArchiveSource, _ error: UnsafeMutablePointer<zip_error_t>
    ) throws -> OpaquePointer? {
        switch source {
        case .memory(let bytes): return zip_source_buffer_create(bytes.baseAddress, UInt64(bytes.count), 0, error)
        case .file(let descriptor, _):
            let stream = try source.openStream(of: descriptor)
            // libzip closes the stream.
            let opened = zip_source_filep_create(stream, 0, -1, error)
            if opened == nil { ArchiveSource.closeStream(stream) }
            return opened
        }
    }

    /// Whether libzip found the same entries as the directory.
    func agrees(with directory: CentralDirectory) -> Bool {
        guard zip_get_num_entries(self.archive, 0) == directory.entries.count else { return false }
        return directory.entries.indices.allSatisfy { index in
            let entry = directory.entries[index]
            var status = zip_stat_t()
            zip_stat_init(&status)
            return zip_stat_index(self.archive, UInt64(index), 0, &status) == 0
                && status.size == entry.size && status.comp_size == entry.compressedSize
                && status.crc == entry.checksum && status.comp_method == entry.method
        }
    }

    /// The name of an entry according to libzip, which may come from an extra field.
    func rawName(of index: Int) -> [UInt8] {
        guard let name = zip_get_name(self.archive, UInt64(index), zip_flags_t(ZIP_FL_ENC_RAW)) else { return [] }
        var bytes: [UInt8] = []
        var next = name
        while next.pointee != 0 {
            bytes.append(UInt8(bitPattern: next.pointee))
            next += 1
        }
        return bytes
    }

    /// Inflates an entry and verifies its size and its checksum. What the entry declares is the limit of what is inflated.
    ///
    /// - Throws: ``Problem`` or ``ArchiveReadingError``.
    func inflate(_ index: Int, _ entry: ZipEntry, into buffer: DocumentBuffer) throws {
        buffer.removeAll()
        try self.checkDeclaredSizes(of: entry)
        let (size, compressedSize) = (Int(entry.size), Int(entry.compressedSize))
        switch entry.method {
        case 0: try self.read(index, entry, into: buffer, size)
        default:
            self.compressed.removeAll()
            try self.read(index, entry, into: self.compressed, compressedSize)
            let result = libdeflate_deflate_decompress(
                self.decompressor, self.compressed.start, compressedSize, buffer.reserve(size), size, nil)
            switch result {
            case LIBDEFLATE_SUCCESS: buffer.advance(by: size)
            case LIBDEFLATE_SHORT_OUTPUT, LIBDEFLATE_INSUFFICIENT_SPACE: throw self.otherSize(entry)
            default: throw self.damaged(entry, "the compressed data is invalid")
            }
        }
        guard libdeflate_crc32(0, buffer.start, size) == entry.checksum else {
            throw self.damaged(entry, "its checksum is wrong")
        }
        self.total += size
        buffer.seal()
    }

    private func checkDeclaredSizes(of entry: ZipEntry) throws {
        let limit = UInt64(self.limits.entryBytes)
        guard entry.size <= limit, entry.compressedSize <= limit else { throw self.tooLong(entry) }
        guard entry.method != 0 || entry.size == entry.compressedSize else { throw self.otherSize(entry) }
        guard self.total + Int(entry.size) <= self.limits.uncompressedBytes else {
            throw Problem(
                rule: "ST-02",
                message: "The uncompressed archive is larger than \(Self.size(self.limits.uncompressedBytes)).",
                isFinal: true)
        }
        guard entry.size <= UInt64(self.limits.bytesWithoutRatio) || !self.exceedsRatio(entry) else {
            throw Problem(
                rule: "ST-02",
                message: "“\(entry.displayName)” has a compression ratio of more than \(self.limits.compressionRatio).")
        }
    }

    /// Reads the bytes of an entry as the archive has them.
    private func read(_ index: Int, _ entry: ZipEntry, into buffer: DocumentBuffer, _ size: Int) throws {
        guard let file = zip_fopen_index(self.archive, UInt64(index), zip_flags_t(ZIP_FL_COMPRESSED)) else {
            throw try Self.problem(zip_get_error(self.archive), "“\(entry.displayName)” cannot be inflated")
        }
        defer { zip_fclose(file) }
        let start = buffer.reserve(size)
        while buffer.count < size {
            let read = Int(zip_fread(file, start + buffer.count, UInt64(size - buffer.count)))
            guard read >= 0 else {
                throw try Self.problem(zip_file_get_error(file), "“\(entry.displayName)” cannot be inflated")
            }
            guard read > 0 else { throw self.damaged(entry, "the archive ends too early") }
            buffer.advance(by: read)
        }
    }

    private func exceedsRatio(_ entry: ZipEntry) -> Bool {
        let (bound, isOver) = entry.compressedSize.multipliedReportingOverflow(by: UInt64(self.limits.compressionRatio))
        return !isOver && entry.size > bound
    }

    private func damaged(_ entry: ZipEntry, _ reason: String) -> Problem {
        Problem(rule: "ST-01", message: "“\(entry.displayName)” cannot be inflated: \(reason).")
    }

    private func tooLong(_ entry: ZipEntry) -> Problem {
        Problem(
            rule: "ST-02",
            message: "“\(entry.displayName)” is larger than \(Self.size(self.limits.entryBytes)) uncompressed.")
    }

    private func otherSize(_ entry: ZipEntry) -> Problem {
        Problem(
            rule: "ST-01", message: "“\(entry.displayName)” has another uncompressed size than the archive declares.")
    }

    static func size(_ bytes: Int) -> String {
        if bytes >= 1 << 20, bytes % (1 << 20) == 0 { return "\(bytes >> 20) MiB" }
        return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? "\(bytes >> 10) KiB" : "\(bytes) bytes"
    }

    /// A problem with the archive. Throws if the cause is not the archive.
    private static func problem(_ error: UnsafeMutablePointer<zip_error_t>, _ what: String) throws -> Problem {
        let code = zip_error_code_zip(error)
        let reason = String(cString: zip_error_strerror(error))
        switch code {
        case ZIP_ER_MEMORY: throw ArchiveReadingError.outOfMemory
        case ZIP_ER_READ, ZIP_ER_SEEK, ZIP_ER_TELL, ZIP_ER_OPEN, ZIP_ER_INTERNAL:
            throw ArchiveReadingError.unreadable(reason)
        default: return Problem(rule: "ST-01", message: "\(what): \(reason).")
        }
    }
}
