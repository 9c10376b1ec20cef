extension [FeatureID] {
    /// The index of the first id that is not smaller, in ascending ids.
    package func insertionIndex(of id: FeatureID) -> Int {
        // Most ids are added in ascending order.
        guard let last = self.last, id <= last else { return self.count }
        var (low, high) = (0, self.count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The index of an id in ascending ids; nil if they do not contain it.
    ///
    /// - Complexity: O(log *n*).
    package func sortedIndex(of id: FeatureID) -> Int? {
        let index = self.insertionIndex(of: id)
        return index < self.count && self[index] == id ? index : nil
    }

    /// Inserts an id into ascending ids, unless they contain it.
    package mutating func insertSorted(_ id: FeatureID) {
        let index = self.insertionIndex(of: id)
        if index == self.count || self[index] != id { self.insert(id, at: index) }
    }

    /// Removes an id from ascending ids, if they contain it.
    package mutating func removeSorted(_ id: FeatureID) {
        if let index = self.sortedIndex(of: id) { self.remove(at: index) }
    }
}
