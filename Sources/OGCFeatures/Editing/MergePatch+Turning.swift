import IMDF

extension MergePatch {
    /// The patch that turns a value into another one, in which members that are null count as missing.
    static func turning(_ value: JSONValue, into other: JSONValue) -> JSONValue {
        guard case .object(let old) = value, case .object(let new) = other else { return other }
        var patch: JSONObject = [:]
        for member in old.members where new[member.key] == nil { patch[member.key] = .some(.null) }
        for member in new.members where old[member.key] != member.value {
            patch[member.key] = .some(self.turning(old[member.key] ?? .null, into: member.value))
        }
        return .object(patch)
    }
}
