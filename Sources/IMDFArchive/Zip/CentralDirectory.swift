internal import IMDF

/// The central directory of a zip archive.
///
/// libzip reads it too, but does not expose the offsets of the entries, which are needed to check that no two entries overlap. Both
/// readers have to find the same entries; otherwise the archive was made to deceive one of them.
struct CentralDirectory {
    private(set) var entries: [ZipEntry] = []

    /// Why the directory cannot be read.
    struct Problem: Error {
        let rule: String
        let message: String

        static func damaged(_ message: String) -> Problem { Problem(rule: "ST-01", message: message) }
    }

    private static let endLength = 22
    private static let maxCommentLength = 0xFFFF
    private static let headerLength = 46
    private static let localHeaderLength = 30

    /// - Throws: ``Problem`` or ``ArchiveReadingError``.
    init(_ source: ArchiveSource, limits: ArchiveLimits) throws {
        let end = try Self.end(of: source)
        guard end.entries <= UInt64(limits.entries) else {
            throw Problem(rule: "ST-02", message: "The archive has more than \(limits.entries) entries.")
        }
        // Long names could make the directory larger than any archive needs.
        guard end.size <= UInt64(limits.entries) << 12 else {
            throw Problem(rule: "ST-02", message: "The archive's list of entries is too long.")
        }
        guard end.offset <= UInt64(end.recordOffset), end.size <= UInt64(end.recordOffset) - end.offset,
            let bytes = try source.bytes(at: Int(end.offset), count: Int(end.size))
        else { throw Problem.damaged("The archive's list of entries is not at the offset that the archive declares.") }
        var rest = bytes[...]
        for _ in 0..<end.entries { self.entries.append(try Self.entry(&rest)) }
        guard rest.isEmpty else { throw Problem.damaged("The archive's list of entries is longer than declared.") }
        guard end.offset + end.size == UInt64(end.recordOffset) else {
            throw Problem.damaged("There are bytes between the archive's list of entries and its end.")
        }
        try self.checkLayout(source, directory: Int(end.offset))
    }

    // MARK: - The end of the archive

    private struct End {
        var entries: UInt64
        var offset: UInt64
        var size: UInt64
        /// The offset of the record itself.
        var recordOffset: Int
    }

    private static func end(of source: ArchiveSource) throws -> End {
        let notZip = Problem.damaged("The file is not a zip archive, or its end is missing.")
        let tailLength = min(source.size, self.endLength + self.maxCommentLength)
        guard tailLength >= self.endLength,
            let tail = try source.bytes(at: source.size - tailLength, count: tailLength)
        else { throw notZip }
        // The record and its comment end with the file. If two records do, readers differ in which of them they use.
        let records = (0...tailLength - self.endLength).filter { start in
            let record = LittleEndian(tail[start...])
            return record.four(0) == 0x0605_4B50 && self.endLength + Int(record.two(20)) <= record.count
        }
        let whole = records.filter { self.endLength + Int(LittleEndian(tail[$0...]).two(20)) == tailLength - $0 }
        guard whole.count <= 1 else { throw Problem.damaged("The archive has more than one end record.") }
        if whole.isEmpty, !records.isEmpty { throw Problem.damaged("There are bytes after the archive's end.") }
        for start in whole {
            let record = LittleEndian(tail[start...])
            guard record.two(4) == record.two(6), record.two(8) == record.two(10) else {
                throw Problem.damaged("The archive is one part of a split archive.")
            }
            let end = End(
                entries: UInt64(record.two(10)), offset: UInt64(record.four(16)), size: UInt64(record.four(12)),
                recordOffset: source.size - tailLength + start)
            guard end.entries == 0xFFFF || end.offset == 0xFFFF_FFFF || end.size == 0xFFFF_FFFF else { return end }
            return try self.zip64End(of: source, before: end.recordOffset) ?? end
        }
        throw notZip
    }

    /// The zip64 record of an archive that is too large for the ordinary one.
    private static func zip64End(of source: ArchiveSource, before offset: Int) throws -> End? {
        guard let bytes = try source.bytes(at: offset - 20, count: 20) else { return nil }
        let locator = LittleEndian(bytes[...])
        guard locator.four(0) == 0x0706_4B50 else { return nil }
        guard let start = Int(exactly: locator.eight(8)), let bytes = try source.bytes(at: start, count: 56) else {
            throw Problem.damaged("The archive's end is damaged.")
        }
        let record = LittleEndian(bytes[...])
        guard record.four(0) == 0x0606_4B50, record.four(16) == record.four(20), record.eight(24) == record.eight(32),
            record.eight(4) == UInt64(offset - 20 - start - 12)
        else { throw Problem.damaged("The archive's end is damaged.") }
        return End(entries: record.eight(32), offset: record.eight(48), size: record.eight(40), recordOffset: start)
    }

