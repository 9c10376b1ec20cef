/// The extents of the monotone chains of a geometry from west to east.
///
/// To relate two geometries, GEOS compares all chains whose extents overlap, however far apart they lie from south to north. This
/// counts the pairs without enumerating them.
package struct ChainSpans {
    private var starts: [Double] = []
    private var ends: [Double] = []
    /// The number of pairs of chains of this geometry.
    package let pairs: Int

    package init(_ paths: [[PlanarPoint]]) {
        for path in paths {
            var quadrant: (Bool, Bool)?
            for (from, to) in zip(path, path.dropFirst()) where from != to {
                let next = (to.x >= from.x, to.y >= from.y)
                let (west, east) = (min(from.x, to.x), max(from.x, to.x))
                if let last = quadrant, last == next {
                    self.starts[self.starts.count - 1] = min(self.starts[self.starts.count - 1], west)
                    self.ends[self.ends.count - 1] = max(self.ends[self.ends.count - 1], east)
                } else {
                    self.starts.append(west)
                    self.ends.append(east)
                }
                quadrant = next
            }
        }
        self.starts.sort()
        self.ends.sort()
        let count = self.starts.count
        var (apart, ended) = (0, 0)
        for start in self.starts {
            while ended < count, self.ends[ended] < start { ended += 1 }
            apart += ended
        }
        self.pairs = count * (count - 1) / 2 - apart
    }

    /// The number of pairs of a chain of this geometry and a chain of the other.
    package func pairs(with other: ChainSpans) -> Int {
        guard self.starts.count >= other.starts.count else { return other.pairs(with: self) }
        // Each chain of the smaller one is searched among those of the larger one.
        return zip(other.starts, other.ends).reduce(self.starts.count * other.starts.count) { pairs, span in
            pairs - Self.count(below: span.0, in: self.ends)
                - (self.starts.count - Self.count(below: span.1.nextUp, in: self.starts))
        }
    }

    private static func count(below limit: Double, in sorted: [Double]) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
