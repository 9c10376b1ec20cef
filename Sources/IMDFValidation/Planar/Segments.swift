/// The edges of a geometry in a spatial index, to count possible crossings before GEOS computes them.
struct Segments {
    /// How many edges a line across the geometry meets on average: two for a convex outline, at worst all of them.
    let layers: Double
    private let boxes: [Box]
    private let index: BoxIndex

    init(_ paths: [[PlanarPoint]]) {
        var boxes: [Box] = []
        var whole: Box?
        var (width, height) = (0.0, 0.0)
        for path in paths {
            for (from, to) in zip(path, path.dropFirst()) {
                var box = Box(from)
                box.extend(to: to)
                boxes.append(box)
                width += box.width
                height += box.height
                if whole?.formUnion(box) == nil { whole = box }
            }
        }
        self.boxes = boxes
        self.index = BoxIndex(boxes)
        self.layers = max(width / max(whole?.width ?? 1, 1e-9), height / max(whole?.height ?? 1, 1e-9))
    }

    /// The number of pairs of edges whose bounding boxes intersect. Counting stops at the limit, because an outline with a
    /// million crossing edges has a trillion pairs.
    func closePairs(limit: Int) -> Int {
        var count = 0
        for (number, box) in self.boxes.enumerated() {
            let isComplete = self.index.search(box) { other in
                if other > number { count += 1 }
                return count < limit
            }
            if !isComplete { break }
        }
        return count
    }

    /// The same for the edges of two geometries.
    func closePairs(with other: Segments, limit: Int) -> Int {
        var count = 0
        for box in other.boxes {
            let isComplete = self.index.search(box) { _ in
                count += 1
                return count < limit
            }
            if !isComplete { break }
        }
        return count
    }
}
