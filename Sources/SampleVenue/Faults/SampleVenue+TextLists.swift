import IMDF

extension SampleVenue {
    /// Writes some lists, one at least, as texts, as tools do whose tables have no lists: `(2:a,b)`, or the JSON text `[ "a", "b" ]`.
    ///
    /// - Returns: The number of features with such a text.
    package mutating func writeListsAsText(using random: inout some RandomNumberGenerator) -> Int {
        var count = 0
        for index in self.features.indices {
            var isWritten = false
            for key in ["accessibility", "access_control", "building_ids", "level_ids", "parents", "unit_ids"] {
                guard let list = self.features[index][key]?.array, count == 0 || Bool.random(using: &random) else {
                    continue
                }
                let items = list.compactMap(\.string)
                let quoted = items.map { "\"\($0)\"" }.joined(separator: ", ")
                self.features[index][key] = .string(
                    Bool.random(using: &random)
                        ? "(\(items.count):\(items.joined(separator: ",")))" : "[ \(quoted) ]")
                isWritten = true
            }
            if isWritten { count += 1 }
        }
        return count
    }
}
