/// A colour with premultiplied alpha: 0xAARRGGBB.
struct Premultiplied {
    private let value: UInt32

    /// - Parameter color: 0xAARRGGBB without premultiplication.
    init(_ color: UInt32) {
        // Multiplying by the alpha of the colour sets the alpha aright, too.
        self.value = Self.product(color | 0xFF00_0000, color >> 24)
    }

    /// Draws the colour over a part of an image.
    ///
    /// - Parameter coverage: How much of each pixel is covered; 0 to 255.
    func fill(_ pixels: UnsafeMutableBufferPointer<UInt32>, _ part: Range<Int>, _ coverage: UInt32) {
        guard coverage > 0, !part.isEmpty else { return }
        let source = Self.product(self.value, coverage)
        let part = UnsafeMutableBufferPointer(rebasing: pixels[part])
        guard source >> 24 < 255 else { return part.update(repeating: source) }
        for index in part.indices { part[index] = Self.over(source, part[index]) }
    }

    /// A pixel drawn over another one.
    static func over(_ source: UInt32, _ target: UInt32) -> UInt32 {
        let below = Self.product(target, 255 - source >> 24)
        // Red and blue, then alpha and green, each with 16 bits. Both products are rounded, so a sum may be 256.
        return Self.sum(source & 0x00FF_00FF, below & 0x00FF_00FF)
            | Self.sum(source >> 8 & 0x00FF_00FF, below >> 8 & 0x00FF_00FF) << 8
    }

    /// The sums of two channels, at most 255.
    private static func sum(_ one: UInt32, _ other: UInt32) -> UInt32 {
        let sum = one + other
        return (sum | (0x0100_0100 - (sum >> 8 & 0x0001_0001))) & 0x00FF_00FF
    }

    /// All channels times a share of 0 to 255, divided by 255 and rounded.
    private static func product(_ pixel: UInt32, _ share: UInt32) -> UInt32 {
        func pair(_ channels: UInt32) -> UInt32 {
            let product = channels * share + 0x0080_0080
            return (product + (product >> 8 & 0x00FF_00FF)) >> 8 & 0x00FF_00FF
        }
        return pair(pixel & 0x00FF_00FF) | pair(pixel >> 8 & 0x00FF_00FF) << 8
    }
}
