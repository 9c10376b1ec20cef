/// Gives every item of one list an item of its own of another, when only some of them match.
///
/// Sorting both lists and comparing them one by one would not do: within the tolerance the order of neighbours may flip.
struct Pairing {
    typealias Match = (_ item: Int, _ other: Int, _ steps: inout Int) -> Bool

    private let boxes: [Box]
    private let others: BoxGrid
    /// What each item was given, and to which item each of the others was given.
    private var gifts: [Int?]
    private var owners: [Int?]
    /// Who asked for an item last, and in which round.
    private var seekers: [(item: Int, round: Int)]

    /// Whether the lists can be paired item by item. Items whose boxes are not near each other never match.
    ///
    /// - Complexity: O(*n*) hash look-ups while no two boxes are near each other. Every candidate takes from `steps`, and
    ///   when they are used up the answer is no.
    static func isComplete(_ boxes: [Box], _ others: [Box], steps: inout Int, match: Match) -> Bool {
        guard boxes.count == others.count else { return false }
        steps -= boxes.count
        // Most often they match as they stand.
        let inOrder = boxes.indices.allSatisfy { boxes[$0].isNear(others[$0]) && match($0, $0, &steps) }
        if inOrder { return true }
        guard boxes.count > 1 else { return false }
        var pairing = Pairing(boxes: boxes, others: others)
        return boxes.indices.allSatisfy { pairing.serve($0, &steps, match) }
    }

    private init(boxes: [Box], others: [Box]) {
        self.boxes = boxes
        self.others = BoxGrid(others)
        self.gifts = Array(repeating: nil, count: boxes.count)
        self.owners = Array(repeating: nil, count: others.count)
        self.seekers = Array(repeating: (item: -1, round: -1), count: others.count)
    }

    /// Finds something for an item, and when all that would do is given away, something else for an owner of it, and so on.
    private mutating func serve(_ newcomer: Int, _ steps: inout Int, _ match: Match) -> Bool {
        var queue = [newcomer]
        var next = 0
        while next < queue.count {
            let item = queue[next]
            next += 1
            for candidate in self.others.candidates(around: self.boxes[item]) {
                steps -= 1
                guard steps > 0 else { return false }
                guard self.seekers[candidate].round != newcomer, self.boxes[item].isNear(self.others.boxes[candidate]),
                    match(item, candidate, &steps)
                else { continue }
                self.seekers[candidate] = (item, newcomer)
                guard let owner = self.owners[candidate] else {
                    self.give(candidate, to: newcomer)
                    return true
                }
                queue.append(owner)
            }
        }
        return false
    }

    /// Gives an item to the one who asked for it, what that one had to the one who asked for that, down to the newcomer.
    private mutating func give(_ found: Int, to newcomer: Int) {
        var gift = found
        while true {
            let item = self.seekers[gift].item
            let returned = self.gifts[item]
            self.gifts[item] = gift
            self.owners[gift] = item
            guard item != newcomer, let returned else { return }
            gift = returned
        }
    }
}

/// Boxes by the place of their lower left corner.
private struct BoxGrid {
    private struct Cell: Hashable {
        let x: Double
        let y: Double
    }

    let boxes: [Box]
    /// The last box of each cell, and for each box the one before it in the same cell.
    private var last: [Cell: Int] = [:]
    private var previous: [Int?] = []

    init(_ boxes: [Box]) {
        self.boxes = boxes
        self.previous.reserveCapacity(boxes.count)
        for (index, box) in boxes.enumerated() {
            let cell = Cell(x: Tolerance.cell(of: box.minX), y: Tolerance.cell(of: box.minY))
            self.previous.append(self.last.updateValue(index, forKey: cell))
        }
    }

    /// All boxes whose lower left corner may be near this one's, and some more.
    func candidates(around box: Box) -> some Sequence<Int> {
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
