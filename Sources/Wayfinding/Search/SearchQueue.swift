/// A binary heap of nodes by their estimates. Of equal estimates the newest node is first.
struct SearchQueue {
    struct Entry {
        let estimate: Double
        let node: Int32

        func precedes(_ other: Entry) -> Bool {
            self.estimate == other.estimate ? self.node > other.node : self.estimate < other.estimate
        }
    }

    private var entries: [Entry] = []

    mutating func push(_ entry: Entry) {
        var position = self.entries.count
        self.entries.append(entry)
        while position > 0 {
            let parent = (position - 1) / 2
            guard entry.precedes(self.entries[parent]) else { break }
            self.entries[position] = self.entries[parent]
            position = parent
        }
        self.entries[position] = entry
    }

    mutating func pop() -> Entry? {
        guard let first = self.entries.first, let last = self.entries.popLast() else { return nil }
        let count = self.entries.count
        guard count > 0 else { return first }
        var position = 0
        while true {
            var child = 2 * position + 1
            guard child < count else { break }
            if child + 1 < count, self.entries[child + 1].precedes(self.entries[child]) { child += 1 }
            guard self.entries[child].precedes(last) else { break }
            self.entries[position] = self.entries[child]
            position = child
        }
        self.entries[position] = last
        return first
    }
}
