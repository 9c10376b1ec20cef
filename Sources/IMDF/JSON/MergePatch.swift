/// JSON Merge Patch (RFC 7396).
package enum MergePatch {
    /// A value with a patch applied: members of objects are merged, null removes a member, anything else replaces the value.
    package static func apply(_ patch: JSONValue, to value: JSONValue?) -> JSONValue {
        guard case .object(let patch) = patch else { return patch }
        var result = value?.object ?? [:]
        for member in patch.members {
            if member.value.isNull {
                result[member.key] = .none
            } else {
                result[member.key] = self.apply(member.value, to: result[member.key])
            }
        }
        return .object(result)
    }
}
