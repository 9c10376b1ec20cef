extension String {
    /// The text, truncated to a number of characters and bytes, never inside a character. A truncated text ends with “…”.
    package func excerpt(characters: Int, bytes: Int) -> String {
        // A character has one byte at least.
        if self.utf8.count <= min(characters, bytes) { return self }
        var (end, cut, length) = (self.startIndex, self.startIndex, 0)
        for _ in 0..<characters {
            guard end < self.endIndex else { break }
            let next = self.index(after: end)
            length += self.utf8.distance(from: end, to: next)
            guard length <= bytes else { return "\(self[..<cut])…" }
            (end, cut) = (next, end)
        }
        return end == self.endIndex ? self : "\(self[..<cut])…"
    }
}
