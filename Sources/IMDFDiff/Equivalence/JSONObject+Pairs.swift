import IMDF

extension JSONObject {
    /// Visits the members of two objects by key, with null for a missing member, until `body` returns false. Returns whether all
    /// were visited.
    func allPairs(
        with other: JSONObject, _ body: (_ key: String, _ left: JSONValue, _ right: JSONValue) -> Bool
    ) -> Bool {
        // Both are sorted by key, so this is a merge.
        let (left, right) = (self.members, other.members)
        var (here, there) = (0, 0)
        while here < left.count || there < right.count {
            if here < left.count, there < right.count, left[here].key.hasBytes(of: right[there].key) {
                guard body(left[here].key, left[here].value, right[there].value) else { return false }
                here += 1
                there += 1
            } else if there == right.count
                || here < left.count && CanonicalJSON.precedes(left[here].key, right[there].key)
            {
                guard body(left[here].key, left[here].value, .null) else { return false }
                here += 1
            } else {
                guard body(right[there].key, .null, right[there].value) else { return false }
                there += 1
            }
        }
        return true
    }
}
