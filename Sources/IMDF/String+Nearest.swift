extension String {
    /// The name that was probably meant, for messages about an unknown one; nil if none is similar.
    ///
    /// Case, underscores and hyphens do not count, and a third of the letters may differ.
    ///
    /// - Complexity: O(*n*) in the number of names. Of longer names than 64 bytes none is similar.
    package func nearest(of names: some Sequence<String>) -> String? {
        let letters = Self.letters(of: self)
        guard (1...64).contains(letters.count) else { return nil }
        let limit = Swift.max(1, letters.count / 3)
        return names.map { (name: $0, distance: Self.distance(letters, Self.letters(of: $0))) }
            .filter { $0.distance <= limit }.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    private static func letters(of name: String) -> [UInt8] {
        name.utf8.count > 128
            ? [] : name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    }

    /// The number of letters to insert, remove, replace or swap with the next one.
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var (before, last) = ([Int](), Array(0...other.count))
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                var best = Swift.min(
                    last[column + 1] + 1, current[column] + 1, last[column] + (one[row] == other[column] ? 0 : 1))
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = Swift.min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            (before, last) = (last, current)
        }
        return last[other.count]
    }
}
