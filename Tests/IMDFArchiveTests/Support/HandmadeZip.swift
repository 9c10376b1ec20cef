/// A zip archive written byte by byte, so that every field can be wrong.
struct HandmadeZip {
    struct Entry {
        var name: [UInt8]
        /// The bytes in the archive.
        var data: [UInt8]
        var method: UInt16 = 0
        var flags: UInt16 = 0
        var checksum: UInt32
        var size: UInt32
        var compressedSize: UInt32
        var attributes: UInt32 = 0
        var extra: [UInt8] = []
        /// The offset in the directory; nil for the actual one.
        var offset: UInt32?
        /// The values of the local header, if they differ from the directory.
        var ownName: [UInt8]?
        var ownMethod: UInt16?
        var ownFlags: UInt16?
        var ownChecksum: UInt32?
        /// What follows the data.
        var descriptor: [UInt8] = []
        /// Whether the directory leaves the entry out.
        var isUnlisted = false

        init(_ name: [UInt8], _ content: [UInt8]) {
            self.name = name
            self.data = content
            self.checksum = crc32(content)
            self.size = UInt32(content.count)
            self.compressedSize = UInt32(content.count)
        }

        init(_ name: String, _ content: String) {
            self.init(Array(name.utf8), Array(content.utf8))
        }

        /// What the directory and the entry's own header have in common.
        fileprivate var common: [UInt8] {
            littleEndian(self.flags) + littleEndian(self.method) + littleEndian(0 as UInt16)
                + littleEndian(0x21 as UInt16) + littleEndian(self.checksum) + littleEndian(self.compressedSize)
                + littleEndian(self.size) + littleEndian(UInt16(self.name.count))
                + littleEndian(UInt16(self.extra.count))
        }

        /// The content as deflate writes what it does not compress.
        mutating func deflate() {
            let content = self.data
            self.method = 8
            self.data = []
            var rest = content[...]
            repeat {
                let block = rest.prefix(0xFFFF)
                rest = rest.dropFirst(block.count)
                let length = UInt16(block.count)
                self.data += [rest.isEmpty ? 1 : 0] + littleEndian(length) + littleEndian(~length) + block
            } while !rest.isEmpty
            self.compressedSize = UInt32(self.data.count)
        }
    }

    var entries: [Entry]
    /// The number of entries in the end record, if it differs from the actual one.
    var claimedCount: UInt16?
    var comment: [UInt8] = []
    /// Bytes before the first entry.
    var preamble: [UInt8] = []

    init(_ files: [(name: String, content: String)]) {
        self.entries = files.map { Entry($0.name, $0.content) }
    }

    init(entries: [Entry]) {
        self.entries = entries
    }

    var bytes: [UInt8] {
        var bytes = self.preamble
        var directory: [UInt8] = []
        for entry in self.entries {
            let offset = entry.offset ?? UInt32(bytes.count)
            if !entry.isUnlisted {
                directory += [0x50, 0x4B, 1, 2] + littleEndian(0x0314 as UInt16) + littleEndian(20 as UInt16)
                directory += entry.common + littleEndian(0 as UInt16) + littleEndian(0 as UInt16)
                directory += littleEndian(0 as UInt16) + littleEndian(entry.attributes) + littleEndian(offset)
                directory += entry.name + entry.extra
            }
            var own = entry
            own.name = entry.ownName ?? entry.name
            own.method = entry.ownMethod ?? entry.method
            own.flags = entry.ownFlags ?? entry.flags
            own.checksum = entry.ownChecksum ?? entry.checksum
            bytes += [0x50, 0x4B, 3, 4] + littleEndian(20 as UInt16) + own.common + own.name + entry.extra
            bytes += entry.data + entry.descriptor
        }
        let start = UInt32(bytes.count)
        let count = self.claimedCount ?? UInt16(self.entries.count { !$0.isUnlisted })
        bytes += directory
        bytes += [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + littleEndian(count) + littleEndian(count)
        bytes += littleEndian(UInt32(directory.count)) + littleEndian(start)
        return bytes + littleEndian(UInt16(self.comment.count)) + self.comment
    }
}

func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

/// The checksum of zip (ISO 3309).
func crc32(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = ~0
    for byte in bytes { sum = sum >> 8 ^ checksums[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
    return ~sum
}

private let checksums = (0..<256 as Range<UInt32>).map { byte in
    (0..<8).reduce(byte) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
}
