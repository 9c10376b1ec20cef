/// JSON Merge Patch (RFC 7396).
package enum MergePatch {
    /// A value with a patch applied: members of objects are merged, null removes a member, anything else replaces the value.
    package static func apply(_ patch: JSONValue, to value: JSONValue?) -> JSONValue {
        guard case .object(let patch) = patch else { return patch }
        // Both are sorted, so one pass is enough for any number of members.
        var former = (value?.object?.members ?? [])[...]
        var result: [JSONObject.Member] = []
        result.reserveCapacity(former.count + patch.members.count)
        for member in patch.members {
            while let next = former.first, CanonicalJSON.precedes(next.key, member.key) {
                result.append(next)
                former.removeFirst()
            }
            let isChange = former.first.map { !CanonicalJSON.precedes(member.key, $0.key) } ?? false
            let old: JSONValue? = isChange ? former.removeFirst().value : .none
            if !member.value.isNull { result.append(.init(key: member.key, value: self.apply(member.value, to: old))) }
        }
        return .object(JSONObject(result + former))
    }
}
