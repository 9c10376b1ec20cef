/// Finds features by box: a grid of cells, each with the features whose box it touches.
struct FeatureGrid: Sendable {
    private let box: WorldBox
    private let side: Int
    private let count: Int
    private let cells: [[Int32]]
    /// Features that touch many cells.
    private let large: [Int32]

    private static let maximumCells = 64

    init(_ boxes: [WorldBox]) {
        self.box =
            boxes.reduce(nil as WorldBox?) { $0?.union($1) ?? $1 } ?? WorldBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
        self.count = boxes.count
        self.side = min(max(Int(Double(boxes.count).squareRoot()), 1), 64)
        var cells = Array(repeating: [Int32](), count: self.side * self.side)
        var large: [Int32] = []
        for (index, box) in boxes.enumerated() {
            let (columns, rows) = Self.cells(of: box, in: self.box, self.side)
            guard columns.count * rows.count <= Self.maximumCells else {
                large.append(Int32(index))
                continue
            }
            for row in rows { for column in columns { cells[row * self.side + column].append(Int32(index)) } }
        }
        self.cells = cells
        self.large = large
    }

    private static func cells(
        of box: WorldBox, in whole: WorldBox, _ side: Int
    ) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        func index(_ value: Double, _ origin: Double, _ length: Double) -> Int {
            guard length > 0 else { return 0 }
            return Int(min(max((value - origin) / length * Double(side), 0), Double(side - 1)))
        }
        let first = (index(box.minX, whole.minX, whole.width), index(box.minY, whole.minY, whole.height))
        let last = (index(box.maxX, whole.minX, whole.width), index(box.maxY, whole.minY, whole.height))
        return (first.0...max(first.0, last.0), first.1...max(first.1, last.1))
    }

    /// The indices of all features whose box may touch a box, ascending. Some of them do not touch it.
    func candidates(in box: WorldBox) -> [Int] {
        var indices: [Int] = []
        self.forEachCandidate(in: box) { indices.append($0) }
        return indices
    }

    /// Calls a function with the indices of ``candidates(in:)``.
    @inline(__always)
    func forEachCandidate(in box: WorldBox, _ body: (Int) -> Void) {
        guard box.intersects(self.box) else { return }
        let (columns, rows) = Self.cells(of: box, in: self.box, self.side)
        // A bit for each feature: a feature may be in several cells.
        var words = [UInt64](repeating: 0, count: (self.count + 63) / 64)
        func insert(_ indices: [Int32]) {
            for index in indices { words[Int(index) >> 6] |= 1 << UInt64(index & 63) }
        }
        insert(self.large)
        for row in rows { for column in columns { insert(self.cells[row * self.side + column]) } }
        for (number, var word) in words.enumerated() {
            while word != 0 {
                body(64 * number + word.trailingZeroBitCount)
                word &= word - 1
            }
        }
    }
}
