/// The edges of a geometry, to be searched: for what would take GEOS too long to be asked unprepared.
struct Segments {
    private let boxes: [Box]
    private let index: BoxIndex

    init(_ paths: [[PlanePoint]]) {
        var boxes: [Box] = []
        for path in paths {
            for (from, to) in zip(path, path.dropFirst()) {
                var box = Box(from)
                box.extend(to: to)
                boxes.append(box)
            }
        }
        self.boxes = boxes
        self.index = BoxIndex(boxes)
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