    // MARK: - Entries

    private static func entry(_ rest: inout ArraySlice<UInt8>) throws(Problem) -> ZipEntry {
        let truncated = Problem.damaged("The archive's list of entries is shorter than declared.")
        let header = LittleEndian(rest)
        guard header.count >= self.headerLength, header.four(0) == 0x0201_4B50 else { throw truncated }
        let nameLength = Int(header.two(28))
        let extraLength = Int(header.two(30))
        let length = self.headerLength + nameLength + extraLength + Int(header.two(32))
        guard header.count >= length else { throw truncated }
        let rawName = Array(header.slice(self.headerLength, nameLength))
        if let problem = ZipEntry.sizeProblem(of: rawName) { throw Problem(rule: "ST-02", message: problem) }
        var entry = ZipEntry(
            name: ZipEntry.text(of: rawName), rawName: rawName, flags: header.two(8), method: header.two(10),
            checksum: header.four(16), compressedSize: UInt64(header.four(20)), size: UInt64(header.four(24)),
            offset: UInt64(header.four(42)), attributes: header.four(38))
        try self.readZip64Sizes(of: &entry, in: header.slice(self.headerLength + nameLength, extraLength))
        rest = rest.dropFirst(length)
        return entry
    }

    /// Values that do not fit into four bytes are in an extra field (zip64).
    private static func readZip64Sizes(of entry: inout ZipEntry, in extra: ArraySlice<UInt8>) throws(Problem) {
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

    // MARK: - The layout

    /// Checks that the entries follow each other from the first byte to the directory, and that local headers agree with the
    /// directory. Then all readers find the same files, whichever end they start from, and no byte is inflated twice.
    private func checkLayout(_ source: ArchiveSource, directory: Int) throws {
        var free = 0
        var gaps: Set = [0]
        for entry in self.entries.sorted(by: { $0.offset < $1.offset }) {
            let missing = Problem.damaged("“\(entry.displayName)” is not at the offset that the archive declares.")
            guard let offset = Int(exactly: entry.offset), offset <= directory else { throw missing }
            guard free <= offset else { throw Self.overlap(entry) }
            guard gaps.contains(offset - free) else { throw Self.strayBytes(before: free) }
            guard let bytes = try source.bytes(at: offset, count: Self.localHeaderLength) else { throw missing }
            let header = LittleEndian(bytes[...])
            guard header.four(0) == 0x0403_4B50 else { throw missing }
            let nameLength = Int(header.two(26))
            let data = offset + Self.localHeaderLength + nameLength + Int(header.two(28))
            guard data <= directory, entry.compressedSize <= UInt64(directory - data) else {
                throw Self.overlap(entry)
            }
            guard entry.agrees(with: header),
                try source.bytes(at: offset + Self.localHeaderLength, count: nameLength) == entry.rawName
            else { throw Problem.damaged("The header of “\(entry.displayName)” differs from the list of entries.") }
            free = data + Int(entry.compressedSize)
            gaps = entry.hasDescriptor ? Self.descriptorLengths : [0]
        }
        guard gaps.contains(directory - free) else { throw Self.strayBytes(before: free) }
    }

    /// Lengths of the checksum and sizes after the data: with or without a signature, in four bytes each or (zip64) in eight.
    private static let descriptorLengths: Set = [12, 16, 20, 24]

    private static func overlap(_ entry: ZipEntry) -> Problem {
        .damaged("“\(entry.displayName)” overlaps other data in the archive.")
    }

    private static func strayBytes(before free: Int) -> Problem {
        .damaged(
            free == 0
                ? "There are bytes before the archive's first entry."
                : "There are bytes in the archive that belong to none of the listed entries.")
    }
}

extension ZipEntry {
    /// Whether the checksum and the sizes follow the data, because they were not known when the header was written.
    fileprivate var hasDescriptor: Bool { self.flags & 1 << 3 != 0 }

    /// Whether the local header agrees with the directory. Values that do not fit are in an extra field (zip64).
    fileprivate func agrees(with header: LittleEndian) -> Bool {
        func agrees(_ size: UInt64, _ offset: Int) -> Bool {
            header.four(offset) == 0xFFFF_FFFF || UInt64(header.four(offset)) == size
        }
        guard header.two(8) == self.method, (header.two(6) ^ self.flags) & (1 << 0 | 1 << 3) == 0 else { return false }
        return self.hasDescriptor
            || header.four(14) == self.checksum && agrees(self.compressedSize, 18) && agrees(self.size, 22)
    }
}
