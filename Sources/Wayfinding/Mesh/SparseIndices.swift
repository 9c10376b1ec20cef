/// A list of indices of which most are missing: a bit for each position, and the indices that are there, in order.
struct SparseIndices: Hashable, Sendable {
    private var words: [UInt64]
    /// How many indices are before each word.
    private var ranks: [Int32] = []
    private let values: [Int32]

    /// - Parameters:
    ///   - count: The length of the list.
    ///   - entries: The indices that are there, each at another position.
    init(count: Int, _ entries: [(position: Int32, value: Int32)]) {
        self.words = [UInt64](repeating: 0, count: (count + 63) / 64)
        for (position, _) in entries { self.words[Int(position >> 6)] |= Self.bit(position) }
        self.ranks.reserveCapacity(self.words.count)
        var rank: Int32 = 0
        for word in self.words {
            self.ranks.append(rank)
            rank += Int32(word.nonzeroBitCount)
        }
        self.values = entries.sorted { $0.position < $1.position }.map(\.value)
    }

    /// The index at a position, or -1.
    @inline(__always)
    subscript(position: Int32) -> Int32 {
        let word = Int(position >> 6)
        let bit = Self.bit(position)
        guard self.words[word] & bit != 0 else { return -1 }
        return self.values[Int(self.ranks[word]) + (self.words[word] & (bit - 1)).nonzeroBitCount]
    }

    @inline(__always)
    private static func bit(_ position: Int32) -> UInt64 { 1 &<< UInt64(position & 63) }

    var byteCount: Int { self.words.byteCount + self.ranks.byteCount + self.values.byteCount }
}

/// Lists of indices, one after the other.
struct IndexGroups: Hashable, Sendable {
    private let starts: [Int32]
    private let values: [Int32]

    /// - Parameters:
    ///   - count: How many lists there are.
    ///   - entries: Indices with the numbers of their lists, in which they keep their order.
    init(count: Int, _ entries: [(group: Int, value: Int32)]) {
        var starts = [Int32](repeating: 0, count: count + 1)
        for entry in entries { starts[entry.group + 1] += 1 }
        for group in 0..<count { starts[group + 1] += starts[group] }
        var (ends, values) = (starts, [Int32](repeating: 0, count: entries.count))
        for entry in entries {
            values[Int(ends[entry.group])] = entry.value
            ends[entry.group] += 1
        }
        (self.starts, self.values) = (starts, values)
    }

    subscript(group: Int) -> ArraySlice<Int32> {
        self.values[Int(self.starts[group])..<Int(self.starts[group + 1])]
    }

    var byteCount: Int { self.starts.byteCount + self.values.byteCount }
}

extension Array {
    /// How many bytes the elements take, with the room that is reserved for more.
    var byteCount: Int { self.capacity * MemoryLayout<Element>.stride }
}
