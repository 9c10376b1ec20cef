/// Steele, Lea and Flood's generator: 64 bits of state, the same sequence on every machine.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        self.state = seed
    }

    package mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var bits = self.state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

// The standard library may change how it converts random bits to numbers, but a seed must always give the same archive. So all
// random choices use these methods.
extension RandomNumberGenerator {
    /// A number in the range; the lower bound if the range is empty.
    mutating func number(in range: Range<Int>) -> Int {
        let span = UInt64(max(range.count, 1))
        return range.lowerBound + Int(truncatingIfNeeded: span.multipliedFullWidth(by: self.next()).high)
    }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        self.number(in: range.lowerBound..<(range.upperBound + 1))
    }

    /// True with this probability in percent.
    mutating func chance(_ percent: Int) -> Bool {
        self.number(in: 0..<100) < percent
    }

    mutating func element<Element>(of array: [Element]) -> Element {
        array[self.number(in: 0..<array.count)]
    }

    mutating func shuffle<Element>(_ array: inout [Element]) {
        for index in array.indices.dropLast() {
            array.swapAt(index, self.number(in: index..<array.count))
        }
    }

    /// Up to `count` different elements in random order.
    mutating func sample<Element>(_ count: Int, of array: [Element]) -> [Element] {
        var array = array
        let count = min(max(count, 0), array.count)
        for index in 0..<count {
            array.swapAt(index, self.number(in: index..<array.count))
        }
        return Array(array.prefix(count))
    }
}
