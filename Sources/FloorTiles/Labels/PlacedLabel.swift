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

/// The labels of a level at a zoom.
struct PlacedLabels: Sendable {
    /// In the order in which they are drawn.
    let labels: [PlacedLabel]
    /// Kept apart from the labels, because every tile looks at all of them.
    private let boxes: [PixelBox]

    init(_ labels: [PlacedLabel]) {
        self.labels = labels
        self.boxes = labels.map { PixelBox(left: $0.left, top: $0.top, width: $0.width, height: $0.height) }
    }

    /// The labels that touch a part of the world.
    func labels(in box: WorldBox, worldSize: Double) -> [PlacedLabel] {
        let (minX, minY) = (box.minX * worldSize, box.minY * worldSize)
        let (maxX, maxY) = (box.maxX * worldSize, box.maxY * worldSize)
        return self.boxes.indices.filter { index in
            let label = self.boxes[index]
            return Double(label.left) < maxX && Double(label.right) > minX && Double(label.top) < maxY
                && Double(label.bottom) > minY
        }.map { self.labels[$0] }
    }
}
