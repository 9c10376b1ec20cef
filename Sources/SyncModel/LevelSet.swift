/// Some of a revision's levels: a bit for each of its level features in the order of their ids.
///
/// The venue-wide part has no bit, because it is always there. Two equal sets over the same revision are equal values, so that
/// what is made of them (a cursor, a URL, a cache key) is equal too.
public struct LevelSet: Hashable, Sendable {
    /// How many levels the revision has.
    public let count: Int
    /// Eight levels a byte, the first level in the lowest bit; bits past `count` are zero.
    public private(set) var bytes: [UInt8]

    /// None of `count` levels.
    public init(count: Int) {
        self.count = count
        self.bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
    }

    public static func all(of count: Int) -> LevelSet {
        var set = LevelSet(count: count)
        for index in 0..<count { set.insert(index) }
        return set
    }

    /// Takes a bit map that came over the wire; nil unless it is exactly one for `count` levels.
    public init?(bytes: [UInt8], count: Int) {
        guard bytes.count == (count + 7) / 8 else { return nil }
        if count % 8 != 0, let last = bytes.last, last >> UInt8(count % 8) != 0 { return nil }
        self.count = count
        self.bytes = bytes
    }

    public var isAll: Bool { self == LevelSet.all(of: self.count) }

    public func contains(_ index: Int) -> Bool { self.bytes[index / 8] & 1 << UInt8(index % 8) != 0 }

    public mutating func insert(_ index: Int) { self.bytes[index / 8] |= 1 << UInt8(index % 8) }
}
