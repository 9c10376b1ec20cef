import CLibdeflate

/// Writes PNG (RFC 2083): 8-bit palettes if the image has at most 256 colours, otherwise RGBA. Equal images give equal bytes.
enum PNGEncoder {
    /// Changes with the bytes that are written for an image.
    static let edition = "2, libdeflate \(LIBDEFLATE_VERSION_STRING)"

    /// - Parameter pixels: 0xAARRGGBB with premultiplied alpha, row by row.
    static func encode(_ pixels: [UInt32], width: Int, height: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let image = IndexedImage(pixels)
        var header: [UInt8] = []
        header.append(bigEndian: UInt32(width))
        header.append(bigEndian: UInt32(height))
        // 8 bits of a palette index or of each of four channels.
        header += [8, image == nil ? 6 : 3, 0, 0, 0]
        self.append("IHDR", header, to: &bytes)
        var rows: [UInt8] = []
        if let image {
            let colors = image.palette.map(self.straight)
            self.append("PLTE", colors.flatMap { [$0.red, $0.green, $0.blue] }, to: &bytes)
            if colors.contains(where: { $0.alpha < 255 }) { self.append("tRNS", colors.map(\.alpha), to: &bytes) }
            rows.reserveCapacity((width + 1) * height)
            for row in 0..<height {
                rows.append(0)
                rows += image.indices[row * width..<(row + 1) * width]
            }
        } else {
            rows = self.filteredRows(pixels, width: width, height: height)
        }
        self.append("IDAT", ZlibCompressor.compressed(rows, level: image == nil ? 4 : 6), to: &bytes)
        self.append("IEND", [], to: &bytes)
        return bytes
    }

    /// RGBA, each row as its difference from the row above (filter type 2).
    private static func filteredRows(_ pixels: [UInt32], width: Int, height: Int) -> [UInt8] {
        precondition(pixels.count == width * height)
        let length = 4 * width + 1
        return [UInt8](unsafeUninitializedCapacity: length * height) { rows, count in
            let start = UnsafeMutableRawBufferPointer(rows)
            var above = [UInt32](repeating: 0, count: width)
            above.withUnsafeMutableBufferPointer { above in
                pixels.withUnsafeBufferPointer { pixels in
                    for row in 0..<height {
                        start.storeBytes(of: 2, toByteOffset: row * length, as: UInt8.self)
                        for column in 0..<width {
                            let color = self.rgba(pixels[row * width + column])
                            start.storeBytes(
                                of: self.difference(color, above[column]).littleEndian,
                                toByteOffset: row * length + 1 + 4 * column, as: UInt32.self)
                            above[column] = color
                        }
                    }
                }
            }
            count = length * height
        }
    }

    /// Red in the lowest byte, alpha in the highest one.
    private static func rgba(_ pixel: UInt32) -> UInt32 {
        switch pixel >> 24 {
        case 255: return pixel & 0xFF00_FF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16
        case 0: return 0
        default:
            let color = self.straight(pixel)
            return UInt32(color.alpha) << 24 | UInt32(color.blue) << 16 | UInt32(color.green) << 8 | UInt32(color.red)
        }
    }

    /// The difference of each byte, modulo 256.
    private static func difference(_ one: UInt32, _ other: UInt32) -> UInt32 {
        // The highest bit of each byte is kept apart, so that nothing is borrowed from the next byte.
        ((one | 0x8080_8080) - (other & 0x7F7F_7F7F)) ^ ((one ^ ~other) & 0x8080_8080)
    }

    private static func straight(_ pixel: UInt32) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        let alpha = pixel >> 24
        func channel(_ shift: UInt32) -> UInt8 {
            let value = pixel >> shift & 255
            return alpha == 255 ? UInt8(value) : alpha == 0 ? 0 : UInt8(min((value * 255 + alpha / 2) / alpha, 255))
        }
        return (channel(16), channel(8), channel(0), UInt8(alpha))
    }

    private static func append(_ type: String, _ content: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(bigEndian: UInt32(content.count))
        let start = bytes.count
        bytes += type.utf8
        bytes += content
        let checksum = bytes[start...].withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
        bytes.append(bigEndian: checksum)
    }
}

/// An image with at most 256 colours.
private struct IndexedImage {
    /// In the order in which the colours occur.
    private(set) var palette: [UInt32] = []
    private(set) var indices: [UInt8] = []

    /// Nil if there are more colours.
    init?(_ pixels: [UInt32]) {
        var table = ColorTable()
        self.indices.reserveCapacity(pixels.count)
        var (last, lastIndex) = (UInt32(0), -1)
        for pixel in pixels {
            if lastIndex < 0 || pixel != last {
                guard let index = table.index(of: pixel) else { return nil }
                (last, lastIndex) = (pixel, index)
            }
            self.indices.append(UInt8(lastIndex))
        }
        self.palette = table.colors
    }

    /// A hash table with open addressing; a dictionary takes ten times as long.
    private struct ColorTable {
        private(set) var colors: [UInt32] = []
        private var slots = [Int16](repeating: -1, count: 1_024)

        mutating func index(of color: UInt32) -> Int? {
            var slot = Int((color &* 2_654_435_769) >> 22)
            while self.slots[slot] >= 0 {
                if self.colors[Int(self.slots[slot])] == color { return Int(self.slots[slot]) }
                slot = (slot + 1) & 1_023
            }
            guard self.colors.count < 256 else { return nil }
            self.slots[slot] = Int16(self.colors.count)
            self.colors.append(color)
            return self.colors.count - 1
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: UInt32) {
        for shift in [UInt32(24), 16, 8, 0] { self.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
