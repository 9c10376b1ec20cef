import Compression
import IMDF
import VenueMap

/// Writes a file by the PMTiles specification, version 3: header, root directory, metadata, leaf directories, tiles.
struct TileArchiveWriter {
    fileprivate struct Entry {
        let id: UInt64
        let offset: UInt64
        let length: UInt64
        /// How many tiles in a row have this content; 0 for a leaf directory.
        var run: UInt64
    }

    private var entries: [Entry] = []
    private var contents: [Digest: (offset: UInt64, length: UInt64)] = [:]
    private var data: [UInt8] = []
    private var count: UInt64 = 0

    /// Content as it is stored: compressed by gzip, so that equal bytes give equal results.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] { DeflateCompressor.compressed(bytes, as: .gzip, level: 6) }

    private static let headerLength = 127
    /// Header and root directory are read with one request for the first 16 KiB.
    private static let rootLimit = 16_384 - Self.headerLength
    private static let leafSize = 4_096
    private static let gzip: UInt8 = 2

    /// What was written at some time.
    struct State {
        fileprivate let entries: [Entry]
        fileprivate let dataCount: Int
        fileprivate let count: UInt64
    }

    var state: State { State(entries: self.entries, dataCount: self.data.count, count: self.count) }

    /// The bytes of all tiles.
    var dataCount: Int { self.data.count }

    /// Removes what was added since.
    mutating func restore(_ state: State) {
        (self.entries, self.count) = (state.entries, state.count)
        self.data.removeLast(self.data.count - state.dataCount)
        self.contents = self.contents.filter { $0.value.offset < state.dataCount }
    }

    /// Adds a tile. Tiles are added in the order of their ids.
    mutating func append(_ id: UInt64, _ tile: [UInt8]) {
        self.count += 1
        let digest = Digest(of: tile)
        let known = self.contents[digest]
        let place = known ?? (UInt64(self.data.count), UInt64(tile.count))
        if known == nil {
            self.contents[digest] = place
            self.data += tile
        }
        if let last = self.entries.last, last.offset == place.offset, last.id + last.run == id {
            self.entries[self.entries.count - 1].run += 1
        } else {
            self.entries.append(Entry(id: id, offset: place.offset, length: place.length, run: 1))
        }
    }

    func bytes(format: TileFormat, zooms: ClosedRange<Int>, bounds: BoundingBox?, metadata: [UInt8]) -> [UInt8] {
        let (root, leaves) = self.directories
        let metadata = Self.compressed(metadata)
        let rootOffset = UInt64(Self.headerLength)
        let metadataOffset = rootOffset + UInt64(root.count)
        let leavesOffset = metadataOffset + UInt64(metadata.count)
        let dataOffset = leavesOffset + UInt64(leaves.count)
        var header = Array("PMTiles".utf8) + [3]
        for number in [
            rootOffset, UInt64(root.count), metadataOffset, UInt64(metadata.count), leavesOffset, UInt64(leaves.count),
            dataOffset, UInt64(self.data.count), self.count, UInt64(self.entries.count), UInt64(self.contents.count),
        ] { header.append(littleEndian: number, bytes: 8) }
        // Clustered; directories and metadata compressed; tiles compressed; type; zooms.
        header += [1, Self.gzip, format == .mvt ? Self.gzip : 1, format == .mvt ? 1 : 2]
        header += [UInt8(zooms.lowerBound), UInt8(zooms.upperBound)]
        let whole = bounds ?? BoundingBox(west: -180, south: -85, east: 180, north: 85)
        let (middle, box) = ((whole.west + whole.east) / 2, whole.uncrossed)
        let center = (middle > 180 ? middle - 360 : middle, (box.south + box.north) / 2)
        header.append(degrees: [box.west, box.south, box.east, box.north])
        header.append(UInt8(min(max(17, zooms.lowerBound), zooms.upperBound)))
        header.append(degrees: [center.0, center.1])
        return header + root + metadata + leaves + self.data
    }

    /// One directory, or a root directory of leaf directories if that is too large.
    private var directories: (root: [UInt8], leaves: [UInt8]) {
        let whole = Self.directory(self.entries[...])
        if whole.count <= Self.rootLimit { return (whole, []) }
        var size = Self.leafSize
        while true {
            var (pointers, leaves): ([Entry], [UInt8]) = ([], [])
            for start in stride(from: 0, to: self.entries.count, by: size) {
                let leaf = Self.directory(self.entries[start..<min(start + size, self.entries.count)])
                let (offset, length) = (UInt64(leaves.count), UInt64(leaf.count))
                pointers.append(Entry(id: self.entries[start].id, offset: offset, length: length, run: 0))
                leaves += leaf
            }
            let root = Self.directory(pointers[...])
            if root.count <= Self.rootLimit { return (root, leaves) }
            size *= 2
        }
    }

    private static func directory(_ entries: ArraySlice<Entry>) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.write(varint: UInt64(entries.count))
        var last: UInt64 = 0
        for entry in entries {
            writer.write(varint: entry.id - last)
            last = entry.id
        }
        for entry in entries { writer.write(varint: entry.run) }
        for entry in entries { writer.write(varint: entry.length) }
        var end: UInt64?
        for entry in entries {
            // 0 for a content that follows the one before.
            writer.write(varint: entry.offset == end ? 0 : entry.offset + 1)
            end = entry.offset + entry.length
        }
        return Self.compressed(writer.bytes)
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: UInt64, bytes: Int) {
        for index in 0..<bytes { self.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }

    /// Signed units of 1e-7 degrees, 4 bytes each.
    fileprivate mutating func append(degrees: [Double]) {
        for value in degrees {
            self.append(littleEndian: UInt64(bitPattern: Int64((value * 1e7).rounded())), bytes: 4)
        }
    }
}
