/// A perfect matching of two lists of items, by augmenting paths.
///
/// Sorting both lists and comparing them one by one would be wrong, because the order of items within the tolerance is undefined.
struct Pairing {
    typealias Match = (_ item: Int, _ other: Int, _ steps: inout Int) -> Bool

    private let boxes: [CoordinateBox]
    private let others: BoxGrid
    /// The match of each item, and the item that each of the others is matched with.
    private var matches: [Int?]
    private var items: [Int?]
    /// For each of the others the item from which the search reached it, and the round of that search.
    private var predecessors: [(item: Int, round: Int)]

    /// Whether a perfect matching exists. Items whose boxes are not within the tolerance never match.
    ///
    /// - Complexity: O(*n*) hash look-ups if no two boxes of a list are near each other. Every candidate takes one of `steps`; when
    ///   they are used up the result is false.
    static func isComplete(_ boxes: [CoordinateBox], _ others: [CoordinateBox], steps: inout Int, match: Match) -> Bool
    {
        guard boxes.count == others.count else { return false }
        steps -= boxes.count
        // Usually the items match in their order.
        let inOrder = boxes.indices.allSatisfy { boxes[$0].isNear(others[$0]) && match($0, $0, &steps) }
        if inOrder { return true }
        guard boxes.count > 1 else { return false }
        var pairing = Pairing(boxes: boxes, others: others)
        return boxes.indices.allSatisfy { pairing.match($0, &steps, match) }
    }

    private init(boxes: [CoordinateBox], others: [CoordinateBox]) {
        self.boxes = boxes
        self.others = BoxGrid(others)
        self.matches = Array(repeating: nil, count: boxes.count)
        self.items = Array(repeating: nil, count: others.count)
        self.predecessors = Array(repeating: (item: -1, round: -1), count: others.count)
    }

    /// Matches an item: searches an augmenting path breadth-first, which rematches other items where necessary.
    private mutating func match(_ start: Int, _ steps: inout Int, _ match: Match) -> Bool {
        var queue = [start]
        var next = 0
        while next < queue.count {
            let item = queue[next]
            next += 1
            for candidate in self.others.candidates(around: self.boxes[item]) {
                steps -= 1
                guard steps > 0 else { return false }
                guard self.predecessors[candidate].round != start,
                    self.boxes[item].isNear(self.others.boxes[candidate]),
                    match(item, candidate, &steps)
                else { continue }
                self.predecessors[candidate] = (item, start)
                guard let matched = self.items[candidate] else {
                    self.augment(from: start, to: candidate)
                    return true
                }
                queue.append(matched)
            }
        }
        return false
    }

    /// Changes the matches along the path that the search found, from its end back to its start.
    private mutating func augment(from start: Int, to end: Int) {
        var other = end
        while true {
            let item = self.predecessors[other].item
            let previous = self.matches[item]
            self.matches[item] = other
            self.items[other] = item
            guard item != start, let previous else { return }
            other = previous
        }
    }
}

/// An index of boxes by the grid cell of their lower left corner.
private struct BoxGrid {
    private struct Cell: Hashable {
        let x: Double
        let y: Double
    }

    let boxes: [CoordinateBox]
    /// The last box of each cell, and for each box the one before it in the same cell.
    private var last: [Cell: Int] = [:]
    private var previous: [Int?] = []

    init(_ boxes: [CoordinateBox]) {
        self.boxes = boxes
        self.previous.reserveCapacity(boxes.count)
        for (index, box) in boxes.enumerated() {
            let cell = Cell(x: Tolerance.cell(of: box.minX), y: Tolerance.cell(of: box.minY))
            self.previous.append(self.last.updateValue(index, forKey: cell))
        }
    }

    /// All boxes whose lower left corner is within the tolerance of this one's, and some others.
    func candidates(around box: CoordinateBox) -> some Sequence<Int> {
        Tolerance.cells(around: box.minX).lazy
            .flatMap { x in Tolerance.cells(around: box.minY).lazy.map { y in self.last[Cell(x: x, y: y)] } }
            .flatMap { last in
                sequence(state: last) { index -> Int? in
                    defer { index = index.flatMap { self.previous[$0] } }
                    return index
                }
            }
    }
}
