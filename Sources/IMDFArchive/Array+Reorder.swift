extension Array {
    /// Moves the elements, without a copy of any: the new element at an index is the previous one at `order[index]`.
    ///
    /// - Parameter order: A permutation of the indices.
    /// - Complexity: O(*n*).
    mutating func reorder(by order: [Int]) {
        precondition(order.count == self.count, "a permutation of the indices")
        var isPlaced = [Bool](repeating: false, count: self.count)
        for start in self.indices where !isPlaced[start] {
            var index = start
            // Follows the cycle in which each element moves to the place of the next.
            while true {
                isPlaced[index] = true
                let source = order[index]
                guard source != start else { break }
                self.swapAt(index, source)
                index = source
            }
        }
    }
}
