/// The edges of a geometry, to be searched: what could cross is counted before GEOS is asked to look for it.
struct Segments {
    /// How many edges a line across the geometry meets, on average: two where it is convex, at worst all that there are.
    let layers: Double
    private let boxes: [Box]
    private let index: BoxIndex

    init(_ paths: [[PlanePoint]]) {
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

    /// How many pairs of edges lie so close that their boxes meet. Counting stops at the limit: of an outline with a million
    /// edges that all lie across each other there would be a trillion.
    func closePairs(limit: Int) -> Int {
        var count = 0
        for (number, box) in self.boxes.enumerated() {
            let isDone = self.index.search(box) { other in
                if other > number { count += 1 }
                return count < limit
            }
            if !isDone { break }
        }
        return count
    }

    /// The same between the edges of two geometries.
    func closePairs(with other: Segments, limit: Int) -> Int {
        var count = 0
        for box in other.boxes {
            let isDone = self.index.search(box) { _ in
                count += 1
                return count < limit
            }
            if !isDone { break }
        }
        return count
    }
}
