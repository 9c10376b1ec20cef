/// The boxes of the labels that were placed.
struct TakenBoxes {
    private struct Cell: Hashable {
        let column: Int
        let row: Int
    }

    private var cells: [Cell: [PixelBox]] = [:]
    private var all: [PixelBox] = []
    private static let maximumCells = 256

    private static func cells(of box: PixelBox) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        (
            (box.left >> 7)...max(box.left >> 7, (box.right - 1) >> 7),
            (box.top >> 7)...max(box.top >> 7, (box.bottom - 1) >> 7)
        )
    }

    mutating func insert(_ box: PixelBox) {
        self.all.append(box)
        let (columns, rows) = Self.cells(of: box)
        for row in rows {
            for column in columns { self.cells[Cell(column: column, row: row), default: []].append(box) }
        }
    }

    func isFree(_ box: PixelBox) -> Bool { !self.boxes(near: box).contains { $0.overlaps(box) } }

    /// The boxes that overlap a box, and some others; each once, in the order in which they were inserted.
    func boxes(near box: PixelBox) -> [PixelBox] {
        let (columns, rows) = Self.cells(of: box)
        guard columns.count.multipliedReportingOverflow(by: rows.count).partialValue <= Self.maximumCells,
            columns.count <= Self.maximumCells
        else { return self.all.filter { $0.overlaps(box) } }
        var seen: Set<PixelBox> = []
        var found: [PixelBox] = []
        for row in rows {
            for column in columns {
                for candidate in self.cells[Cell(column: column, row: row)] ?? [] where seen.insert(candidate).inserted
                {
                    found.append(candidate)
                }
            }
        }
        return found
    }
}
