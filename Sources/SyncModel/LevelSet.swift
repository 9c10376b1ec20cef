/// A subset of a revision's levels: one bit for each level feature in the order of their ids.
///
/// The venue-wide part has no bit, because it is always included. Equal sets have equal representations, so that cursors, URLs and
/// cache keys made from them are equal too.
package struct LevelSet: Hashable, Sendable {
    /// The number of levels of the revision.
    package let count: Int
    /// Eight levels a byte, the first level in the lowest bit; bits past `count` are zero.
    package private(set) var bytes: [UInt8]

    /// The empty set.
    package init(count: Int) {
        self.count = count
        self.bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
    }

    package static func all(of count: Int) -> LevelSet {
        var set = LevelSet(count: count)
        for index in 0..<count { set.insert(index) }
        return set
    }

    /// Reads a bit map from the wire; nil unless it has exactly `count` bits.
    package init?(bytes: [UInt8], count: Int) {
        guard bytes.count == (count + 7) / 8 else { return nil }
        if count % 8 != 0, let last = bytes.last, last >> UInt8(count % 8) != 0 { return nil }
        self.count = count
        self.bytes = bytes
    }

    package var isAll: Bool { self == LevelSet.all(of: self.count) }

    package func contains(_ index: Int) -> Bool { self.bytes[index / 8] & 1 << UInt8(index % 8) != 0 }

    package mutating func insert(_ index: Int) { self.bytes[index / 8] |= 1 << UInt8(index % 8) }
}
