internal import CLibzip

/// Why an archive could not be written. The cause is never its content.
package struct ArchiveWritingError: Error, Hashable, Sendable {
    /// The message of libzip.
    package let reason: String
}

extension ArchiveWriter {
    /// What a file of an archive contains.
    package enum Content: Sendable {
        case bytes([UInt8])
        /// A range of the bytes of another file.
        case part(TemporaryFile, Range<Int>)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .part(_, let range): range.count
            }
        }
    }

    /// Writes files to a zip archive in memory, deflated and with a fixed date: equal files make equal archives.
    ///
    /// - Parameter isCancelled: whether to stop. Called every few kilobytes.
    /// - Throws: `ArchiveWritingError`, or `CancellationError` after `isCancelled` returned true.
    package static func zip(
        _ files: [ArchiveFile], isCancelled: @escaping () -> Bool = { Task.isCancelled }
    ) throws -> [UInt8] {
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        guard let memory = zip_source_buffer_create(nil, 0, 0, &error) else { throw ArchiveWritingError(&error) }
        defer { zip_source_free(memory) }
        // Closing the archive releases its buffer, which is read afterwards.
        zip_source_keep(memory)
        try self.write(
            files.map { (name: $0.name, content: Content.bytes($0.content)) }, to: memory, isCancelled: isCancelled)
        return try self.bytes(of: memory)
    }

    /// Writes files to a zip archive with the same bytes as ``zip(_:isCancelled:)`` and in bounded memory.
    ///
    /// - Parameter output: Empty.
    /// - Throws: `TemporaryFile.Unwritable`, `ArchiveWritingError`, or `CancellationError` after `isCancelled` returned true.
    package static func zip(
        _ files: [(name: String, content: Content)], to output: TemporaryFile,
        isCancelled: @escaping () -> Bool = { Task.isCancelled }
    ) throws {
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        let destination = ZipOutput(output)
        guard let source = destination.source(&error) else { throw ArchiveWritingError(&error) }
        do {
            try withExtendedLifetime(destination) {
                try self.write(files, to: source, isCancelled: isCancelled)
            }
        } catch let error as ArchiveWritingError {
            if let failure = destination.failure { throw failure }
            throw error
        }
    }

    /// - Parameter source: What is written to; released in any case.
    private static func write(
        _ files: [(name: String, content: Content)], to source: OpaquePointer, isCancelled: @escaping () -> Bool
    ) throws {
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        guard let archive = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error) else {
            zip_source_free(source)
            throw ArchiveWritingError(&error)
        }
        var isOpen = true
        defer { if isOpen { zip_discard(archive) } }
        for file in files { try self.add(file, to: archive) }
        let check = CancellationCheck(isCancelled)
        guard check.register(with: archive) else { throw ArchiveWritingError(zip_get_error(archive)) }
        guard withExtendedLifetime(check, { zip_close(archive) }) == 0 else {
            if isCancelled() { throw CancellationError() }
            throw ArchiveWritingError(zip_get_error(archive))
        }
        isOpen = false
    }

    /// The first day of the zip format: 1 January 1980.
    private static let date: UInt16 = 1 << 5 | 1
    /// The default of zlib, which takes half the time of the best compression.
    private static let level: UInt32 = 6

    private static func add(
        _ file: (name: String, content: Content), to archive: OpaquePointer
    ) throws(ArchiveWritingError) {
        guard let source = FileContent(file.content).source(for: archive) else {
            throw ArchiveWritingError(zip_get_error(archive))
        }
        let index = zip_file_add(archive, file.name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(source)
            throw ArchiveWritingError(zip_get_error(archive))
        }
        guard zip_set_file_compression(archive, UInt64(index), Int32(ZIP_CM_DEFLATE), self.level) == 0,
            zip_file_set_dostime(archive, UInt64(index), 0, self.date, 0) == 0
        else { throw ArchiveWritingError(zip_get_error(archive)) }
    }

    private static func bytes(of memory: OpaquePointer) throws(ArchiveWritingError) -> [UInt8] {
        var status = zip_stat_t()
        zip_stat_init(&status)
        guard zip_source_stat(memory, &status) == 0, zip_source_open(memory) == 0 else {
            throw ArchiveWritingError(zip_source_error(memory))
        }
        defer { zip_source_close(memory) }
        let size = Int(status.size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let read = zip_source_read(memory, buffer.baseAddress.map { $0 + count }, UInt64(size - count))
                guard read > 0 else { return }
                count += Int(read)
            }
        }
        guard bytes.count == size else { throw ArchiveWritingError(zip_source_error(memory)) }
        return bytes
    }
}

/// Lets libzip check for cancellation.
private final class CancellationCheck {
    private let isCancelled: () -> Bool

    init(_ isCancelled: @escaping () -> Bool) {
        self.isCancelled = isCancelled
    }

    /// Registers the check with an archive, which this object must outlive. False if libzip reports an error.
    func register(with archive: OpaquePointer) -> Bool {
        let this = Unmanaged.passUnretained(self).toOpaque()
        return zip_register_cancel_callback_with_state(
            archive,
            { _, this in
                guard let this else { return 0 }
                return Unmanaged<CancellationCheck>.fromOpaque(this).takeUnretainedValue().isCancelled() ? 1 : 0
            }, nil, this) == 0
    }
}

extension ArchiveWritingError {
    fileprivate init(_ error: UnsafeMutablePointer<zip_error_t>?) {
        self.init(reason: error.map { String(cString: zip_error_strerror($0)) } ?? "unknown")
    }
}
