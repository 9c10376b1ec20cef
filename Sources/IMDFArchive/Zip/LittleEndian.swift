/// Reads the little-endian numbers of zip records.
struct LittleEndian {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var count: Int { self.bytes.count }

    func byte(_ offset: Int) -> UInt8 { self.bytes[self.bytes.startIndex + offset] }

    func two(_ offset: Int) -> UInt16 { UInt16(self.byte(offset)) | UInt16(self.byte(offset + 1)) << 8 }

    func four(_ offset: Int) -> UInt32 { UInt32(self.two(offset)) | UInt32(self.two(offset + 2)) << 16 }

    func eight(_ offset: Int) -> UInt64 { UInt64(self.four(offset)) | UInt64(self.four(offset + 4)) << 32 }

    func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
        self.bytes[self.bytes.startIndex + offset..<self.bytes.startIndex + offset + count]
    }
}
