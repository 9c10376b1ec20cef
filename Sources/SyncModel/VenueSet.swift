/// A set of venues by number. A venue gets the next free number with its first revision and keeps it, so numbers have no gaps.
///
/// Stored as ranges, so that the set of all venues is one range. Equal sets have equal representations, so that cursors, URLs and
/// cache keys made from them are equal too.
package struct VenueSet: Hashable, Sendable {
    /// Ascending, not empty, not adjacent.
    package private(set) var runs: [Range<Int64>]

    package init(_ indices: some Sequence<Int64> = EmptyCollection<Int64>()) {
        self.init(runs: indices.map { $0..<$0 + 1 })
    }

    /// - Parameter runs: In any order; they may overlap.
    package init(runs: [Range<Int64>]) {
        self.runs = []
        for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) where !run.isEmpty {
            if let last = self.runs.last, run.lowerBound <= last.upperBound {
                self.runs[self.runs.count - 1] = last.lowerBound..<max(last.upperBound, run.upperBound)
            } else {
                self.runs.append(run)
            }
        }
    }

    package var isEmpty: Bool { self.runs.isEmpty }

    /// The numbers of all venues, ascending.
    package var indices: some Sequence<Int64> { self.runs.lazy.flatMap { $0 } }

    package func contains(_ index: Int64) -> Bool {
        var (low, high) = (0, self.runs.count)
        while low < high {
            let middle = (low + high) / 2
            if self.runs[middle].upperBound <= index { low = middle + 1 } else { high = middle }
        }
        return low < self.runs.count && self.runs[low].lowerBound <= index
    }

    package func union(_ other: VenueSet) -> VenueSet {
        VenueSet(runs: self.runs + other.runs)
    }

    package func subtracting(_ other: VenueSet) -> VenueSet {
        var rest: [Range<Int64>] = []
        var next = 0
        for run in self.runs {
            var start = run.lowerBound
            while next < other.runs.count, other.runs[next].lowerBound < run.upperBound {
                let hole = other.runs[next]
                if start < hole.lowerBound { rest.append(start..<hole.lowerBound) }
                start = max(start, hole.upperBound)
                if hole.upperBound > run.upperBound { break }  // it may reach into the next run
                next += 1
            }
            if start < run.upperBound { rest.append(start..<run.upperBound) }
        }
        return VenueSet(runs: rest)
    }

    package func intersection(_ other: VenueSet) -> VenueSet {
        self.subtracting(self.subtracting(other))
    }
}

extension TokenWriter {
    /// Appends the ranges, each as its distance from the previous one and its length, or one bit for each number if that is shorter.
    mutating func append(_ set: VenueSet) {
        var runs = TokenWriter()
        var end: Int64 = 0
        for run in set.runs {
            runs.append(UInt64(run.lowerBound - end))
            runs.append(UInt64(run.upperBound - run.lowerBound))
            end = run.upperBound
        }
        let bits = Int((end - 1) / 8) + 1
        guard bits < runs.bytes.count else {
            self.append(UInt64(set.runs.count) << 1)
            self.append(contentsOf: runs)
            return
        }
        var map = [UInt8](repeating: 0, count: bits)
        for index in set.indices { map[Int(index / 8)] |= 1 << UInt8(index % 8) }
        self.append(UInt64(bits) << 1 | 1)
        self.append(contentsOf: TokenWriter(bytes: map))
    }
}

extension TokenReader {
    /// Reads what ``TokenWriter/append(_:)`` wrote. Its memory is bounded by the length of the token.
    mutating func venues() -> VenueSet? {
        guard let head = self.number() else { return nil }
        var runs: [Range<Int64>] = []
        if head & 1 == 0 {
            var end: Int64 = 0
            for _ in 0..<head >> 1 {
                guard let gap = self.number(), let length = self.number() else { return nil }
                let (start, isFar) = end.addingReportingOverflow(Int64(gap))
                let (next, isLong) = start.addingReportingOverflow(Int64(length))
                guard !isFar, !isLong else { return nil }
                runs.append(start..<next)
                end = next
            }
        } else {
            for byteIndex in 0..<head >> 1 {
                guard let byte = self.byte() else { return nil }
                for bit in 0..<8 as Range<Int64> where byte & 1 << UInt8(bit) != 0 {
                    let index = Int64(byteIndex) * 8 + bit
                    runs.append(index..<index + 1)
                }
            }
        }
        return VenueSet(runs: runs)
    }
}
