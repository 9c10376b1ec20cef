/// A rectangle of whole pixels.
package struct PixelBox: Hashable, Sendable {
    package let left: Int
    package let top: Int
    package let width: Int
    package let height: Int

    package init(left: Int, top: Int, width: Int, height: Int) {
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    var right: Int { self.left + self.width }
    var bottom: Int { self.top + self.height }

    package func overlaps(_ other: PixelBox) -> Bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    package func world(_ worldSize: Double) -> WorldBox {
        WorldBox(
            minX: Double(self.left) / worldSize, minY: Double(self.top) / worldSize,
            maxX: Double(self.right) / worldSize, maxY: Double(self.bottom) / worldSize)
    }
}
