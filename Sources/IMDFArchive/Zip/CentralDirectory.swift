internal import IMDF

/// The list of an archive's entries.
///
/// libzip reads that list too, and unpacks by it. This one is read beside it for what libzip does not tell: where the entries
/// lie, so that no two of them share bytes. Both have to say the same, or the archive is made to deceive one of them.
struct CentralDirectory {
    private(set) var entries: [ZipEntry] = []

    /// Why the list cannot be read.
    struct Problem: Error {
        let rule: String
        let message: String

        static func damaged(_ message: String) -> Problem { Problem(rule: "ST-01", message: message) }
    }

    private static let endLength = 22
    private static let longestComment = 0xFFFF
    private static let headerLength = 46
    private static let localHeaderLength = 30

    /// - Throws: ``Problem`` or ``ArchiveReadingError``.
    init(_ source: ArchiveSource, limits: ArchiveLimits) throws {
        let end = try Self.end(of: source)
        guard end.entries <= UInt64(limits.entries) else {
            throw Problem(rule: "ST-02", message: "The archive has more than \(limits.entries) entries.")
        }
        // The names alone could make it longer than any list has to be.
        guard end.size <= UInt64(limits.entries) << 12 else {
            throw Problem(rule: "ST-02", message: "The archive's list of entries is too long.")
        }
        guard end.offset <= UInt64(end.place), end.size <= UInt64(end.place) - end.offset,
            let bytes = try source.bytes(at: Int(end.offset), count: Int(end.size))
        else { throw Problem.damaged("The archive's list of entries is not where the archive says.") }
        var rest = bytes[...]
        for _ in 0..<end.entries { self.entries.append(try Self.entry(&rest)) }
        guard rest.isEmpty else { throw Problem.damaged("The archive's list of entries is longer than it says.") }
        try self.checkOverlap(source, directory: Int(end.offset))
    }

    // MARK: - The end of the archive

    private struct End {
        var entries: UInt64
        var offset: UInt64
        var size: UInt64
        /// Where the record stands.
        var place: Int
    }

    private static func end(of source: ArchiveSource) throws -> End {
        let notZip = Problem.damaged("This is no zip archive, or its end is missing.")
        let tailLength = min(source.size, self.endLength + self.longestComment)
        guard tailLength >= self.endLength,
            let tail = try source.bytes(at: source.size - tailLength, count: tailLength)
        else { throw notZip }
        for start in stride(from: tailLength - self.endLength, through: 0, by: -1) {
            let record = LittleEndian(tail[start...])
            guard record.four(0) == 0x0605_4B50, self.endLength + Int(record.two(20)) <= record.count else { continue }
            guard record.two(4) == record.two(6), record.two(8) == record.two(10) else {
                throw Problem.damaged("The archive is only a part of one.")
            }
            let end = End(
                entries: UInt64(record.two(10)), offset: UInt64(record.four(16)), size: UInt64(record.four(12)),
                place: source.size - tailLength + start)
            guard end.entries == 0xFFFF || end.offset == 0xFFFF_FFFF || end.size == 0xFFFF_FFFF else { return end }
            return try self.longEnd(of: source, before: end.place) ?? end
        }
        throw notZip
    }

    /// The record of archives too large for the ordinary one (zip64).
    private static func longEnd(of source: ArchiveSource, before place: Int) throws -> End? {
        guard let bytes = try source.bytes(at: place - 20, count: 20) else { return nil }
        let locator = LittleEndian(bytes[...])
        guard locator.four(0) == 0x0706_4B50 else { return nil }
        guard let start = Int(exactly: locator.eight(8)), let bytes = try source.bytes(at: start, count: 56) else {
            throw Problem.damaged("The archive's end is damaged.")
        }
        let record = LittleEndian(bytes[...])
        guard record.four(0) == 0x0606_4B50, record.four(16) == record.four(20), record.eight(24) == record.eight(32)
        else { throw Problem.damaged("The archive's end is damaged.") }
        return End(entries: record.eight(32), offset: record.eight(48), size: record.eight(40), place: start)
    }

    // MARK: - Entries

    private static func entry(_ rest: inout ArraySlice<UInt8>) throws(Problem) -> ZipEntry {
        let truncated = Problem.damaged("The archive's list of entries is shorter than it says.")
        let header = LittleEndian(rest)
        guard header.count >= self.headerLength, header.four(0) == 0x0201_4B50 else { throw truncated }
        let nameLength = Int(header.two(28))
        let extraLength = Int(header.two(30))
        let length = self.headerLength + nameLength + extraLength + Int(header.two(32))
        guard header.count >= length else { throw truncated }
        let rawName = Array(header.slice(self.headerLength, nameLength))
        var entry = ZipEntry(
            name: ZipEntry.text(of: rawName), rawName: rawName, flags: header.two(8), method: header.two(10),
            checksum: header.four(16), compressedSize: UInt64(header.four(20)), size: UInt64(header.four(24)),
            offset: UInt64(header.four(42)), attributes: header.four(38))
        try self.readLongSizes(of: &entry, in: header.slice(self.headerLength + nameLength, extraLength))
        rest = rest.dropFirst(length)
        return entry
    }

    /// What does not fit into four bytes stands in an extra field (zip64).
    private static func readLongSizes(of entry: inout ZipEntry, in extra: ArraySlice<UInt8>) throws(Problem) {
        var extra = extra
        while extra.count >= 4 {
            let field = LittleEndian(extra)
            let length = Int(field.two(2))
            guard length <= field.count - 4 else { return }
            if field.two(0) == 0x0001 {
                var values = LittleEndian(field.slice(4, length))
                func next() throws(Problem) -> UInt64 {
                    guard values.count >= 8 else { throw Problem.damaged("The size of “\(entry.name)” is missing.") }
                    defer { values = LittleEndian(values.bytes.dropFirst(8)) }
                    return values.eight(0)
                }
                if entry.size == 0xFFFF_FFFF { entry.size = try next() }
                if entry.compressedSize == 0xFFFF_FFFF { entry.compressedSize = try next() }
                if entry.offset == 0xFFFF_FFFF { entry.offset = try next() }
                return
            }
            extra = extra.dropFirst(4 + length)
        }
    }

    /// Entries that share bytes make a small archive unpack to almost anything.
    private func checkOverlap(_ source: ArchiveSource, directory: Int) throws {
        var free = 0
        for entry in self.entries.sorted(by: { $0.offset < $1.offset }) {
            guard let offset = Int(exactly: entry.offset),
                let bytes = try source.bytes(at: offset, count: Self.localHeaderLength)
            else { throw Problem.damaged("“\(entry.shownName)” is not where the archive says.") }
            let header = LittleEndian(bytes[...])
            guard header.four(0) == 0x0403_4B50 else {
                throw Problem.damaged("“\(entry.shownName)” is not where the archive says.")
            }
            let data = offset + Self.localHeaderLength + Int(header.two(26)) + Int(header.two(28))
            guard offset >= free, data <= directory, entry.compressedSize <= UInt64(directory - data) else {
                throw Problem.damaged("“\(entry.shownName)” overlaps with something else in the archive.")
            }
            free = data + Int(entry.compressedSize)
        }
    }
}
