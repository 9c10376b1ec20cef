import IMDF

extension JSONObject {
    /// Walks the members of two objects side by side, null standing for one that is missing, until `body` says false.
    /// True when it never did.
    func allPairs(
        with other: JSONObject, _ body: (_ key: String, _ left: JSONValue, _ right: JSONValue) -> Bool
    ) -> Bool {
        // Both are sorted by key, so one pass finds what stands on one side only.
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

extension String {
    /// Whether the UTF-8 is the same. `==` takes different spellings of one character for equal; a reader of bytes does not.
    func hasBytes(of other: String) -> Bool {
        let areEqual = self.utf8.withContiguousStorageIfAvailable { here in
            other.utf8.withContiguousStorageIfAvailable { there in
                guard here.count == there.count else { return false }
                for index in here.indices where here[index] != there[index] { return false }
                return true
            }
        }
        return (areEqual ?? nil) ?? self.utf8.elementsEqual(other.utf8)
    }
}
