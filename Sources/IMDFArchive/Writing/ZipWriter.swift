internal import CLibzip

/// Why an archive could not be written. It is never the content's fault.
package struct ArchiveWritingError: Error, Hashable, Sendable {
    /// libzip's text.
    package let reason: String
}

extension ArchiveWriter {
    /// Packs files, deflated, all with the same date: equal files make equal archives.
    ///
    /// - Parameter isCancelled: Whether the archive is not wanted any more. It is asked for every few kilobytes.
    /// - Throws: `ArchiveWritingError`, or `CancellationError` when the archive is not wanted any more.
    package static func zip(
        _ files: [ArchiveFile], isCancelled: @escaping () -> Bool = { Task.isCancelled }
    ) throws -> [UInt8] {
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        guard let memory = zip_source_buffer_create(nil, 0, 0, &error) else { throw ArchiveWritingError(&error) }
        defer { zip_source_free(memory) }
        // The archive frees what it is written to, and that is still to be read.
        zip_source_keep(memory)
        guard let archive = zip_open_from_source(memory, ZIP_CREATE | ZIP_TRUNCATE, &error) else {
            zip_source_free(memory)
            throw ArchiveWritingError(&error)
        }
        var isOpen = true
        defer { if isOpen { zip_discard(archive) } }
        for file in files { try self.add(file, to: archive) }
        let check = CancellationCheck(isCancelled)
        guard check.isObeyed(by: archive) else { throw ArchiveWritingError(zip_get_error(archive)) }
        guard withExtendedLifetime(check, { zip_close(archive) }) == 0 else {
            if isCancelled() { throw CancellationError() }
            throw ArchiveWritingError(zip_get_error(archive))
        }
        isOpen = false
        return try self.bytes(of: memory)
    }

    /// The first day that zip knows: 1 January 1980.
    private static let date: UInt16 = 1 << 5 | 1
    /// As good as zip's own default, which takes half the time of the best.
    private static let level: UInt32 = 6

    private static func add(_ file: ArchiveFile, to archive: OpaquePointer) throws(ArchiveWritingError) {
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

/// Asks on behalf of libzip whether it shall stop.
private final class CancellationCheck {
    private let isCancelled: () -> Bool

    init(_ isCancelled: @escaping () -> Bool) {
        self.isCancelled = isCancelled
    }

    /// Has libzip ask while it writes an archive, which this object must outlive.
    func isObeyed(by archive: OpaquePointer) -> Bool {
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
