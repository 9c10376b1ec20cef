package import IMDF

/// A label with its place at a zoom.
package struct PlacedLabel: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// A text of that size in pixels.
        case text(LabelLayout, size: Double, LabelClass)
        /// A pictogram of that side in pixels.
        case icon(Pictogram, size: Int)
    }

    package let id: FeatureID
    package let content: Content
    /// The pixels that it covers, from the north-western corner of the world at this zoom, for tiles of 256 pixels.
    package let left: Int
    package let top: Int
    package let width: Int
    package let height: Int

    /// Appends bytes that determine how it is drawn, without its position.
    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: self.width)
        bytes.append(bigEndian: self.height)
        switch self.content {
        case .text(let layout, let size, let labelClass):
            bytes.append(0)
            bytes.append(bigEndian: size.bitPattern)
            bytes.append(counted: labelClass.rawValue)
            bytes.append(counted: layout.language ?? "")
            for line in layout.lines { bytes.append(counted: line.text) }
        case .icon(let pictogram, let size):
            bytes.append(1)
            bytes.append(bigEndian: size)
            bytes.append(counted: pictogram.id)
        }
    }
}
